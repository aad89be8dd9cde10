/* SPDX-License-Identifier: MIT */
#include "unwind/join.h"

#include "base/hash.h"
#include "base/mem.h"
#include "unwind/join_priv.h"

#define NO_KEY UINT32_MAX

/* A frame's caller for as long as nothing else was seen. Those of a frame do not overlap. */
struct run {
	u64 first, last; /* time */
	u64 caller, caller_ip;
	u32 key;        /* whose */
	u32 caller_key; /* NO_KEY: nothing is known of the caller's own */
};

struct join_table {
	u64 *keys; /* by number */
	size_t nr_keys, cap_keys;
	u32 *slots; /* number + 1 by key, 0: free */
	size_t nr_slots;
	struct run *runs; /* of key 0, of key 1, ..., each in the order of time */
	u32 *starts;      /* by key: its first run; [nr_keys] is the number of runs */
};

/* Entries of all notes, in order. */
struct seen_ref {
	const struct join_seen *seen;
	const struct join_notes *notes;
	const u32 *keys; /* of the edges of these notes */
};

static u32 find_key(const struct join_table *t, u64 key)
{
	size_t at = key & (t->nr_slots - 1);

	for (; t->slots[at]; at = (at + 1) & (t->nr_slots - 1))
		if (t->keys[t->slots[at] - 1] == key)
			return t->slots[at] - 1;
	return NO_KEY;
}

static void grow_slots(struct join_table *t)
{
	free(t->slots);
	t->nr_slots = t->nr_slots ? t->nr_slots * 2 : 1024;
	t->slots = xcalloc(t->nr_slots, sizeof(*t->slots));
	for (size_t i = 0; i < t->nr_keys; i++) {
		size_t at = t->keys[i] & (t->nr_slots - 1);

		while (t->slots[at])
			at = (at + 1) & (t->nr_slots - 1);
		t->slots[at] = (u32)i + 1;
	}
}

static u32 key_number(struct join_table *t, u64 key)
{
	u32 nr = find_key(t, key);
	size_t at;

	if (nr != NO_KEY)
		return nr;
	if (t->nr_keys >= t->nr_slots / 2)
		grow_slots(t);
	for (at = key & (t->nr_slots - 1); t->slots[at];)
		at = (at + 1) & (t->nr_slots - 1);
	vec_push(t->keys, t->nr_keys, t->cap_keys, key);
	t->slots[at] = (u32)t->nr_keys;
	return (u32)t->nr_keys - 1;
}

static int by_task_and_time(const void *a, const void *b)
{
	const struct join_seen *x = ((const struct seen_ref *)a)->seen;
	const struct join_seen *y = ((const struct seen_ref *)b)->seen;

	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Runs in the order in which they began. latest: by key, its run + 1. */
static struct run *make_runs(const struct seen_ref *refs, size_t nr, u32 *latest, size_t *ret_nr)
{
	struct run *runs = NULL;
	size_t nr_runs = 0, cap = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct join_seen *s = refs[i].seen;

		for (u32 j = 0; j < s->nr; j++) {
			u32 id = refs[i].notes->ids[s->off + j], key = refs[i].keys[id];
			const struct join_edge *e = &refs[i].notes->edges[id];
			struct run *r = latest[key] ? &runs[latest[key] - 1] : NULL;

			if (r && r->caller == e->caller && r->caller_ip == e->caller_ip) {
				if (s->last > r->last)
					r->last = s->last;
				continue;
			}
			vec_push(runs, nr_runs, cap,
				 ((struct run){ .first = s->first,
						.last = s->last,
						.caller = e->caller,
						.caller_ip = e->caller_ip,
						.key = key }));
			latest[key] = (u32)nr_runs;
		}
	}
	*ret_nr = nr_runs;
	return runs;
}

/* Brings the runs of each key together. */
static void group_runs(struct join_table *t, const struct run *runs, size_t nr)
{
	u32 *next = xcalloc(t->nr_keys + 1, sizeof(*next));
	size_t i;

	for (i = 0; i < nr; i++)
		next[runs[i].key + 1]++;
	for (i = 0; i < t->nr_keys; i++)
		next[i + 1] += next[i];
	t->starts = xmalloc((t->nr_keys + 1) * sizeof(*t->starts));
	memcpy(t->starts, next, (t->nr_keys + 1) * sizeof(*next));
	t->runs = xmalloc(nr * sizeof(*t->runs));
	for (i = 0; i < nr; i++) {
		struct run *r = &t->runs[next[runs[i].key]++];

		*r = runs[i];
		r->caller_key = r->caller == JOIN_ROOT ? NO_KEY : find_key(t, r->caller);
	}
	free(next);
}

struct join_table *join_table_new(struct join_notes *const *notes, size_t nr)
{
	struct join_table *t = xcalloc(1, sizeof(*t));
	struct seen_ref *refs = NULL;
	size_t nr_refs = 0, cap = 0, i, nr_runs;
	u32 **keys = xcalloc(nr, sizeof(*keys)), *latest;
	struct run *runs;

	grow_slots(t);
	for (i = 0; i < nr; i++) {
		keys[i] = xmalloc(notes[i]->nr_edges * sizeof(**keys));
		for (size_t j = 0; j < notes[i]->nr_edges; j++)
			keys[i][j] = key_number(t, notes[i]->edges[j].key);
		vec_reserve(refs, cap, nr_refs + notes[i]->nr_seen);
		for (size_t j = 0; j < notes[i]->nr_seen; j++)
			refs[nr_refs++] = (struct seen_ref){ .seen = &notes[i]->seen[j],
							     .notes = notes[i],
							     .keys = keys[i] };
	}
	if (nr_refs)
		qsort(refs, nr_refs, sizeof(*refs), by_task_and_time);
	latest = xcalloc(t->nr_keys, sizeof(*latest));
	runs = make_runs(refs, nr_refs, latest, &nr_runs);
	group_runs(t, runs, nr_runs);
	for (i = 0; i < nr; i++)
		free(keys[i]);
	free(keys);
	free(latest);
	free(refs);
	free(runs);
	return t;
}

void join_table_free(struct join_table *t)
{
	if (!t)
		return;
	free(t->keys);
	free(t->slots);
	free(t->runs);
	free(t->starts);
	free(t);
}

void join_path_fini(struct join_path *p)
{
	free(p->ips);
	*p = (struct join_path){ 0 };
}

/* The run of a key that is nearest to time, the earlier of two; NULL when it has none. */
static const struct run *nearest(const struct join_table *t, u32 key, u64 time, u64 *ret_distance)
{
	u32 first = t->starts[key], lo = first, hi = t->starts[key + 1], end = hi, mid;
	const struct run *r, *next;

	/* the first that begins after time */
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (t->runs[mid].first <= time)
			lo = mid + 1;
		else
			hi = mid;
	}
	r = lo > first ? &t->runs[lo - 1] : NULL;
	next = lo < end ? &t->runs[lo] : NULL;
	*ret_distance = 0;
	if (r && time <= r->last)
		return r;
	if (r && (!next || time - r->last <= next->first - time)) {
		*ret_distance = time - r->last;
		return r;
	}
	if (next)
		*ret_distance = next->first - time;
	return next;
}

void join_find(const struct join_table *t, u64 task, u64 time, u64 function, u64 cfa, size_t max,
	       struct join_path *ret)
{
	u32 key = find_key(t, join_key(task, function, cfa));
	const struct run *r;
	u64 distance;

	ret->nr = 0;
	ret->at_root = false;
	ret->distance = 0;
	while (key != NO_KEY) {
		r = nearest(t, key, time, &distance);
		if (!r)
			return;
		if (r->caller == JOIN_ROOT) {
			ret->at_root = true;
			return;
		}
		if (ret->nr == max)
			return;
		if (distance > ret->distance)
			ret->distance = distance;
		vec_push(ret->ips, ret->nr, ret->cap, r->caller_ip);
		key = r->caller_key;
	}
}

/* SPDX-License-Identifier: MIT */
#include "unwind/join.h"

#include "base/hash.h"
#include "base/mem.h"
#include "unwind/join_priv.h"

#define NO_RUN UINT32_MAX

/*
 * A frame from its first sight to its last, as long as no stack between contradicts: one that
 * reaches beyond its place without having it. Runs of a key do not overlap.
 */
struct run {
	u64 first, last; /* time */
	u64 key;
	u64 caller_ip;
	u32 caller; /* its run; NO_RUN: not known */
	bool at_root;
};

struct join_table {
	u64 *keys; /* by number */
	size_t nr_keys, cap_keys;
	u32 *slots; /* number + 1 by key, 0: free */
	size_t nr_slots;
	struct run *runs; /* in the order in which they began */
	size_t nr_runs, cap_runs;
	u32 *by_key; /* runs of key 0, of key 1, ..., each in the order of time */
	u32 *starts; /* by key: where its runs begin in by_key; [nr_keys] is the end */
};

/* Entries of all notes, in order. */
struct seen_ref {
	const struct join_seen *seen;
	const struct join_notes *notes;
};

/* The frames of a task as of its last stack and those before, outermost first. */
struct alive {
	u64 key, cfa;
	u32 run;
};

struct model {
	struct join_table *t;
	struct alive *frames;
	size_t nr, cap;
	struct alive *now; /* as of the stack that is being added */
	size_t nr_now, cap_now;
};

#define NO_KEY UINT32_MAX

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

/*
 * The next frame of a stack, the outer ones first, becomes the next of m->now: the one that is
 * alive at its place, if it is the same. Any that is alive and was passed over is gone, with those
 * inside it. *j goes through m->frames.
 */
static struct run *see(struct model *m, size_t *j, u64 key, u64 cfa, const struct join_seen *s)
{
	struct join_table *t = m->t;

	if (*j < m->nr && m->frames[*j].cfa > cfa)
		*j = m->nr;
	vec_reserve(m->now, m->cap_now, m->nr_now + 1);
	if (*j < m->nr && m->frames[*j].cfa == cfa) {
		if (m->frames[*j].key == key) {
			t->runs[m->frames[*j].run].last = s->last;
			m->now[m->nr_now++] = m->frames[(*j)++];
			return &t->runs[m->now[m->nr_now - 1].run];
		}
		*j = m->nr;
	}
	vec_push(
		t->runs, t->nr_runs, t->cap_runs,
		((struct run){ .first = s->first, .last = s->last, .key = key, .caller = NO_RUN }));
	m->now[m->nr_now++] = (struct alive){ .key = key, .cfa = cfa, .run = (u32)t->nr_runs - 1 };
	return &t->runs[t->nr_runs - 1];
}

/* True when the run may have this caller; notes it. */
static bool has_caller(struct run *r, const struct join_edge *e, u32 caller)
{
	bool at_root = e->caller == JOIN_ROOT;

	if (!r->at_root && r->caller == NO_RUN) {
		r->at_root = at_root;
		r->caller = caller;
		r->caller_ip = e->caller_ip;
		return true;
	}
	return r->at_root == at_root && r->caller == caller && r->caller_ip == e->caller_ip;
}

/* A stack of the task, the next in time. */
static void add_stack(struct model *m, const struct seen_ref *ref)
{
	const struct join_seen *s = ref->seen;
	const u32 *ids = ref->notes->ids + s->off;
	u32 caller = NO_RUN;
	struct alive *swap;
	size_t j = 0, cap;

	m->nr_now = 0;
	/* what lies above the copy may still be there */
	if (s->last_key != JOIN_ROOT) {
		while (j < m->nr && m->frames[j].cfa > s->last_cfa)
			j++;
		vec_reserve(m->now, m->cap_now, j);
		if (j)
			memcpy(m->now, m->frames, j * sizeof(*m->now));
		m->nr_now = j;
		see(m, &j, s->last_key, s->last_cfa, s);
		caller = m->now[m->nr_now - 1].run;
	}
	for (u32 i = s->nr; i--;) {
		const struct join_edge *e = &ref->notes->edges[ids[i]];

		if (!has_caller(see(m, &j, e->key, e->cfa, s), e, caller)) {
			/* called again, from another place */
			m->nr_now--;
			j = m->nr;
			(void)has_caller(see(m, &j, e->key, e->cfa, s), e, caller);
		}
		caller = m->now[m->nr_now - 1].run;
	}
	swap = m->frames;
	m->frames = m->now;
	m->now = swap;
	cap = m->cap;
	m->cap = m->cap_now;
	m->cap_now = cap;
	m->nr = m->nr_now;
}

static void make_runs(struct join_table *t, const struct seen_ref *refs, size_t nr)
{
	struct model m = { .t = t };

	for (size_t i = 0; i < nr; i++) {
		if (i && refs[i].seen->task != refs[i - 1].seen->task)
			m.nr = 0;
		add_stack(&m, &refs[i]);
	}
	free(m.frames);
	free(m.now);
}

/* Brings the runs of each key together. */
static void group_runs(struct join_table *t)
{
	u32 *numbers = xmalloc(t->nr_runs * sizeof(*numbers)), *next;
	size_t i;

	for (i = 0; i < t->nr_runs; i++)
		numbers[i] = key_number(t, t->runs[i].key);
	t->starts = xcalloc(t->nr_keys + 1, sizeof(*t->starts));
	t->by_key = xmalloc(t->nr_runs * sizeof(*t->by_key));
	for (i = 0; i < t->nr_runs; i++)
		t->starts[numbers[i] + 1]++;
	for (i = 0; i < t->nr_keys; i++)
		t->starts[i + 1] += t->starts[i];
	next = xmalloc((t->nr_keys + 1) * sizeof(*next));
	memcpy(next, t->starts, (t->nr_keys + 1) * sizeof(*next));
	for (i = 0; i < t->nr_runs; i++)
		t->by_key[next[numbers[i]]++] = (u32)i;
	free(next);
	free(numbers);
}

struct join_table *join_table_new(struct join_notes *const *notes, size_t nr)
{
	struct join_table *t = xcalloc(1, sizeof(*t));
	struct seen_ref *refs = NULL;
	size_t nr_refs = 0, cap = 0, i;

	grow_slots(t);
	for (i = 0; i < nr; i++) {
		vec_reserve(refs, cap, nr_refs + notes[i]->nr_seen);
		for (size_t j = 0; j < notes[i]->nr_seen; j++)
			refs[nr_refs++] =
				(struct seen_ref){ .seen = &notes[i]->seen[j], .notes = notes[i] };
	}
	if (nr_refs)
		qsort(refs, nr_refs, sizeof(*refs), by_task_and_time);
	make_runs(t, refs, nr_refs);
	group_runs(t);
	free(refs);
	return t;
}

void join_table_free(struct join_table *t)
{
	if (!t)
		return;
	free(t->keys);
	free(t->slots);
	free(t->runs);
	free(t->by_key);
	free(t->starts);
	free(t);
}

void join_path_fini(struct join_path *p)
{
	free(p->ips);
	*p = (struct join_path){ 0 };
}

/* The run of a key that goes on at a time; NULL when there is none. */
static const struct run *run_at(const struct join_table *t, u32 key, u64 time)
{
	u32 first = t->starts[key], lo = first, hi = t->starts[key + 1], mid;
	const struct run *r;

	/* the first that begins after time */
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (t->runs[t->by_key[mid]].first <= time)
			lo = mid + 1;
		else
			hi = mid;
	}
	r = lo > first ? &t->runs[t->by_key[lo - 1]] : NULL;
	return r && time <= r->last ? r : NULL;
}

void join_find(const struct join_table *t, u64 task, u64 time, const struct join_frame *f,
	       size_t max, struct join_path *ret)
{
	u32 key = find_key(t, join_key(task, f));
	const struct run *r = key == NO_KEY ? NULL : run_at(t, key, time);

	ret->nr = 0;
	ret->at_root = false;
	for (; r && !r->at_root && r->caller != NO_RUN; r = &t->runs[r->caller]) {
		if (ret->nr == max)
			return;
		vec_push(ret->ips, ret->nr, ret->cap, r->caller_ip);
	}
	ret->at_root = r && r->at_root;
}

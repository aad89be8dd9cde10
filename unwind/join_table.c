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
	u32 seq;    /* the order in which runs began */
	bool at_root;
};

/* Only runs that are asked for, and their callers, are kept: most frames no copy ends in. */
struct join_table {
	u64 *keys; /* those that are asked for, by number */
	size_t nr_keys, cap_keys;
	u32 *slots; /* number + 1 by key, 0: free */
	size_t nr_slots;
	struct run *runs;
	size_t nr_runs, cap_runs;
	u32 *by_key; /* runs of key 0, of key 1, ..., each in the order of time */
	u32 *starts; /* by key: where its runs begin in by_key; [nr_keys] is the end */
};

/* Entries of all notes, in order. */
struct seen_ref {
	const struct join_seen *seen;
	const struct join_notes *notes;
};

/* A run that may go on; caller is a number of these. */
struct alive_run {
	struct run r;
	u32 id;   /* in the table, NO_RUN: none yet */
	u32 next; /* of those that are free */
};

/* The frames of a task as of its last stack and those before, outermost first. */
struct alive {
	u64 key, cfa;
	u32 run;
};

struct model {
	struct join_table *t;
	struct alive_run *runs;
	size_t nr_runs, cap_runs;
	u32 free, seq;
	struct alive *frames;
	size_t nr, cap;
	size_t nr_same;    /* those of them, the first, that the next stack has too */
	struct alive *now; /* as of that stack */
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

static u32 begin_run(struct model *m, u64 key, const struct join_seen *s)
{
	u32 i = m->free;

	if (i == NO_RUN) {
		i = (u32)m->nr_runs;
		vec_push(m->runs, m->nr_runs, m->cap_runs, (struct alive_run){ 0 });
	} else {
		m->free = m->runs[i].next;
	}
	m->runs[i] = (struct alive_run){
		.r = { .first = s->first,
		       .last = s->last,
		       .key = key,
		       .caller = NO_RUN,
		       .seq = m->seq++ },
		.id = NO_RUN,
	};
	return i;
}

/* The place in the table of a run that is to be kept. */
static u32 keep_run(struct model *m, u32 run)
{
	struct alive_run *a = &m->runs[run];

	if (a->id == NO_RUN) {
		a->id = (u32)m->t->nr_runs;
		vec_push(m->t->runs, m->t->nr_runs, m->t->cap_runs, a->r);
	}
	return a->id;
}

/* Its callers go on: they end after it. */
static void end_run(struct model *m, u32 run)
{
	struct alive_run *a = &m->runs[run];
	struct run *r;
	u32 id;

	if (a->id != NO_RUN || find_key(m->t, a->r.key) != NO_KEY) {
		id = keep_run(m, run);
		if (a->r.caller != NO_RUN)
			a->r.caller = keep_run(m, a->r.caller);
		r = &m->t->runs[id];
		*r = a->r;
	}
	a->next = m->free;
	m->free = run;
}

/* From frame k on, the inner ones first. */
static void end_runs(struct model *m, size_t k)
{
	while (m->nr > k)
		end_run(m, m->frames[--m->nr].run);
}

/*
 * The next frame of a stack, the outer ones first, becomes the next of m->now: the one that is
 * alive at its place, if it is the same. Any that is alive and was passed over is gone, with those
 * inside it. *j goes through m->frames.
 */
static struct run *see(struct model *m, size_t *j, u64 key, u64 cfa, const struct join_seen *s)
{
	const struct alive *f = *j < m->nr ? &m->frames[*j] : NULL;

	if (f && f->cfa > cfa) {
		*j = m->nr;
		f = NULL;
	}
	vec_reserve(m->now, m->cap_now, m->nr_now + 1);
	if (f && f->cfa == cfa) {
		if (f->key == key) {
			m->runs[f->run].r.last = s->last;
			m->now[m->nr_now++] = *f;
			m->nr_same = ++*j;
			return &m->runs[f->run].r;
		}
		*j = m->nr;
	}
	m->now[m->nr_now++] = (struct alive){ .key = key, .cfa = cfa, .run = begin_run(m, key, s) };
	return &m->runs[m->now[m->nr_now - 1].run].r;
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
	m->nr_same = 0;
	/* what lies above the copy may still be there */
	if (s->last_key != JOIN_ROOT) {
		while (j < m->nr && m->frames[j].cfa > s->last_cfa)
			j++;
		vec_reserve(m->now, m->cap_now, j);
		if (j)
			memcpy(m->now, m->frames, j * sizeof(*m->now));
		m->nr_now = m->nr_same = j;
		see(m, &j, s->last_key, s->last_cfa, s);
		caller = m->now[m->nr_now - 1].run;
	}
	for (u32 i = s->nr; i--;) {
		const struct join_edge *e = &ref->notes->edges[ids[i]];

		if (!has_caller(see(m, &j, e->key, e->cfa, s), e, caller)) {
			/* called again, from another place */
			m->nr_now--;
			m->nr_same = j - 1;
			j = m->nr;
			(void)has_caller(see(m, &j, e->key, e->cfa, s), e, caller);
		}
		caller = m->now[m->nr_now - 1].run;
	}
	end_runs(m, m->nr_same);
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
	struct model m = { .t = t, .free = NO_RUN };

	for (size_t i = 0; i < nr; i++) {
		if (i && refs[i].seen->task != refs[i - 1].seen->task)
			end_runs(&m, 0);
		add_stack(&m, &refs[i]);
	}
	end_runs(&m, 0);
	free(m.frames);
	free(m.now);
	free(m.runs);
}

static int by_seq(const void *a, const void *b, void *ctx)
{
	const struct run *runs = ctx;
	u32 x = runs[*(const u32 *)a].seq, y = runs[*(const u32 *)b].seq;

	return x < y ? -1 : x > y;
}

/* Brings the runs of each key together. */
static void group_runs(struct join_table *t)
{
	u32 *numbers = xmalloc(t->nr_runs * sizeof(*numbers)), *next;
	size_t i, n;

	t->starts = xcalloc(t->nr_keys + 1, sizeof(*t->starts));
	for (i = 0; i < t->nr_runs; i++) {
		numbers[i] = find_key(t, t->runs[i].key);
		if (numbers[i] != NO_KEY)
			t->starts[numbers[i] + 1]++;
	}
	for (i = 0; i < t->nr_keys; i++)
		t->starts[i + 1] += t->starts[i];
	t->by_key = xmalloc(t->starts[t->nr_keys] * sizeof(*t->by_key));
	next = xmalloc((t->nr_keys + 1) * sizeof(*next));
	memcpy(next, t->starts, (t->nr_keys + 1) * sizeof(*next));
	for (i = 0; i < t->nr_runs; i++)
		if (numbers[i] != NO_KEY)
			t->by_key[next[numbers[i]]++] = (u32)i;
	for (i = 0; i < t->nr_keys; i++) {
		n = t->starts[i + 1] - t->starts[i];
		if (n > 1)
			qsort_r(t->by_key + t->starts[i], n, sizeof(*t->by_key), by_seq, t->runs);
	}
	free(next);
	free(numbers);
}

/* What will be asked for: the last frames of stacks that do not reach the root. */
static void number_keys(struct join_table *t, const struct join_notes *n)
{
	for (size_t i = 0; i < n->nr_seen; i++)
		if (n->seen[i].last_key != JOIN_ROOT)
			(void)key_number(t, n->seen[i].last_key);
	for (size_t i = 0; i < n->nr_asked; i++)
		(void)key_number(t, n->asked[i]);
}

struct join_table *join_table_new(struct join_notes *const *notes, size_t nr)
{
	struct join_table *t = xcalloc(1, sizeof(*t));
	struct seen_ref *refs = NULL;
	size_t nr_refs = 0, cap = 0, i;

	grow_slots(t);
	for (i = 0; i < nr; i++) {
		number_keys(t, notes[i]);
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

u32 join_find_run(const struct join_table *t, u64 task, u64 time, const struct join_frame *f)
{
	u32 key = find_key(t, join_key(task, f));
	const struct run *r = key == NO_KEY ? NULL : run_at(t, key, time);

	return r ? (u32)(r - t->runs) : JOIN_NO_RUN;
}

void join_path_of(const struct join_table *t, u32 run, size_t max, struct join_path *ret)
{
	const struct run *r = run == JOIN_NO_RUN ? NULL : &t->runs[run];

	ret->nr = 0;
	ret->at_root = false;
	for (; r && !r->at_root && r->caller != NO_RUN; r = &t->runs[r->caller]) {
		if (ret->nr == max)
			return;
		vec_push(ret->ips, ret->nr, ret->cap, r->caller_ip);
	}
	ret->at_root = r && r->at_root;
}

void join_find(const struct join_table *t, u64 task, u64 time, const struct join_frame *f,
	       size_t max, struct join_path *ret)
{
	join_path_of(t, join_find_run(t, task, time, f), max, ret);
}

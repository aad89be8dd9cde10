/* SPDX-License-Identifier: MIT */
#include "unwind/join.h"

#include "base/hash.h"
#include "base/mem.h"
#include "unwind/join_priv.h"

#define NR_PREVIOUS 64 /* tasks whose last stack is remembered */
#define FIRST_SLOTS 4096

struct noted {
	u64 ip, function, cfa, key;
	u32 edge; /* + 1 */
};

/* The last stack of a task: the next one has most of its frames. */
struct join_previous {
	u64 task;
	struct noted *frames; /* leaf first */
	size_t nr, cap;
	bool at_root;
	size_t seen; /* its entry + 1, 0: may not be extended */
};

struct join_notes *join_notes_new(void)
{
	struct join_notes *n = xcalloc(1, sizeof(*n));

	n->previous = xcalloc(NR_PREVIOUS, sizeof(*n->previous));
	return n;
}

void join_notes_free(struct join_notes *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < NR_PREVIOUS; i++)
		free(n->previous[i].frames);
	free(n->previous);
	free(n->edges);
	free(n->slots);
	free(n->seen);
	free(n->ids);
	free(n);
}

void join_notes_break(struct join_notes *n)
{
	for (size_t i = 0; i < NR_PREVIOUS; i++)
		n->previous[i].seen = 0;
}

size_t join_notes_bytes(const struct join_notes *n)
{
	return n->cap_edges * sizeof(*n->edges) + n->nr_slots * sizeof(*n->slots) +
	       n->cap_seen * sizeof(*n->seen) + n->cap_ids * sizeof(*n->ids);
}

static size_t slot_of(const struct join_notes *n, const struct join_edge *e)
{
	return hash_pair(e->key ^ e->caller_ip, e->caller) & (n->nr_slots - 1);
}

static void grow_slots(struct join_notes *n)
{
	size_t i, at;

	free(n->slots);
	n->nr_slots = n->nr_slots ? n->nr_slots * 2 : FIRST_SLOTS;
	n->slots = xcalloc(n->nr_slots, sizeof(*n->slots));
	for (i = 0; i < n->nr_edges; i++) {
		at = slot_of(n, &n->edges[i]);
		while (n->slots[at])
			at = (at + 1) & (n->nr_slots - 1);
		n->slots[at] = (u32)i + 1;
	}
}

static u32 edge_of(struct join_notes *n, u64 key, u64 caller, u64 caller_ip)
{
	const struct join_edge new = { .key = key, .caller = caller, .caller_ip = caller_ip }, *e;
	size_t at;
	u32 id;

	if (n->nr_edges >= n->nr_slots / 2)
		grow_slots(n);
	for (at = slot_of(n, &new); n->slots[at]; at = (at + 1) & (n->nr_slots - 1)) {
		id = n->slots[at] - 1;
		e = &n->edges[id];
		if (e->key == key && e->caller == caller && e->caller_ip == caller_ip)
			return id;
	}
	id = (u32)n->nr_edges;
	n->slots[at] = id + 1;
	vec_push(n->edges, n->nr_edges, n->cap_edges, new);
	return id;
}

u64 join_key(u64 task, u64 function, u64 cfa)
{
	u64 key = hash_pair(hash_pair(task, function), cfa);

	return key == JOIN_ROOT ? 1 : key;
}

static bool is_same_place(const struct noted *a, const struct noted *b)
{
	return a->ip == b->ip && a->function == b->function && a->cfa == b->cfa;
}

static struct join_previous *previous_of(struct join_notes *n, u64 task)
{
	struct join_previous *p = &n->previous[hash_u64(task) % NR_PREVIOUS];

	if (p->task != task) {
		p->task = task;
		p->nr = 0;
		p->seen = 0;
	}
	return p;
}

/* Enters the edges of s; true when all of them are those of the task's last stack. */
static bool take_edges(struct join_notes *n, struct join_previous *p, const struct join_stack *s)
{
	/* a leaf's address is where it was interrupted, which tells nothing of the next stack */
	size_t nr = s->nr - 1, nr_edges = s->at_root ? nr : nr - 1, i, j = 0, old = p->nr;
	bool same = old == nr && p->at_root == s->at_root;
	struct noted *now;

	/* the new stack is made behind the old one */
	vec_reserve(p->frames, p->cap, old + nr);
	now = p->frames + old;
	for (i = 0; i < nr; i++)
		now[i] = (struct noted){ .ip = s->ips[i + 1],
					 .function = s->functions[i + 1],
					 .cfa = s->cfas[i + 1] };
	for (i = 0; i < nr; i++) {
		while (j < old && p->frames[j].cfa < now[i].cfa)
			j++;
		if (j == old || !is_same_place(&p->frames[j], &now[i])) {
			now[i].key = join_key(s->task, now[i].function, now[i].cfa);
			same = false;
			continue;
		}
		now[i].key = p->frames[j].key;
		now[i].edge = UINT32_MAX;
		if (i + 1 < nr && j + 1 < old && is_same_place(&p->frames[j + 1], &now[i + 1]))
			now[i].edge = p->frames[j].edge;
		else if (i + 1 == nr && j + 1 == old && s->at_root && p->at_root)
			now[i].edge = p->frames[j].edge;
		same &= i == j;
	}
	for (i = 0; i < nr_edges && !same; i++) {
		bool last = i + 1 == nr;

		if (now[i].edge == UINT32_MAX || !now[i].edge)
			now[i].edge = 1 + edge_of(n, now[i].key, last ? JOIN_ROOT : now[i + 1].key,
						  last ? 0 : now[i + 1].ip);
		vec_push(n->ids, n->nr_ids, n->cap_ids, now[i].edge - 1);
	}
	if (!same && nr_edges < nr)
		now[nr - 1].edge = 0;
	if (!same)
		memmove(p->frames, now, nr * sizeof(*now));
	p->nr = nr;
	p->at_root = s->at_root;
	return same;
}

void join_note(struct join_notes *n, const struct join_stack *s)
{
	struct join_previous *p;
	size_t off = n->nr_ids;
	bool same;

	/* an edge needs two frames behind the leaf, or one at the root */
	if (s->nr < 2 || (s->nr == 2 && !s->at_root))
		return;
	p = previous_of(n, s->task);
	same = take_edges(n, p, s);
	if (same && p->seen) {
		n->seen[p->seen - 1].last = s->time;
		return;
	}
	if (same) {
		size_t nr = p->at_root ? p->nr : p->nr - 1;

		for (size_t i = 0; i < nr; i++)
			vec_push(n->ids, n->nr_ids, n->cap_ids, p->frames[i].edge - 1);
	}
	vec_push(n->seen, n->nr_seen, n->cap_seen,
		 ((struct join_seen){ .task = s->task,
				      .rank = s->rank,
				      .first = s->time,
				      .last = s->time,
				      .off = off,
				      .nr = (u32)(n->nr_ids - off) }));
	p->seen = n->nr_seen;
}

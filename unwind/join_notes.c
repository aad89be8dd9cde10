/* SPDX-License-Identifier: MIT */
#include "unwind/join.h"

#include "base/hash.h"
#include "base/mem.h"
#include "unwind/join_priv.h"

#define NR_PREVIOUS 64 /* tasks whose last stack is remembered */
#define FIRST_SLOTS 4096

struct noted {
	struct join_frame f;
	u64 ip, key;
	u32 edge; /* to its caller, + 1; 0: not known */
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

static u32 edge_of(struct join_notes *n, const struct join_edge *new)
{
	const struct join_edge *e;
	size_t at;
	u32 id;

	if (n->nr_edges >= n->nr_slots / 2)
		grow_slots(n);
	for (at = slot_of(n, new); n->slots[at]; at = (at + 1) & (n->nr_slots - 1)) {
		id = n->slots[at] - 1;
		e = &n->edges[id];
		if (e->key == new->key && e->caller == new->caller &&
		    e->caller_ip == new->caller_ip)
			return id;
	}
	id = (u32)n->nr_edges;
	n->slots[at] = id + 1;
	vec_push(n->edges, n->nr_edges, n->cap_edges, *new);
	return id;
}

u64 join_key(u64 task, const struct join_frame *f)
{
	u64 key = hash_pair(hash_pair(task, f->function), f->cfa);

	return key == JOIN_ROOT ? 1 : key;
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

/* Where a leaf was interrupted tells nothing of it; of the others ips are return addresses. */
static bool is_same(const struct noted *a, const struct noted *b, bool leaf)
{
	return a->f.function == b->f.function && a->f.cfa == b->f.cfa && (leaf || a->ip == b->ip);
}

/* The frames of s into now[], those that the task's last stack has too with their keys and edges.
 */
static bool compare(const struct join_previous *p, const struct join_stack *s, struct noted *now)
{
	bool same = p->nr == s->nr && p->at_root == s->at_root;
	size_t i, j = 0;

	for (i = 0; i < s->nr; i++)
		now[i] = (struct noted){ .ip = s->ips[i], .f = join_frame_of(s, i) };
	for (i = 0; i < s->nr; i++) {
		while (j < p->nr && p->frames[j].f.cfa < now[i].f.cfa)
			j++;
		if (j == p->nr || !is_same(&p->frames[j], &now[i], !i)) {
			now[i].key = join_key(s->task, &now[i].f);
			same = false;
			continue;
		}
		now[i].key = p->frames[j].key;
		same &= i == j;
		if (i + 1 < s->nr ? j + 1 < p->nr && is_same(&p->frames[j + 1], &now[i + 1], false)
				  : j + 1 == p->nr && s->at_root && p->at_root)
			now[i].edge = p->frames[j].edge;
	}
	return same;
}

/* Enters the edges of s; true when it has the frames of the task's last stack, and no others. */
static bool take_edges(struct join_notes *n, struct join_previous *p, const struct join_stack *s)
{
	size_t nr_edges = s->at_root ? s->nr : s->nr - 1, old = p->nr, i;
	struct noted *now;

	/* the new stack is made behind the old one */
	vec_reserve(p->frames, p->cap, old + s->nr);
	now = p->frames + old;
	if (compare(p, s, now))
		return true;
	for (i = 0; i < nr_edges; i++) {
		bool last = i + 1 == s->nr;

		if (now[i].edge)
			continue;
		now[i].edge =
			1 +
			edge_of(n, &(struct join_edge){ .key = now[i].key,
							.cfa = now[i].f.cfa,
							.caller = last ? JOIN_ROOT : now[i + 1].key,
							.caller_ip = last ? 0 : now[i + 1].ip });
	}
	memmove(p->frames, now, s->nr * sizeof(*now));
	p->nr = s->nr;
	p->at_root = s->at_root;
	return false;
}

/* True when each caller lies above its callee: a signal handler's own stack may lie anywhere. */
static bool goes_up(const struct join_stack *s)
{
	for (size_t i = 1; i < s->nr; i++)
		if (join_frame_of(s, i).cfa <= join_frame_of(s, i - 1).cfa)
			return false;
	return true;
}

void join_note(struct join_notes *n, const struct join_stack *s)
{
	struct join_previous *p;
	size_t off = n->nr_ids, nr_edges;
	const struct noted *last;

	if (!s->nr || !goes_up(s))
		return;
	p = previous_of(n, s->task);
	if (take_edges(n, p, s) && p->seen) {
		n->seen[p->seen - 1].last = s->time;
		return;
	}
	nr_edges = p->at_root ? p->nr : p->nr - 1;
	vec_reserve(n->ids, n->cap_ids, off + nr_edges);
	for (size_t i = 0; i < nr_edges; i++)
		n->ids[n->nr_ids++] = p->frames[i].edge - 1;
	last = &p->frames[p->nr - 1];
	vec_push(n->seen, n->nr_seen, n->cap_seen,
		 ((struct join_seen){ .task = s->task,
				      .rank = s->rank,
				      .first = s->time,
				      .last = s->time,
				      .last_key = p->at_root ? JOIN_ROOT : last->key,
				      .last_cfa = last->f.cfa,
				      .off = off,
				      .nr = (u32)nr_edges }));
	p->seen = n->nr_seen;
}

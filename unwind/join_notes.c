/* SPDX-License-Identifier: MIT */
#include "unwind/join.h"

#include "base/hash.h"
#include "base/mem.h"
#include "unwind/join_priv.h"

#define NR_PREVIOUS 64 /* tasks whose last stack is remembered */
#define FIRST_SLOTS 4096

/* A frame of a task's last stack. */
struct noted {
	u64 cfa, ip, function, key;
	u32 edge; /* to its caller, + 1; 0: not known */
};

/* The last stack of a task: the next one has most of its frames. */
struct join_previous {
	u64 task;
	u64 space;
	struct noted *frames; /* outermost first: each cfa is below the one before */
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
	free(n->asked);
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
	       n->cap_seen * sizeof(*n->seen) + n->cap_ids * sizeof(*n->ids) +
	       n->cap_asked * sizeof(*n->asked);
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

/* There is room for it, and at is its slot. */
static u32 edge_of(struct join_notes *n, const struct join_edge *new, size_t at)
{
	const struct join_edge *e;
	u32 id;

	for (; n->slots[at]; at = (at + 1) & (n->nr_slots - 1)) {
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

/* Frame i of s, the leaf is 0. */
static u64 cfa_of(const struct join_stack *s, size_t i)
{
	if (i + 1 < s->nr)
		return s->sps[i + 1];
	return s->at_root ? UINT64_MAX : s->last_cfa;
}

static u64 function_of(const struct join_stack *s, size_t i)
{
	return s->functions ? s->functions[i] : s->function_of(s->ctx, s->ips[i]);
}

/*
 * Whether frame i of s is f. Where a leaf was interrupted tells nothing of it; of the others ips
 * are return addresses. In one space an ip is of one function, which then need not be asked for.
 */
static bool is_same(const struct noted *f, const struct join_stack *s, size_t i, bool same_space)
{
	if (f->cfa != cfa_of(s, i))
		return false;
	if (f->ip == s->ips[i])
		return same_space || f->function == function_of(s, i);
	return !i && f->function == function_of(s, i);
}

/*
 * The frames that s shares with the task's last stack lie side by side in both: from which one on
 * there and here, counted from the outermost, and how many.
 */
struct shared {
	size_t there, here, nr;
};

static struct shared find_shared(const struct join_previous *p, const struct join_stack *s)
{
	const bool same_space = !s->functions && p->space == s->space;
	struct shared c = { 0 };

	while (c.there < p->nr && c.here < s->nr) {
		u64 cfa = cfa_of(s, s->nr - 1 - c.here);

		if (p->frames[c.there].cfa == cfa)
			break;
		if (p->frames[c.there].cfa > cfa)
			c.there++;
		else
			c.here++;
	}
	while (c.there + c.nr < p->nr && c.here + c.nr < s->nr &&
	       is_same(&p->frames[c.there + c.nr], s, s->nr - 1 - c.here - c.nr, same_space))
		c.nr++;
	return c;
}

static void note_frame(struct noted *f, const struct join_stack *s, size_t i)
{
	*f = (struct noted){ .cfa = cfa_of(s, i), .ip = s->ips[i], .function = function_of(s, i) };
	f->key = join_key(s->task, &(struct join_frame){ f->function, f->cfa });
}

/* The last stack becomes s, with the keys and edges of what both have. */
static void replace(struct join_previous *p, const struct join_stack *s, const struct shared *c)
{
	size_t k;

	vec_reserve(p->frames, p->cap, (p->nr > s->nr ? p->nr : s->nr));
	if (c->here != c->there && c->nr)
		memmove(p->frames + c->here, p->frames + c->there, c->nr * sizeof(*p->frames));
	for (k = 0; k < c->here; k++)
		note_frame(&p->frames[k], s, s->nr - 1 - k);
	/* the outermost of them is called by another frame now, if it was called at all */
	if (c->nr && (c->here || c->there))
		p->frames[c->here].edge = 0;
	for (k = c->here + c->nr; k < s->nr; k++)
		note_frame(&p->frames[k], s, s->nr - 1 - k);
	p->frames[s->nr - 1].ip = s->ips[0];
	p->nr = s->nr;
	p->space = s->space;
	p->at_root = s->at_root;
}

/* Frames whose edges are fetched from memory at once. */
#define AT_ONCE 32

/* From frame k on; returns where to go on. */
static size_t add_some_edges(struct join_notes *n, struct join_previous *p, size_t k)
{
	struct join_edge edges[AT_ONCE];
	struct noted *frames[AT_ONCE];
	size_t at[AT_ONCE], nr = 0, i;

	while (n->nr_edges + AT_ONCE >= n->nr_slots / 2)
		grow_slots(n);
	for (; k < p->nr && nr < AT_ONCE; k++) {
		struct noted *f = &p->frames[k];

		if (f->edge)
			continue;
		frames[nr] = f;
		edges[nr] = (struct join_edge){ .key = f->key,
						.cfa = f->cfa,
						.caller = k ? f[-1].key : JOIN_ROOT,
						.caller_ip = k ? f[-1].ip : 0 };
		at[nr] = slot_of(n, &edges[nr]);
		__builtin_prefetch(&n->slots[at[nr++]], 1);
	}
	for (i = 0; i < nr; i++)
		if (n->slots[at[i]])
			__builtin_prefetch(&n->edges[n->slots[at[i]] - 1]);
	for (i = 0; i < nr; i++)
		frames[i]->edge = 1 + edge_of(n, &edges[i], at[i]);
	return k;
}

static void add_edges(struct join_notes *n, struct join_previous *p)
{
	size_t k = p->at_root ? 0 : 1;

	while (k < p->nr)
		k = add_some_edges(n, p, k);
}

/* True when each caller lies above its callee: a signal handler's own stack may lie anywhere. */
static bool goes_up(const struct join_stack *s)
{
	for (size_t i = 2; i < s->nr; i++)
		if (s->sps[i] <= s->sps[i - 1])
			return false;
	return s->nr == 1 || cfa_of(s, s->nr - 1) > s->sps[s->nr - 1];
}

static void note_asked(struct join_notes *n, const struct join_stack *s)
{
	struct join_frame last = join_frame_of(s, s->nr - 1);

	vec_push(n->asked, n->nr_asked, n->cap_asked, join_key(s->task, &last));
}

void join_note(struct join_notes *n, const struct join_stack *s)
{
	struct join_previous *p;
	size_t off = n->nr_ids, k;
	const struct noted *last;
	struct shared c;

	if (!s->nr)
		return;
	if (!goes_up(s)) {
		if (!s->at_root && s->last_cfa)
			note_asked(n, s);
		return;
	}
	p = previous_of(n, s->task);
	c = find_shared(p, s);
	if (c.nr == s->nr && c.nr == p->nr && p->at_root == s->at_root) {
		if (p->seen) {
			n->seen[p->seen - 1].last = s->time;
			return;
		}
	} else {
		replace(p, s, &c);
		add_edges(n, p);
	}
	vec_reserve(n->ids, n->cap_ids, off + p->nr);
	for (k = p->nr; k-- > (p->at_root ? 0 : 1);)
		n->ids[n->nr_ids++] = p->frames[k].edge - 1;
	last = &p->frames[0];
	vec_push(n->seen, n->nr_seen, n->cap_seen,
		 ((struct join_seen){ .task = s->task,
				      .rank = s->rank,
				      .first = s->time,
				      .last = s->time,
				      .last_key = p->at_root ? JOIN_ROOT : last->key,
				      .last_cfa = last->cfa,
				      .off = off,
				      .nr = (u32)(n->nr_ids - off) }));
	p->seen = n->nr_seen;
}

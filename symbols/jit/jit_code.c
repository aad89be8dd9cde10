/* SPDX-License-Identifier: MIT */
#include "symbols/jit/jit_code.h"

#include <stdlib.h>

#include "base/mem.h"

/*
 * A reuse is a function put where another one was before. 2^BLOCK_BITS reuses make a block, as many
 * blocks make a block of the next level, and so on.
 */
#define BLOCK_BITS 4
#define MAX_LEVELS 8 /* 16^8 reuses are more than fit into 32 bits */

struct func_ref {
	const struct jitdump_func *func;
	const struct jitdump *dump;
	u32 number; /* index in the order of the dumps and of the functions in them */
};

/* A range of addresses at which the function jit_code.order[ref] is visible. */
struct piece {
	u64 start, end;
	u32 ref;
};

/* Pieces ascending by address, which do not overlap. */
struct layer {
	struct piece *pieces;
	size_t nr, cap;
};

struct jit_code {
	struct func_ref *order; /* all functions, by time */
	size_t nr;
	struct layer base; /* functions put where no other was before; if there are no times, all
			    * functions */
	u32 *reused;       /* the other functions, as indexes in order */
	struct jit_reuse *reuses; /* the same functions with range and time */
	size_t nr_reuses;
	/*
	 * blocks[k][i], k > 0: what is visible of reuses [i << k * BLOCK_BITS, (i + 1) << k *
	 * BLOCK_BITS) once all of them were made
	 */
	struct layer *blocks[MAX_LEVELS];
	size_t nr_blocks[MAX_LEVELS];
	bool ambiguous;
};

/* A heap of the functions that contain the current address. The visible one is at the top. */
struct heap {
	u32 *refs;
	size_t nr;
	bool last_wins;
};

static bool is_above(const struct heap *h, size_t a, size_t b)
{
	return h->last_wins ? h->refs[a] > h->refs[b] : h->refs[a] < h->refs[b];
}

static void swap_refs(struct heap *h, size_t a, size_t b)
{
	u32 t = h->refs[a];

	h->refs[a] = h->refs[b];
	h->refs[b] = t;
}

static void heap_push(struct heap *h, u32 ref)
{
	size_t i = h->nr++;

	h->refs[i] = ref;
	for (; i && is_above(h, i, (i - 1) / 2); i = (i - 1) / 2)
		swap_refs(h, i, (i - 1) / 2);
}

static void heap_pop(struct heap *h)
{
	size_t i = 0, child;

	h->refs[0] = h->refs[--h->nr];
	while ((child = 2 * i + 1) < h->nr) {
		if (child + 1 < h->nr && is_above(h, child + 1, child))
			child++;
		if (!is_above(h, child, i))
			break;
		swap_refs(h, i, child);
		i = child;
	}
}

static u64 end_of(const struct jitdump_func *f)
{
	return f->start + f->size;
}

struct start {
	u64 start;
	u32 ref;
};

static int by_start(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->ref < y->ref ? -1 : x->ref > y->ref;
}

static void add_piece(struct layer *l, u64 start, u64 end, u32 ref)
{
	struct piece *last = l->nr ? &l->pieces[l->nr - 1] : NULL;

	if (last && last->ref == ref && last->end == start)
		last->end = end;
	else
		vec_push(l->pieces, l->nr, l->cap, ((struct piece){ start, end, ref }));
}

/*
 * Computes which of nr functions is visible at each address: the last or the first one in c->order.
 * refs: their indexes in c->order. The result has at most 2 * nr pieces.
 */
static struct layer lay(const struct jit_code *c, const u32 *refs, size_t nr, bool last_wins)
{
	struct heap h = { .last_wins = last_wins, .refs = xcalloc(nr, sizeof(*h.refs)) };
	struct start *starts = xcalloc(nr, sizeof(*starts));
	struct layer l = { 0 };
	size_t i;
	u64 at = 0, to;

	for (i = 0; i < nr; i++)
		starts[i] = (struct start){ c->order[refs[i]].func->start, refs[i] };
	if (nr)
		qsort(starts, nr, sizeof(*starts), by_start);
	for (i = 0; i < nr || h.nr;) {
		while (h.nr && end_of(c->order[h.refs[0]].func) <= at)
			heap_pop(&h);
		if (!h.nr) {
			if (i == nr)
				break;
			at = starts[i].start;
		}
		for (; i < nr && starts[i].start <= at; i++)
			heap_push(&h, starts[i].ref);
		to = end_of(c->order[h.refs[0]].func);
		if (i < nr && starts[i].start < to)
			to = starts[i].start;
		add_piece(&l, at, to, h.refs[0]);
		at = to;
	}
	free(starts);
	free(h.refs);
	return l;
}

static const struct piece *find_piece(const struct layer *l, u64 ip)
{
	size_t lo = 0, hi = l->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (l->pieces[mid].end <= ip)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < l->nr && l->pieces[lo].start <= ip ? &l->pieces[lo] : NULL;
}

static int by_time(const void *a, const void *b)
{
	const struct func_ref *x = a, *y = b;

	if (x->func->time != y->func->time)
		return x->func->time < y->func->time ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void gather(struct jit_code *c, struct jitdump *const *dumps, size_t nr, bool timed)
{
	bool sorted = true;
	size_t n = 0;

	for (size_t i = 0; i < nr; i++)
		n += dumps[i]->nr;
	if (n >= UINT32_MAX)
		n = UINT32_MAX - 1;
	c->order = xcalloc(n, sizeof(*c->order));
	for (size_t i = 0; i < nr; i++) {
		for (size_t k = 0; k < dumps[i]->nr && c->nr < n; k++) {
			c->order[c->nr] =
				(struct func_ref){ &dumps[i]->funcs[k], dumps[i], (u32)c->nr };
			if (c->nr && c->order[c->nr].func->time < c->order[c->nr - 1].func->time)
				sorted = false;
			c->nr++;
		}
	}
	if (timed && !sorted)
		qsort(c->order, c->nr, sizeof(*c->order), by_time);
}

static void add_reuse(struct jit_code *c, u32 ref)
{
	const struct jitdump_func *f = c->order[ref].func;

	c->reused[c->nr_reuses] = ref;
	c->reuses[c->nr_reuses++] =
		(struct jit_reuse){ .start = f->start, .end = end_of(f), .time = f->time };
}

/*
 * Divides all functions into the base and the reuses. If the first function at an address hides
 * later ones, the functions that stay visible as a whole were put where none was before: they are
 * the base. At their time, they hide no other function.
 */
static void split(struct jit_code *c, const u32 *all)
{
	struct layer first = lay(c, all, c->nr, false);
	bool *is_base = xcalloc(c->nr, sizeof(*is_base));
	size_t i;

	for (i = 0; i < first.nr; i++) {
		const struct piece *p = &first.pieces[i];
		const struct jitdump_func *f = c->order[p->ref].func;

		if (p->start != f->start || p->end != end_of(f))
			continue;
		is_base[p->ref] = true;
		vec_push(c->base.pieces, c->base.nr, c->base.cap, *p);
	}
	c->reused = xcalloc(c->nr - c->base.nr, sizeof(*c->reused));
	c->reuses = xcalloc(c->nr - c->base.nr, sizeof(*c->reuses));
	for (i = 0; i < c->nr; i++)
		if (!is_base[i])
			add_reuse(c, (u32)i);
	free(first.pieces);
	free(is_base);
}

static void make_blocks(struct jit_code *c)
{
	for (unsigned int k = 1; k < MAX_LEVELS; k++) {
		size_t size = (size_t)1 << k * BLOCK_BITS, nr = c->nr_reuses / size;

		if (!nr)
			return;
		c->blocks[k] = xcalloc(nr, sizeof(*c->blocks[k]));
		c->nr_blocks[k] = nr;
		for (size_t i = 0; i < nr; i++)
			c->blocks[k][i] = lay(c, c->reused + i * size, size, true);
	}
}

struct jit_code *jit_code_new(struct jitdump *const *dumps, size_t nr, bool timed)
{
	struct jit_code *c = xcalloc(1, sizeof(*c));
	u32 *all;

	gather(c, dumps, nr, timed);
	all = xcalloc(c->nr, sizeof(*all));
	for (size_t i = 0; i < c->nr; i++)
		all[i] = (u32)i;
	split(c, all);
	c->ambiguous = !timed && c->nr_reuses;
	if (timed) {
		make_blocks(c);
	} else {
		free(c->base.pieces);
		c->base = lay(c, all, c->nr, true);
		c->nr_reuses = 0;
	}
	free(all);
	return c;
}

void jit_code_free(struct jit_code *c)
{
	if (!c)
		return;
	for (unsigned int k = 0; k < MAX_LEVELS; k++) {
		for (size_t i = 0; i < c->nr_blocks[k]; i++)
			free(c->blocks[k][i].pieces);
		free(c->blocks[k]);
	}
	free(c->base.pieces);
	free(c->reused);
	free(c->reuses);
	free(c->order);
	free(c);
}

size_t jit_code_reuses(const struct jit_code *c, const struct jit_reuse **ret)
{
	*ret = c->reuses;
	return c->nr_reuses;
}

bool jit_code_is_ambiguous(const struct jit_code *c)
{
	return c->ambiguous;
}

/*
 * Finds the newest of the first n reuses that contains ip, going backwards by the largest possible
 * blocks. Returns its index in c->order, UINT32_MAX if there is none.
 */
static u32 find_reuse(const struct jit_code *c, u64 ip, size_t n)
{
	const struct jitdump_func *f;
	const struct piece *p;
	unsigned int k;

	while (n) {
		for (k = 0; k + 1 < MAX_LEVELS && c->nr_blocks[k + 1] &&
			    !(n & (((size_t)1 << (k + 1) * BLOCK_BITS) - 1));)
			k++;
		if (!k) {
			f = c->order[c->reused[--n]].func;
			if (ip - f->start < f->size)
				return c->reused[n];
			continue;
		}
		n -= (size_t)1 << k * BLOCK_BITS;
		p = find_piece(&c->blocks[k][n >> k * BLOCK_BITS], ip);
		if (p)
			return p->ref;
	}
	return UINT32_MAX;
}

const struct jitdump_func *jit_code_find(const struct jit_code *c, u64 ip, u64 moment,
					 const struct jitdump **ret_dump)
{
	u32 ref = find_reuse(c, ip, moment < c->nr_reuses ? (size_t)moment : c->nr_reuses);
	const struct piece *p;

	if (ref == UINT32_MAX) {
		p = find_piece(&c->base, ip);
		if (!p)
			return NULL;
		ref = p->ref;
	}
	*ret_dump = c->order[ref].dump;
	return c->order[ref].func;
}

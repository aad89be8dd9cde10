/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/range_sweep.h"

#include "base/mem.h"

/* More calls inlined into each other at one address occur in damaged files only. */
#define MAX_ACTIVE 256

struct sweep {
	const struct sweep_range *active[MAX_ACTIVE]; /* ascending by id */
	size_t nr_active;
	struct stretch *stretches;
	size_t nr, cap;
};

static int by_start(const void *a, const void *b)
{
	const struct sweep_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

static void activate(struct sweep *w, const struct sweep_range *r)
{
	size_t at = w->nr_active;

	if (r->start >= r->end || w->nr_active == MAX_ACTIVE)
		return;
	for (; at && w->active[at - 1]->id > r->id; at--)
		w->active[at] = w->active[at - 1];
	w->active[at] = r;
	w->nr_active++;
}

/* Removes the ranges that end at or before addr. Returns the next end of the others. */
static u64 retire(struct sweep *w, u64 addr)
{
	u64 next = UINT64_MAX;
	size_t i, nr = 0;

	for (i = 0; i < w->nr_active; i++) {
		if (w->active[i]->end <= addr)
			continue;
		if (w->active[i]->end < next)
			next = w->active[i]->end;
		w->active[nr++] = w->active[i];
	}
	w->nr_active = nr;
	return next;
}

static void add_stretch(struct sweep *w, u64 start, sweep_value value_of, void *ctx)
{
	u32 ids[MAX_ACTIVE], value;
	size_t i, nr = 0;

	for (i = 0; i < w->nr_active; i++)
		if (!nr || ids[nr - 1] != w->active[i]->id)
			ids[nr++] = w->active[i]->id;
	value = value_of(ctx, ids, nr);
	if (!w->nr || w->stretches[w->nr - 1].value != value)
		vec_push(w->stretches, w->nr, w->cap,
			 ((struct stretch){ .start = start, .value = value }));
}

size_t sweep_ranges(struct sweep_range *ranges, size_t nr, sweep_value value_of, void *ctx,
		    struct stretch **ret)
{
	struct sweep w = { .nr = 0 };
	size_t i = 0;
	u64 at, next;

	if (nr)
		qsort(ranges, nr, sizeof(*ranges), by_start);
	while (i < nr || w.nr_active) {
		/* the next address where a range begins or ends */
		at = i < nr ? ranges[i].start : UINT64_MAX;
		next = retire(&w, 0);
		if (next < at)
			at = next;
		retire(&w, at);
		for (; i < nr && ranges[i].start <= at; i++)
			activate(&w, &ranges[i]);
		add_stretch(&w, at, value_of, ctx);
	}
	*ret = w.stretches;
	return w.nr;
}

u32 stretch_at(const struct stretch *s, size_t nr, u64 addr, u32 none)
{
	size_t lo = 0, hi = nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (s[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? s[lo - 1].value : none;
}

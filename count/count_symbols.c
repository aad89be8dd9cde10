/* SPDX-License-Identifier: MIT */
/*
 * Names of counted frames: each distinct address of an object looked up once, in the order of
 * addresses, objects side by side.
 */
#include "base/mem.h"
#include "base/parallel.h"
#include "count/counts_priv.h"
#include "base/rank_order.h"
#include "session/frames.h"

#define AHEAD 12 /* frames fetched before they are looked at */

/* The frames of one object, by the address in it. */
struct group {
	struct dso *dso;
	struct ranked *frames;
	size_t nr, cap;
	struct sym_hit *syms; /* of the frames that have one, an address each */
};

struct lookup {
	struct frame *frames;
	struct group *groups;
	size_t nr, cap;
};

/* How many frames are looked up: others are at the address of the one before. */
static size_t nr_looked_up(const struct lookup *l, const struct group *g)
{
	size_t nr = 0;

	for (size_t k = 0; k < g->nr; k++)
		nr += !k || g->frames[k - 1].rank != g->frames[k].rank ||
		      l->frames[g->frames[k].index].map->timed;
	return nr;
}

static void look_up(void *ctx, size_t i)
{
	struct lookup *l = ctx;
	struct group *g = &l->groups[i];
	const struct frame *last = NULL;
	struct sym_hit *sym;

	rank_order(g->frames, g->nr);
	sym = g->syms = xmalloc(nr_looked_up(l, g) * sizeof(*sym));
	for (size_t k = 0; k < g->nr; k++) {
		struct frame *fr = &l->frames[g->frames[k].index];

		if (k + AHEAD < g->nr)
			__builtin_prefetch(&l->frames[g->frames[k + AHEAD].index], 1);
		fr->looked_up = true;
		if (last && g->frames[k - 1].rank == g->frames[k].rank && !fr->map->timed) {
			fr->has_sym = last->has_sym;
			fr->sym = last->sym;
			continue;
		}
		fr->has_sym = dso_find(fr->map->dso, fr->ip, fr->map->start, fr->map->pgoff, sym);
		if (fr->has_sym)
			fr->sym = sym++;
		last = fr;
	}
}

static struct group *group_of(struct lookup *l, struct idmap *by_dso, struct dso *d)
{
	u32 i = idmap_get(by_dso, (u64)(uintptr_t)d, 0);

	if (i == IDMAP_NONE) {
		i = (u32)l->nr;
		idmap_put(by_dso, (u64)(uintptr_t)d, 0, i);
		vec_push(l->groups, l->nr, l->cap, ((struct group){ .dso = d }));
	}
	return &l->groups[i];
}

/* Largest first: what is begun last should not be what takes longest. */
static int by_size(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return x->nr > y->nr ? -1 : x->nr < y->nr;
}

/*
 * The address by which frames of one object are the same place. Objects whose symbols may be kept
 * by ip go by the ip: their pgoff says nothing.
 */
static u64 address_in(const struct frame *fr)
{
	return fr->map->kernel ? fr->ip : map_ip_to_addr(fr->map, fr->ip);
}

void counts_resolve(struct counts *c)
{
	struct lookup l = { .frames = c->priv->frames };
	struct idmap by_dso = { 0 };
	struct group *g = NULL;
	size_t i;

	for (i = 0; i < c->priv->nr_frames; i++) {
		const struct frame *fr = &l.frames[i];

		if (fr->looked_up || !fr->map)
			continue;
		if (!g || g->dso != fr->map->dso)
			g = group_of(&l, &by_dso, fr->map->dso);
		vec_push(g->frames, g->nr, g->cap,
			 ((struct ranked){ .rank = address_in(fr), .index = (u32)i }));
	}
	if (l.nr)
		qsort(l.groups, l.nr, sizeof(*l.groups), by_size);
	parallel_run(c->priv->nr_threads, l.nr, look_up, &l);
	for (i = 0; i < l.nr; i++) {
		free(l.groups[i].frames);
		vec_push(c->priv->syms, c->priv->nr_syms, c->priv->cap_syms, l.groups[i].syms);
	}
	free(l.groups);
	idmap_fini(&by_dso);
}

/* A frame of each object. */
struct count_loading {
	struct parallel_task task;
	struct frame *frames;
	size_t nr, cap;
};

static void load_objects(void *ctx)
{
	struct count_loading *l = ctx;
	struct sym_hit hit;

	for (size_t i = 0; i < l->nr; i++) {
		const struct frame *fr = &l->frames[i];

		(void)dso_find(fr->map->dso, fr->ip, fr->map->start, fr->map->pgoff, &hit);
	}
}

struct count_loading *count_loading_start(const struct counter *counters, unsigned int nr)
{
	struct count_loading *l = xcalloc(1, sizeof(*l));
	const struct map *last = NULL;
	struct idmap known = { 0 };

	for (unsigned int k = 0; k < nr; k++) {
		const struct count_frames *f = &counters[k].frames;

		for (size_t i = 0; i < f->nr; i++) {
			const struct map *map = f->items[i].map;
			u64 dso;

			if (!map || map == last)
				continue;
			last = map;
			dso = (u64)(uintptr_t)map->dso;
			if (idmap_get(&known, dso, 0) != IDMAP_NONE)
				continue;
			idmap_put(&known, dso, 0, 0);
			vec_push(l->frames, l->nr, l->cap,
				 ((struct frame){ .ip = f->items[i].ip, .map = map }));
		}
	}
	idmap_fini(&known);
	parallel_task_start(&l->task, nr, load_objects, l);
	return l;
}

void count_loading_join(struct count_loading *l)
{
	if (!l)
		return;
	parallel_task_join(&l->task);
	free(l->frames);
	free(l);
}

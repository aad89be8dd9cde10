/* SPDX-License-Identifier: MIT */
#include "count/late_kernel.h"

#include "base/mem.h"

void late_kernel_init(struct late_kernel *k, struct session *s)
{
	*k = (struct late_kernel){ .session = s };
}

static void *load(void *arg)
{
	struct late_kernel *k = arg;
	struct sym_hit hit;

	(void)dso_find(k->loading->dso, k->loading->start, k->loading->start, k->loading->pgoff,
		       &hit);
	return NULL;
}

static void end_thread(struct late_kernel *k)
{
	if (k->has_thread)
		pthread_join(k->thread, NULL);
	k->has_thread = false;
}

void late_kernel_note_new(struct late_kernel *k, struct mapset *kernel_maps, u8 cpumode)
{
	if (!k->nr || k->sets[k->nr - 1] != kernel_maps)
		vec_push(k->sets, k->nr, k->cap, mapset_get(kernel_maps));
	if (cpumode != PD_CPUMODE_KERNEL || k->loading || !k->session->machine->kernel_map)
		return;
	k->loading = k->session->machine->kernel_map;
	k->has_thread = !pthread_create(&k->thread, NULL, load, k);
}

bool late_kernel_is_mixed(const struct late_kernel *k, const struct counter *counters,
			  unsigned int nr)
{
	u32 seen = 0;

	for (unsigned int i = 0; i < nr && k->nr > 1; i++) {
		const struct count_frames *f = &counters[i].frames;

		for (size_t j = 0; j < f->nr; j++) {
			if (!f->items[j].late_set)
				continue;
			if (seen && f->items[j].late_set != seen)
				return true;
			seen = f->items[j].late_set;
		}
	}
	return false;
}

static bool is_kernel(const struct map *m)
{
	return m && dso_get_desc(m->dso)->kind == DSO_KERNEL;
}

static const struct mapset *set_of(const struct late_kernel *k, u32 id)
{
	size_t lo = 0, hi = k->nr, mid;

	/* newer sets have higher ids */
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (k->sets[mid]->id <= id)
			lo = mid;
		else
			hi = mid;
	}
	return k->sets[lo];
}

/* True when a frame waits for the kernel proper, not only for modules. */
static bool needs_symbols(const struct late_kernel *k, const struct counter *c)
{
	for (size_t i = 0; i < c->frames.nr; i++) {
		const struct count_frame *fr = &c->frames.items[i];

		if (fr->late_set && is_kernel(mapset_find(set_of(k, fr->late_set), fr->ip)))
			return true;
	}
	return false;
}

/* Puts the settled sets in place of those that were used; their ids stay the frames' keys. */
static void settle_sets(struct late_kernel *k, u32 *ids)
{
	end_thread(k);
	for (size_t i = 0; i < k->nr; i++) {
		struct mapset *set = machine_settled_maps(k->session->machine, k->sets[i]);

		if (!set)
			continue;
		mapset_put(k->sets[i]);
		k->sets[i] = set;
		set->id = ids[i];
	}
	machine_settle_kernel_now(k->session->machine);
}

void late_kernel_settle(struct late_kernel *k, struct counter *counters, unsigned int nr)
{
	u32 *ids = xmalloc(k->nr * sizeof(*ids));
	bool settle = false;
	unsigned int i;

	for (size_t j = 0; j < k->nr; j++)
		ids[j] = k->sets[j]->id;
	for (i = 0; i < nr && k->nr && !settle; i++)
		settle = needs_symbols(k, &counters[i]);
	if (settle)
		settle_sets(k, ids);
	free(ids);
	for (i = 0; i < nr && k->nr; i++) {
		struct count_frames *f = &counters[i].frames;

		for (size_t j = 0; j < f->nr; j++) {
			struct count_frame *fr = &f->items[j];

			if (!fr->late_set)
				continue;
			fr->map = mapset_find(set_of(k, fr->late_set), fr->ip);
			count_frame_known(fr);
		}
	}
}

void late_kernel_fini(struct late_kernel *k)
{
	end_thread(k);
	for (size_t i = 0; i < k->nr; i++)
		mapset_put(k->sets[i]);
	free(k->sets);
	*k = (struct late_kernel){ 0 };
}

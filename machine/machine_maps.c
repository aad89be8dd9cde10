/* SPDX-License-Identifier: MIT */
#include "machine/machine_maps.h"

#include <stdio.h>

#include "base/mem.h"
#include "machine/objects.h"
#include "machine/recorded_at.h"

static struct map *copy_map(struct map_maker *mm, const struct map *m)
{
	struct machine *mc = (struct machine *)((char *)mm - offsetof(struct machine, maker));
	struct map *n = arena_alloc(&mc->arena, sizeof(*n));

	*n = *m;
	n->id = mc->next_map_id++;
	return n;
}

void machine_maps_init(struct machine *mc)
{
	mc->maker.copy = copy_map;
	mc->maker.lists_sets = mc->cfg.forgets_maps;
	mc->maker.next_set_id = 1;
	mc->next_map_id = 1;
}

struct map *machine_new_map(struct machine *mc, u64 start, u64 end, u64 pgoff, struct dso *dso,
			    const char *dso_name)
{
	struct map m = {
		.start = start, .end = end, .pgoff = pgoff, .dso = dso, .dso_name = dso_name
	};

	return copy_map(&mc->maker, &m);
}

#define FORGET_BYTES ((size_t)1 << 20)

/* Maps that are still needed, on their way into a new arena. */
struct map_keeper {
	struct machine *mc;
	struct idmap seen; /* (address of a map, 0) or (address of a set, 1) -> index of the map */
	const struct map **kept;
	size_t nr, cap;
};

static const struct map *keep_map(struct map_keeper *k, const struct map *m)
{
	u32 i = idmap_get(&k->seen, (uintptr_t)m, 0);

	if (i != IDMAP_NONE)
		return k->kept[i];
	idmap_put(&k->seen, (uintptr_t)m, 0, (u32)k->nr);
	vec_push(k->kept, k->nr, k->cap, copy_map(&k->mc->maker, m));
	return k->kept[k->nr - 1];
}

static void keep_set(struct map_keeper *k, struct mapset *s)
{
	if (idmap_get(&k->seen, (uintptr_t)s, 1) != IDMAP_NONE)
		return;
	idmap_put(&k->seen, (uintptr_t)s, 1, 0);
	for (size_t i = 0; i < s->nr; i++)
		s->maps[i] = keep_map(k, s->maps[i]);
}

/* Objects that no map is left of. */
static bool forget_modules(struct map_keeper *k)
{
	struct idmap mapped = { 0 };
	bool any;

	for (size_t i = 0; i < k->nr; i++)
		idmap_put(&mapped, dso_get_number(k->kept[i]->dso), 0, 1);
	any = machine_modules_forget(k->mc->modules, &mapped);
	idmap_fini(&mapped);
	return any;
}

/* True if there may be so many maps that nobody needs that it is worth looking for them. */
static bool has_many_maps(const struct machine *mc)
{
	return mc->arena.total >= mc->forget_at + FORGET_BYTES;
}

/* Ends what was begun with an empty arena in mc: frees the arena before it. */
static void end_keeping(struct map_keeper *k, struct arena *old)
{
	arena_fini(old);
	k->mc->forget_at = 2 * k->mc->arena.total;
	idmap_fini(&k->seen);
	free(k->kept);
}

bool machine_forget(struct machine *mc)
{
	struct map_keeper k = { .mc = mc };
	struct arena old = mc->arena;
	bool any;

	if (!has_many_maps(mc) && !machine_modules_are_many(mc->modules))
		return false;
	mc->arena = (struct arena){ 0 };
	for (size_t i = 0; i < mc->threads.nr; i++)
		if (mc->threads.slots[i])
			keep_set(&k, mc->threads.slots[i]->process->maps);
	any = forget_modules(&k);
	end_keeping(&k, &old);
	return any;
}

void machine_forget_maps(struct machine *mc)
{
	struct map_keeper k = { .mc = mc };
	struct arena old = mc->arena;

	if (!mc->maker.lists_sets)
		return;
	threads_forget(&mc->threads);
	if (!has_many_maps(mc))
		return;
	mc->arena = (struct arena){ 0 };
	for (struct mapset *s = mc->maker.sets; s; s = s->next)
		keep_set(&k, s);
	if (mc->kernel_map)
		mc->kernel_map = keep_map(&k, mc->kernel_map);
	if (mc->waits)
		mc->waits = keep_map(&k, mc->waits);
	end_keeping(&k, &old);
	mc->nr_forgotten++;
}

struct dso *machine_jit_map(struct machine *mc, struct process *p)
{
	struct dso_desc d = { .kind = DSO_JIT };
	char *beside, name[40], *base;
	struct dso *dso;

	if (mc->cfg.only_unwinds) {
		d.name = "//anon";
		return objects_get(mc, &d, 0);
	}
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)p->ns_pid);
	base = strrchr(name, '/') + 1;
	beside = recorded_beside(mc, base);
	d.name = name;
	d.ns_pid = p->ns_pid;
	d.recorded = recorded_process(mc, p);
	d.beside = beside;
	objects_kept_jit_map(mc, p->pid, &d);
	dso = objects_get(mc, &d, 0);
	free(beside);
	return dso;
}

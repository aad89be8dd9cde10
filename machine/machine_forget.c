/* SPDX-License-Identifier: MIT */
/* What a machine frees that is fed for long: maps, names and objects that nothing needs any more.
 */
#include "base/mem.h"
#include "machine/jit.h"
#include "machine/machine.h"
#include "machine/objects.h"

/* So much is new since the last time before it is worth looking for what is not needed. */
#define FORGET_BYTES ((size_t)1 << 20) /* of maps */
#define FORGET_OBJECTS 512
#define FORGET_MODULES 128           /* files that were opened, each of some ten KiB */
#define FORGET_LOADED ((u64)4 << 20) /* of symbols */

/* Maps that are still needed, on their way into a new arena. */
struct map_keeper {
	struct machine *mc;
	struct arena old;
	struct intern names; /* of these maps, and of objects that stay */
	struct idmap seen; /* (address of a map, 0) or (address of a set, 1) -> index of the map */
	const struct map **kept;
	size_t nr, cap;
};

static const struct map *keep_map(struct map_keeper *k, const struct map *m)
{
	u32 i = idmap_get(&k->seen, (uintptr_t)m, 0);
	struct map *copy;

	if (i != IDMAP_NONE)
		return k->kept[i];
	idmap_put(&k->seen, (uintptr_t)m, 0, (u32)k->nr);
	copy = k->mc->maker.copy(&k->mc->maker, m);
	copy->dso_name = intern_text(&k->names, intern_str(&k->names, m->dso_name));
	vec_push(k->kept, k->nr, k->cap, copy);
	return copy;
}

static void keep_set(struct map_keeper *k, struct mapset *s)
{
	if (idmap_get(&k->seen, (uintptr_t)s, 1) != IDMAP_NONE)
		return;
	idmap_put(&k->seen, (uintptr_t)s, 1, 0);
	for (size_t i = 0; i < s->nr; i++)
		s->maps[i] = keep_map(k, s->maps[i]);
}

static bool has_much_to_forget(const struct machine *mc)
{
	return mc->arena.total >= mc->forget_at + FORGET_BYTES ||
	       objects_nr(mc->objects) >= mc->objects_left + FORGET_OBJECTS ||
	       machine_modules_nr(mc->modules) >= mc->modules_left + FORGET_MODULES ||
	       symbols_loaded_bytes(mc->symbols) >= mc->loaded_left + FORGET_LOADED;
}

/* Begins to look for the maps that are still needed: the machine has none then. */
static void begin_keeping(struct map_keeper *k, struct machine *mc)
{
	*k = (struct map_keeper){ .mc = mc, .old = mc->arena };
	intern_init(&k->names);
	mc->arena = (struct arena){ 0 };
	/* it has addresses of objects and names */
	map_maker_forget_codes(&mc->maker);
}

/* The objects that no map is left of, and the names of those and of maps. */
static bool forget_objects(struct map_keeper *k)
{
	struct machine *mc = k->mc;
	struct idmap used = { 0 };
	bool rest;

	for (size_t i = 0; i < k->nr; i++)
		idmap_put(&used, dso_get_number(k->kept[i]->dso), 0, 1);
	machine_jits_keep(mc->jits, &used, &k->names);
	rest = objects_forget(mc, &used, &k->names);
	idmap_fini(&used);
	intern_fini(&mc->file_names);
	mc->file_names = k->names;
	mc->objects_left = objects_nr(mc->objects);
	mc->modules_left = machine_modules_nr(mc->modules);
	mc->loaded_left = symbols_loaded_bytes(mc->symbols);
	return rest;
}

/* Frees all that was not kept. Returns true as machine_forget() does. */
static bool end_keeping(struct map_keeper *k)
{
	bool rest = forget_objects(k);

	arena_fini(&k->old);
	k->mc->forget_at = 2 * k->mc->arena.total;
	idmap_fini(&k->seen);
	free(k->kept);
	return rest;
}

bool machine_forget(struct machine *mc)
{
	struct map_keeper k;

	if (!has_much_to_forget(mc))
		return false;
	begin_keeping(&k, mc);
	for (size_t i = 0; i < mc->threads.nr; i++)
		if (mc->threads.slots[i])
			keep_set(&k, mc->threads.slots[i]->process->maps);
	for (size_t i = 0; i < machine_jits_nr(mc->jits); i++)
		keep_set(&k, machine_jits_maps(mc->jits, i));
	return end_keeping(&k);
}

bool machine_forget_maps(struct machine *mc)
{
	struct map_keeper k;

	if (!mc->maker.lists_sets)
		return false;
	threads_forget(&mc->threads);
	if (!has_much_to_forget(mc))
		return false;
	begin_keeping(&k, mc);
	for (struct mapset *s = mc->maker.sets; s; s = s->next)
		keep_set(&k, s);
	if (mc->kernel_map)
		mc->kernel_map = keep_map(&k, mc->kernel_map);
	if (mc->waits)
		mc->waits = keep_map(&k, mc->waits);
	(void)end_keeping(&k);
	mc->nr_forgotten++;
	return true;
}

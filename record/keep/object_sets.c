/* SPDX-License-Identifier: MIT */
#include "record/keep/object_sets.h"

#include <stdlib.h>

#include "base/mem.h"

#define MAX_PROCESSES 1000000
#define MAX_SETS 200000

void object_sets_fini(struct object_sets *s)
{
	idmap_fini(&s->of_process);
	idmap_fini(&s->longer);
	free(s->sets);
	*s = (struct object_sets){ 0 };
}

static u32 set_of(const struct object_sets *s, s32 pid)
{
	u32 set = idmap_get(&s->of_process, (u32)pid, 0);

	return set == IDMAP_NONE ? 0 : set;
}

static void set_process(struct object_sets *s, s32 pid, u32 set)
{
	if (s->of_process.nr < MAX_PROCESSES ||
	    idmap_get(&s->of_process, (u32)pid, 0) != IDMAP_NONE)
		idmap_put(&s->of_process, (u32)pid, 0, set);
}

static bool set_has(const struct object_sets *s, u32 set, u32 object)
{
	for (; set; set = s->sets[set].rest)
		if (s->sets[set].object == object)
			return true;
	return false;
}

/* Returns the set with the objects of `set` and one more. */
static u32 set_with(struct object_sets *s, u32 set, u32 object)
{
	u32 longer = idmap_get(&s->longer, set, object);

	if (longer != IDMAP_NONE)
		return longer;
	/* mostly a file of the parent's program, which takes no memory */
	if (set_has(s, set, object) || s->nr >= MAX_SETS)
		return set;
	if (!s->nr)
		vec_push(s->sets, s->nr, s->cap, ((struct object_set){ 0 }));
	longer = (u32)s->nr;
	vec_push(s->sets, s->nr, s->cap, ((struct object_set){ set, object }));
	idmap_put(&s->longer, set, object, longer);
	return longer;
}

void object_sets_add(struct object_sets *s, s32 pid, u32 object)
{
	u32 set = set_of(s, pid), longer = set_with(s, set, object);

	if (longer != set)
		set_process(s, pid, longer);
}

void object_sets_fork(struct object_sets *s, s32 pid, s32 parent)
{
	u32 set = set_of(s, parent), own = set_of(s, pid);

	if (!set)
		return;
	for (; own; own = s->sets[own].rest)
		set = set_with(s, set, s->sets[own].object);
	set_process(s, pid, set);
}

void object_sets_weigh(const struct object_sets *s, s32 pid, u64 samples, u64 *weights)
{
	for (u32 set = set_of(s, pid); set; set = s->sets[set].rest)
		weights[s->sets[set].object] += samples;
}

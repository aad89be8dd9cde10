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

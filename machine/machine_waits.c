/* SPDX-License-Identifier: MIT */
#include "machine/machine_waits.h"

#include "machine/machine_maps.h"
#include "machine/objects.h"

/* Between user space and kernel, where no machine has code. */
#define WAITS_START 0xbad0000000000000ull

const struct map *machine_waits_map(struct machine *mc)
{
	const struct dso_desc d = { .kind = DSO_BPF, .name = "[off-CPU]" };
	struct map *map;

	if (mc->waits)
		return mc->waits;
	map = machine_new_map(mc, WAITS_START, WAITS_START + PD_NR_OFFCPU, WAITS_START,
			      objects_get(mc, &d, WAITS_START), d.name);
	map->identity = true;
	for (int i = 0; i < PD_NR_OFFCPU; i++)
		dso_add_symbol(map->dso, WAITS_START + (u64)i, 1,
			       pd_offcpu_frame((enum pd_offcpu)i));
	mc->waits = map;
	return map;
}

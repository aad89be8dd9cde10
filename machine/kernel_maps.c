/* SPDX-License-Identifier: MIT */
/*
 * Kernel address space: one map for the kernel's text, one per module, one per BPF program or other
 * code that KSYMBOL announces. Guests' kernels are never put here.
 */
#include <stdio.h>

#include "base/mem.h"
#include "fileformat/chain_entries.h"
#include "machine/module_name.h"
#include "machine/objects.h"
#include "machine/machine_maps.h"

static void take_build_id(struct dso_desc *d, const struct pd_mmap *m)
{
	if (!m->has_build_id)
		return;
	memcpy(d->build_id, m->build_id.data, sizeof(d->build_id));
	d->build_id_size = m->build_id.size;
}

static void add_kernel_map(struct machine *mc, const struct pd_mmap *m, const char *ref_sym)
{
	struct dso_desc d = { .kind = DSO_KERNEL, .name = objects_kernel_name(mc) };
	u64 end = m->start + m->len;
	struct map *map;

	/* some recorders of the 3.x and 4.x days wrote an empty kernel map */
	if (!m->start && !m->len)
		end = UINT64_MAX;
	if (end < m->start)
		end = UINT64_MAX;
	take_build_id(&d, m);
	d.map_start = m->start;
	d.map_end = end;
	/* 0: kptr_restrict kept the address from the recorder */
	if (m->pgoff) {
		d.ref_sym = ref_sym;
		d.ref_addr = m->pgoff;
	}
	if (mc->kernel_map)
		mapset_remove(&mc->kernel_maps, &mc->maker, mc->kernel_map);
	mc->kernel_dso = objects_get(mc, &d, 0);
	map = machine_new_map(mc, m->start, end, m->pgoff, mc->kernel_dso, d.name);
	map->kernel = map->identity = true;
	mapset_insert(&mc->kernel_maps, &mc->maker, map);
	mc->kernel_map = map;
	mc->kernel_settled = false;
}

static bool is_in_kernel(const struct machine *mc, u64 ip)
{
	const struct map *m = mapset_find(mc->kernel_maps, ip);

	return m && m->dso == mc->kernel_dso;
}

/* True when some ip of the sample lies in the kernel's map. */
static bool reaches_kernel(const struct machine *mc, const struct pd_sample *sample)
{
	struct chain_entries it =
		chain_entries_of(sample->callchain, sample->swap, PD_CPUMODE_USER);
	u64 ip;

	if (sample->cpumode == PD_CPUMODE_KERNEL && is_in_kernel(mc, sample->ip))
		return true;
	while (chain_entry_next(&it, &ip) > 0)
		if (it.mode == PD_CPUMODE_KERNEL && is_in_kernel(mc, ip))
			return true;
	return false;
}

/* The map of the kernel proper in a set; NULL when it has none. */
static const struct map *kernel_of(const struct mapset *set)
{
	for (size_t i = 0; i < set->nr; i++)
		if (dso_get_desc(set->maps[i]->dso)->kind == DSO_KERNEL)
			return set->maps[i];
	return NULL;
}

/* Sections other than .text are called by the kernel's short name and their own. */
static const char *name_of_part(struct machine *mc, const struct dso *kernel, const char *section)
{
	const char *name = dso_get_desc(kernel)->name;
	char text[200];

	if (!*section)
		return name;
	snprintf(text, sizeof(text), "%s%s", module_name_kernel(name), section);
	return intern_text(&mc->strings, intern_str(&mc->strings, text));
}

/* The maps of the kernel proper once it is settled: the same ones for every set of maps. */
static void make_settled(struct machine *mc, struct dso *kernel, const struct dso_part *parts,
			 size_t nr)
{
	mapset_put(mc->settled);
	mc->settled = mapset_new(&mc->maker);
	mc->settled_dso = kernel;
	for (size_t i = 0; i < nr; i++) {
		struct map *map = machine_new_map(mc, parts[i].start, parts[i].end, 0, kernel,
						  name_of_part(mc, kernel, parts[i].section));

		map->kernel = map->identity = true;
		mapset_insert(&mc->settled, &mc->maker, map);
	}
}

struct mapset *machine_settled_maps(struct machine *mc, const struct mapset *old)
{
	const struct map *kernel = kernel_of(old);
	const struct dso_part *parts;
	struct mapset *set;
	struct sym_hit hit;
	size_t nr;

	if (!kernel)
		return NULL;
	(void)dso_find(kernel->dso, kernel->start, 0, 0, &hit);
	nr = dso_get_kernel_parts(kernel->dso, &parts);
	if (!nr)
		return NULL;
	set = mapset_new(&mc->maker);
	if (mc->settled_dso != kernel->dso)
		make_settled(mc, kernel->dso, parts, nr);
	for (size_t i = 0; i < mc->settled->nr; i++)
		mapset_insert(&set, &mc->maker, mc->settled->maps[i]);
	/* Modules and programs lie on top of what the last symbol seems to reach. */
	for (size_t i = 0; i < old->nr; i++)
		if (old->maps[i]->dso != kernel->dso)
			mapset_insert(&set, &mc->maker, old->maps[i]);
	return set;
}

void machine_settle_kernel_now(struct machine *mc)
{
	struct mapset *set;

	if (mc->kernel_settled || !mc->kernel_map)
		return;
	mc->kernel_settled = true;
	set = machine_settled_maps(mc, mc->kernel_maps);
	if (!set)
		return;
	/* those of a kernel map before this one: the samples that saw them are done */
	mapset_put(mc->unsettled);
	mc->unsettled = mc->kernel_maps;
	mc->kernel_maps = set;
}

void machine_settle_kernel(struct machine *mc, const struct pd_sample *sample)
{
	if (!mc->kernel_settled && mc->kernel_map && reaches_kernel(mc, sample))
		machine_settle_kernel_now(mc);
}

static void add_module_map(struct machine *mc, const struct pd_mmap *m, const char *name)
{
	struct dso_desc d = { .kind = DSO_MODULE, .name = name };
	u64 end = m->start + m->len;
	const char *shown;
	struct map *map;

	take_build_id(&d, m);
	d.module_name = module_name_of_path(&mc->strings, name);
	d.map_start = m->start;
	d.map_end = end;
	if (mc->kernel_dso) {
		const struct dso_desc *k = dso_get_desc(mc->kernel_dso);

		d.ref_sym = k->ref_sym;
		d.ref_addr = k->ref_addr;
	}
	/* a module that the BUILD_ID table knows by its path is called by it, as stock perf does */
	shown = objects_noted_module(mc, d.module_name);
	map = machine_new_map(mc, m->start, end, m->pgoff, objects_get(mc, &d, 0),
			      shown ? shown : d.module_name);
	map->kernel = true;
	mapset_insert(&mc->kernel_maps, &mc->maker, map);
}

void machine_kernel_mmap(struct machine *mc, const struct pd_mmap *m)
{
	const char *name = intern_text(
		&mc->strings, intern_n(&mc->strings, (const char *)m->filename.p, m->filename.n));

	if (!strncmp(name, "[guest.kernel", 13))
		return;
	if (!strncmp(name, KERNEL_NAME, sizeof(KERNEL_NAME) - 2))
		add_kernel_map(mc, m,
			       strlen(name) >= sizeof(KERNEL_NAME) ? name + sizeof(KERNEL_NAME) - 1
								   : NULL);
	else if (name[0] == '/' || name[0] == '[')
		add_module_map(mc, m, name);
}

void machine_ksymbol(struct machine *mc, const struct pd_ksymbol *k)
{
	const char *name = intern_text(&mc->strings,
				       intern_n(&mc->strings, (const char *)k->name.p, k->name.n));
	const struct map *old = mapset_find(mc->kernel_maps, k->addr);
	struct dso_desc d = { .kind = DSO_BPF, .name = name };
	struct map *map;

	if (k->flags & 1) { /* unregister */
		if (old && old != mc->kernel_map && old->start == k->addr)
			mapset_remove(&mc->kernel_maps, &mc->maker, old);
		return;
	}
	if (old) {
		dso_add_symbol(old->dso, k->addr, k->len, name);
		return;
	}
	map = machine_new_map(mc, k->addr, k->addr + k->len, k->addr,
			      objects_get(mc, &d, k->addr << 1), name);
	map->kernel = map->identity = true;
	dso_add_symbol(map->dso, k->addr, k->len, name);
	mapset_insert(&mc->kernel_maps, &mc->maker, map);
}

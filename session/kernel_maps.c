/* SPDX-License-Identifier: MIT */
/*
 * Kernel address space: one map for the kernel's text, one per module, one per BPF program or other
 * code that KSYMBOL announces. Guests' kernels are never put here.
 */
#include "base/mem.h"
#include "session/module_name.h"
#include "session/objects.h"
#include "session/sideband.h"

#define KERNEL_NAME "[kernel.kallsyms]"

static void take_build_id(struct dso_desc *d, const struct pd_mmap *m)
{
	if (!m->has_build_id)
		return;
	memcpy(d->build_id, m->build_id.data, sizeof(d->build_id));
	d->build_id_size = m->build_id.size;
}

static void add_kernel_map(struct session *s, const struct pd_mmap *m, const char *ref_sym)
{
	struct dso_desc d = { .kind = DSO_KERNEL, .name = KERNEL_NAME };
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
	if (s->kernel_map)
		mapset_remove(&s->kernel_maps, &s->maker, s->kernel_map);
	s->kernel_dso = objects_get(s, &d, 0);
	map = session_new_map(s, m->start, end, m->pgoff, s->kernel_dso, KERNEL_NAME);
	map->kernel = map->identity = true;
	mapset_insert(&s->kernel_maps, &s->maker, map);
	s->kernel_map = map;
	s->kernel_settled = false;
}

static bool is_in_kernel(const struct session *s, u64 ip)
{
	const struct map *m = mapset_find(s->kernel_maps, ip);

	return m && m->dso == s->kernel_dso;
}

/* True when some ip of the sample lies in the kernel's map. */
static bool reaches_kernel(const struct session *s, const struct pd_sample *sample)
{
	size_t i, n = sample->callchain.n / 8;
	bool kernel = false;
	u64 ip;

	if (sample->cpumode == PD_CPUMODE_KERNEL && is_in_kernel(s, sample->ip))
		return true;
	for (i = 0; i < n; i++) {
		ip = span_u64(sample->callchain, i, sample->swap);
		if (ip >= PD_CONTEXT_MAX)
			kernel = ip == PD_CONTEXT_KERNEL;
		else if (kernel && is_in_kernel(s, ip))
			return true;
	}
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

/* The maps of the kernel proper once it is settled: the same ones for every set of maps. */
static void make_settled(struct session *s, struct dso *kernel, const struct dso_part *parts,
			 size_t nr)
{
	mapset_put(s->settled);
	s->settled = mapset_new(&s->maker);
	s->settled_dso = kernel;
	for (size_t i = 0; i < nr; i++) {
		struct map *map =
			session_new_map(s, parts[i].start, parts[i].end, 0, kernel, parts[i].name);

		map->kernel = map->identity = true;
		mapset_insert(&s->settled, &s->maker, map);
	}
}

struct mapset *session_settled_maps(struct session *s, const struct mapset *old)
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
	set = mapset_new(&s->maker);
	if (s->settled_dso != kernel->dso)
		make_settled(s, kernel->dso, parts, nr);
	for (size_t i = 0; i < s->settled->nr; i++)
		mapset_insert(&set, &s->maker, s->settled->maps[i]);
	/* Modules and programs lie on top of what the last symbol seems to reach. */
	for (size_t i = 0; i < old->nr; i++)
		if (old->maps[i]->dso != kernel->dso)
			mapset_insert(&set, &s->maker, old->maps[i]);
	return set;
}

void session_settle_kernel_now(struct session *s)
{
	struct mapset *set;

	if (s->kernel_settled || !s->kernel_map)
		return;
	s->kernel_settled = true;
	set = session_settled_maps(s, s->kernel_maps);
	if (!set)
		return;
	mapset_put(s->kernel_maps);
	s->kernel_maps = set;
}

void session_settle_kernel(struct session *s, const struct pd_sample *sample)
{
	if (!s->kernel_settled && s->kernel_map && reaches_kernel(s, sample))
		session_settle_kernel_now(s);
}

static void add_module_map(struct session *s, const struct pd_mmap *m, const char *name)
{
	struct dso_desc d = { .kind = DSO_MODULE, .name = name };
	u64 end = m->start + m->len;
	const char *shown;
	struct map *map;

	take_build_id(&d, m);
	d.module_name = module_name_of_path(&s->strings, name);
	d.map_start = m->start;
	d.map_end = end;
	if (s->kernel_dso) {
		const struct dso_desc *k = dso_get_desc(s->kernel_dso);

		d.ref_sym = k->ref_sym;
		d.ref_addr = k->ref_addr;
	}
	/* a module that the BUILD_ID table knows by its path is called by it, as stock perf does */
	shown = objects_noted_module(s, d.module_name);
	map = session_new_map(s, m->start, end, m->pgoff, objects_get(s, &d, 0),
			      shown ? shown : d.module_name);
	map->kernel = true;
	mapset_insert(&s->kernel_maps, &s->maker, map);
}

void sideband_kernel_mmap(struct session *s, const struct pd_mmap *m)
{
	const char *name = intern_text(
		&s->strings, intern_n(&s->strings, (const char *)m->filename.p, m->filename.n));

	if (!strncmp(name, "[guest.kernel", 13))
		return;
	if (!strncmp(name, KERNEL_NAME, sizeof(KERNEL_NAME) - 2))
		add_kernel_map(s, m,
			       strlen(name) >= sizeof(KERNEL_NAME) ? name + sizeof(KERNEL_NAME) - 1
								   : NULL);
	else if (name[0] == '/' || name[0] == '[')
		add_module_map(s, m, name);
}

void sideband_ksymbol(struct session *s, const struct pd_ksymbol *k)
{
	const char *name =
		intern_text(&s->strings, intern_n(&s->strings, (const char *)k->name.p, k->name.n));
	const struct map *old = mapset_find(s->kernel_maps, k->addr);
	struct dso_desc d = { .kind = DSO_BPF, .name = name };
	struct map *map;

	if (k->flags & 1) { /* unregister */
		if (old && old != s->kernel_map && old->start == k->addr)
			mapset_remove(&s->kernel_maps, &s->maker, old);
		return;
	}
	if (old) {
		dso_add_symbol(old->dso, k->addr, k->len, name);
		return;
	}
	map = session_new_map(s, k->addr, k->addr + k->len, k->addr,
			      objects_get(s, &d, k->addr << 1), name);
	map->kernel = map->identity = true;
	dso_add_symbol(map->dso, k->addr, k->len, name);
	mapset_insert(&s->kernel_maps, &s->maker, map);
}

/* SPDX-License-Identifier: MIT */
#include "machine/objects.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "machine/module_name.h"

#define NOTED_MODULE 2 /* second key of noted_by_name: the name is "[module]" */

/* How the names begin of entries that prec writes for what it kept (docs/FORMAT.md 7.1). */
#define KEPT_FILE "/inode/"
#define KEPT_JIT_MAP "/proc/%u/root/tmp/perf-%u.map%n"

struct noted {
	u32 name; /* interned */
	bool kernel;
	struct pd_build_id id;
};

struct machine_objects {
	struct idmap by_key; /* (name id, identity hash) -> index in dsos */
	struct dso **dsos;
	size_t nr, cap;
	struct idmap noted_by_name; /* (name id, kernel) -> index in noted */
	struct noted *noted;
	size_t nr_noted, cap_noted;
	/* pid of a process whose JIT map prec kept -> index in noted */
	struct idmap jit_map_of;
	bool has_kept_files; /* some noted name begins with KEPT_FILE */
};

struct machine_objects *objects_new(void)
{
	return xcalloc(1, sizeof(struct machine_objects));
}

void objects_free(struct machine_objects *o)
{
	if (!o)
		return;
	idmap_fini(&o->by_key);
	idmap_fini(&o->noted_by_name);
	idmap_fini(&o->jit_map_of);
	free(o->dsos);
	free(o->noted);
	free(o);
}

/* Notes what the entry number `index` is about if prec wrote it for something that it kept. */
static void note_kept(struct machine_objects *o, const char *name, u32 index)
{
	unsigned int pid, ns_pid;
	int end = 0;

	if (!strncmp(name, KEPT_FILE, strlen(KEPT_FILE)))
		o->has_kept_files = true;
	else if (sscanf(name, KEPT_JIT_MAP, &pid, &ns_pid, &end) == 2 && end && !name[end])
		idmap_put(&o->jit_map_of, pid, 0, index);
}

void objects_note_build_id(struct machine *mc, bool kernel, const char *name,
			   const struct pd_build_id *id)
{
	struct machine_objects *o = mc->objects;
	u32 name_id = intern_str(&mc->strings, name);

	if (idmap_get(&o->noted_by_name, name_id, kernel) != IDMAP_NONE)
		return;
	idmap_put(&o->noted_by_name, name_id, kernel, (u32)o->nr_noted);
	note_kept(o, name, (u32)o->nr_noted);
	if (kernel) {
		u32 module_id = intern_str(&mc->strings, module_name_of_path(&mc->strings, name));

		idmap_put(&o->noted_by_name, module_id, NOTED_MODULE, (u32)o->nr_noted);
	}
	vec_push(o->noted, o->nr_noted, o->cap_noted,
		 ((struct noted){ .name = name_id, .kernel = kernel, .id = *id }));
}

static u32 find_noted_module(struct machine *mc, const char *module_name)
{
	u32 id = intern_str(&mc->strings, module_name);

	return idmap_get(&mc->objects->noted_by_name, id, NOTED_MODULE);
}

const char *objects_noted_module(struct machine *mc, const char *module_name)
{
	u32 i = find_noted_module(mc, module_name);

	return i == IDMAP_NONE ? NULL : intern_text(&mc->strings, mc->objects->noted[i].name);
}

/* Of several names stock perf 7 takes the first by strcmp, perf 6.1 the first of the file. */
const char *objects_kernel_name(struct machine *mc)
{
	const struct machine_objects *o = mc->objects;
	const char *found = NULL;

	for (size_t i = 0; i < o->nr_noted; i++) {
		const char *name = intern_text(&mc->strings, o->noted[i].name);

		if (!o->noted[i].kernel || !module_name_is_kernel(name))
			continue;
		if (!found || (mc->cfg.format != TEXT_PERF_6_1 && strcmp(name, found) < 0))
			found = name;
	}
	return found ? found : KERNEL_NAME;
}

static void take_noted_build_id(struct machine *mc, struct dso_desc *d, u32 name_id)
{
	struct machine_objects *o = mc->objects;
	bool kernel = d->kind == DSO_KERNEL || d->kind == DSO_MODULE;
	u32 i = idmap_get(&o->noted_by_name, name_id, kernel);

	if (i == IDMAP_NONE && d->kind == DSO_MODULE)
		i = find_noted_module(mc, d->module_name);

	if (i == IDMAP_NONE)
		return;
	memcpy(d->build_id, o->noted[i].id.data, sizeof(d->build_id));
	d->build_id_size = o->noted[i].id.size;
}

static bool take_kept(const struct machine_objects *o, u32 i, struct dso_desc *ret)
{
	if (i == IDMAP_NONE)
		return false;
	memcpy(ret->build_id, o->noted[i].id.data, sizeof(ret->build_id));
	ret->build_id_size = o->noted[i].id.size;
	ret->id_is_cache_key = true;
	return true;
}

bool objects_kept_file(struct machine *mc, const struct pd_mmap *rec, const char *name,
		       struct dso_desc *ret)
{
	struct machine_objects *o = mc->objects;
	size_t n = strlen(name), cut = strlen(" (deleted)");
	char *key;
	u32 i;

	if (!o->has_kept_files)
		return false;
	if (n > cut && !strcmp(name + n - cut, " (deleted)"))
		n -= cut;
	key = xasprintf(KEPT_FILE "%x:%x:%" PRIu64 ":%" PRIu64 "%.*s", rec->maj, rec->min, rec->ino,
			rec->ino_generation, (int)n, name);
	i = idmap_get(&o->noted_by_name, intern_str(&mc->strings, key), false);
	free(key);
	return take_kept(o, i, ret);
}

bool objects_kept_jit_map(struct machine *mc, u32 pid, struct dso_desc *ret)
{
	return take_kept(mc->objects, idmap_get(&mc->objects->jit_map_of, pid, 0), ret);
}

struct dso *objects_get(struct machine *mc, const struct dso_desc *desc, u64 ino_key)
{
	struct machine_objects *o = mc->objects;
	u32 name_id = intern_str(&mc->strings, desc->name), i;
	struct dso_desc d = *desc;
	u64 key;

	if (d.build_id_size)
		key = hash_bytes(d.build_id, d.build_id_size) | 1;
	else
		key = ino_key & ~1ull;
	i = idmap_get(&o->by_key, (u64)d.kind << 32 | name_id, key);
	if (i != IDMAP_NONE)
		return o->dsos[i];
	if (!d.build_id_size)
		take_noted_build_id(mc, &d, name_id);
	d.os_release = mc->os_release;
	idmap_put(&o->by_key, (u64)d.kind << 32 | name_id, key, (u32)o->nr);
	vec_push(o->dsos, o->nr, o->cap, symbols_add_dso(mc->symbols, &d));
	return o->dsos[o->nr - 1];
}

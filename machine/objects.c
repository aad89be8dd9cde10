/* SPDX-License-Identifier: MIT */
#include "machine/objects.h"

#include "base/mem.h"
#include "machine/module_name.h"

#define NOTED_MODULE 2 /* second key of noted_by_name: the name is "[module]" */

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
	free(o->dsos);
	free(o->noted);
	free(o);
}

void objects_note_build_id(struct machine *mc, bool kernel, const char *name,
			   const struct pd_build_id *id)
{
	struct machine_objects *o = mc->objects;
	u32 name_id = intern_str(&mc->strings, name);

	if (idmap_get(&o->noted_by_name, name_id, kernel) != IDMAP_NONE)
		return;
	idmap_put(&o->noted_by_name, name_id, kernel, (u32)o->nr_noted);
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

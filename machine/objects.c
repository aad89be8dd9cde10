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

/* An object and what it is found by. */
struct known_object {
	struct dso *dso;
	u32 name;    /* interned */
	u64 key;     /* of its identity */
	bool met;    /* asked for since the last objects_forget() */
	bool hidden; /* not in by_key */
};

struct machine_objects {
	struct idmap by_key; /* (kind and name, key) -> index in known */
	struct known_object *known;
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
	free(o->known);
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

/* The number of what was noted of a name; IDMAP_NONE: nothing. */
static u32 find_noted(struct machine *mc, const char *name, u64 what)
{
	if (!intern_has(&mc->strings, name, strlen(name)))
		return IDMAP_NONE;
	return idmap_get(&mc->objects->noted_by_name, intern_str(&mc->strings, name), what);
}

static u32 find_noted_module(struct machine *mc, const char *module_name)
{
	return find_noted(mc, module_name, NOTED_MODULE);
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

static void take_noted_build_id(struct machine *mc, struct dso_desc *d)
{
	struct machine_objects *o = mc->objects;
	bool kernel = d->kind == DSO_KERNEL || d->kind == DSO_MODULE;
	u32 i = find_noted(mc, d->name, kernel);

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
	i = find_noted(mc, key, false);
	free(key);
	return take_kept(o, i, ret);
}

bool objects_kept_jit_map(struct machine *mc, u32 pid, struct dso_desc *ret)
{
	return take_kept(mc->objects, idmap_get(&mc->objects->jit_map_of, pid, 0), ret);
}

static u64 kind_and_name(enum dso_kind kind, u32 name)
{
	return (u64)kind << 32 | name;
}

struct dso *objects_get(struct machine *mc, const struct dso_desc *desc, u64 ino_key)
{
	struct machine_objects *o = mc->objects;
	struct known_object k = { .name = intern_str(&mc->file_names, desc->name), .met = true };
	struct dso_desc d = *desc;
	u32 i;

	if (d.build_id_size)
		k.key = hash_bytes(d.build_id, d.build_id_size) | 1;
	else
		k.key = ino_key & ~1ull;
	i = idmap_get(&o->by_key, kind_and_name(d.kind, k.name), k.key);
	if (i != IDMAP_NONE) {
		o->known[i].met = true;
		return o->known[i].dso;
	}
	if (!d.build_id_size)
		take_noted_build_id(mc, &d);
	d.os_release = mc->os_release;
	idmap_put(&o->by_key, kind_and_name(d.kind, k.name), k.key, (u32)o->nr);
	k.dso = symbols_add_dso(mc->symbols, &d);
	vec_push(o->known, o->nr, o->cap, k);
	return k.dso;
}

struct dso *objects_add_hidden(struct machine *mc, const struct dso_desc *desc)
{
	struct machine_objects *o = mc->objects;
	struct known_object k = { .dso = symbols_add_dso(mc->symbols, desc), .hidden = true };

	vec_push(o->known, o->nr, o->cap, k);
	return k.dso;
}

size_t objects_nr(const struct machine_objects *o)
{
	return o->nr;
}

/* The lists of the kernel's symbols refer to the kernel and its modules. */
static bool is_used(const struct known_object *k, const struct idmap *used)
{
	enum dso_kind kind = dso_get_desc(k->dso)->kind;

	return k->met || kind == DSO_KERNEL || kind == DSO_MODULE ||
	       idmap_get(used, dso_get_number(k->dso), 0) != IDMAP_NONE;
}

bool objects_forget(struct machine *mc, const struct idmap *used, struct intern *names)
{
	struct machine_objects *o = mc->objects;
	size_t before = o->nr;
	bool rest = false;

	idmap_fini(&o->by_key);
	o->nr = 0;
	for (size_t i = 0; i < before; i++) {
		struct known_object k = o->known[i];

		if (!is_used(&k, used)) {
			rest |= machine_modules_forget(mc->modules, k.dso);
			symbols_remove_dso(mc->symbols, k.dso);
			continue;
		}
		k.met = false;
		k.name = intern_str(names, intern_text(&mc->file_names, k.name));
		if (!k.hidden)
			idmap_put(&o->by_key, kind_and_name(dso_get_desc(k.dso)->kind, k.name),
				  k.key, (u32)o->nr);
		o->known[o->nr++] = k;
	}
	return rest;
}

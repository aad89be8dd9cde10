/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict_modules.h"

#include "base/mem.h"
#include "profile/verdict/verdict_runtime.h"
#include "symbols/find/live_process.h"

/* True for names of data: heap, stacks and memory without a file hold no named code. */
static bool is_data(const char *name)
{
	return name[0] != '[' || !strcmp(name, "[heap]") || !strncmp(name, "[stack", 6);
}

static enum verdict_reason reason_of(const struct dso *d)
{
	const struct dso_desc *desc = dso_get_desc(d);

	if (desc->kind == DSO_NONE)
		return is_data(desc->name) ? VERDICT_NOT_CODE : VERDICT_NO_SYMBOL;
	if (desc->kind == DSO_JIT)
		return dso_get_status(d) == DSO_FILE_MISSING ? VERDICT_JIT_MAP_MISSING
							     : VERDICT_JIT_MAP_GAP;
	switch (dso_get_status(d)) {
	case DSO_FILE_MISSING: return VERDICT_FILE_MISSING;
	case DSO_BUILD_ID_DIFFERS: return VERDICT_OTHER_BUILD;
	case DSO_STRIPPED: return VERDICT_STRIPPED;
	case DSO_KERNEL_HIDDEN: return VERDICT_KERNEL_HIDDEN;
	case DSO_KERNEL_FOREIGN: return VERDICT_KERNEL_FOREIGN;
	case DSO_BROKEN: return VERDICT_BROKEN;
	case DSO_NOT_LOADED:
	case DSO_LOADED:
	case DSO_NO_FILE: break;
	}
	return dso_has_exported_only(d) ? VERDICT_STRIPPED : VERDICT_NO_SYMBOL;
}

static u32 push_module(struct verdict_modules *t, const struct verdict_module *m)
{
	vec_push(t->v->modules, t->v->nr_modules, t->cap, *m);
	return (u32)t->v->nr_modules;
}

/* Copies what advice about the object needs. */
static void look_at_file(const struct verdict_modules *t, const struct dso *d,
			 struct verdict_module *m)
{
	const struct dso_desc *desc = dso_get_desc(d);
	const char *file = dso_get_file_path(d), *dump;

	m->file = file ? xstrdup(file) : NULL;
	if (desc->kind != DSO_JIT)
		return;
	m->runtime = verdict_runtime_of(t->machine, d);
	if (live_process_is(&desc->recorded))
		m->live_pid = desc->recorded.pid;
	dump = desc->jit ? NULL : verdict_jitdump_of(t->machine, d);
	m->jitdump = dump ? xstrdup(dump) : NULL;
}

static u32 module_of_dso(struct verdict_modules *t, const struct map *map)
{
	u32 nr = idmap_get(&t->by_dso, (u64)(uintptr_t)map->dso, 0);
	const struct dso_desc *desc = dso_get_desc(map->dso);
	struct verdict_module m = { .kernel = map->kernel };

	if (nr != IDMAP_NONE)
		return nr;
	m.name = xstrdup(*desc->name ? desc->name : map->dso_name);
	m.reason = reason_of(map->dso);
	look_at_file(t, map->dso, &m);
	if (desc->build_id_size <= sizeof(m.build_id)) {
		memcpy(m.build_id, desc->build_id, desc->build_id_size);
		m.build_id_size = desc->build_id_size;
	}
	nr = push_module(t, &m);
	idmap_put(&t->by_dso, (u64)(uintptr_t)map->dso, 0, nr);
	return nr;
}

static u32 module_of_nowhere(struct verdict_modules *t, bool kernel)
{
	struct verdict_module m = {
		.name = xstrdup(kernel ? "[unmapped kernel]" : "[unmapped]"),
		.reason = kernel ? VERDICT_KERNEL_UNMAPPED : VERDICT_NO_MAP,
		.kernel = kernel,
	};

	return push_module(t, &m);
}

static u32 module_of_frame(struct verdict_modules *t, const struct frame *f, bool kernel)
{
	if (!f->map) {
		if (!t->unmapped[kernel])
			t->unmapped[kernel] = module_of_nowhere(t, kernel);
		return t->unmapped[kernel];
	}
	if (f->map->dso != t->last_dso) {
		t->last_dso = f->map->dso;
		t->last_module = module_of_dso(t, f->map);
	}
	return t->last_module;
}

u32 verdict_modules_add(struct verdict_modules *t, const struct frame *f, bool kernel)
{
	u32 module = module_of_frame(t, f, kernel);

	t->v->modules[module - 1].frames++;
	return module;
}

void verdict_modules_fini(struct verdict_modules *t)
{
	idmap_fini(&t->by_dso);
}

struct by_weight {
	u64 any, leaf;
	const struct verdict_module *module;
	size_t number;
};

static int heavier_first(const void *a, const void *b)
{
	const struct by_weight *x = a, *y = b;
	int cmp;

	if (x->any != y->any)
		return x->any > y->any ? -1 : 1;
	if (x->leaf != y->leaf)
		return x->leaf > y->leaf ? -1 : 1;
	/* numbers differ from run to run: threads give out frame ids as they find frames */
	cmp = strcmp(x->module->name, y->module->name);
	if (!cmp)
		cmp = memcmp(x->module->build_id, y->module->build_id, sizeof(x->module->build_id));
	if (cmp)
		return cmp;
	return x->number < y->number ? -1 : x->number > y->number;
}

void verdict_module_fini(struct verdict_module *m)
{
	free(m->name);
	free(m->file);
	free(m->jitdump);
}

void verdict_sort_modules(struct verdict *v)
{
	struct by_weight *order = xcalloc(v->nr_modules, sizeof(*order));
	struct verdict_module *sorted = xcalloc(v->nr_modules, sizeof(*sorted));
	size_t i, nr = 0;

	for (i = 0; i < v->nr_modules; i++)
		order[i] = (struct by_weight){ verdict_measure(v, &v->modules[i].any),
					       verdict_measure(v, &v->modules[i].leaf),
					       &v->modules[i], i };
	if (v->nr_modules)
		qsort(order, v->nr_modules, sizeof(*order), heavier_first);
	for (i = 0; i < v->nr_modules; i++) {
		struct verdict_module *m = &v->modules[order[i].number];

		if (m->any.samples)
			sorted[nr++] = *m;
		else
			verdict_module_fini(m);
	}
	free(v->modules);
	free(order);
	v->modules = sorted;
	v->nr_modules = nr;
}

/* SPDX-License-Identifier: MIT */
#include "picture/page_flame.h"

static enum page_kind kind_of(enum flame_kind kind)
{
	switch (kind) {
	case FLAME_KERNEL: return PAGE_KERNEL;
	case FLAME_INLINED: return PAGE_INLINED;
	case FLAME_JIT: return PAGE_JIT;
	default: return PAGE_USER;
	}
}

void page_add_flame(struct page *p, const struct flame *f, const char *event, enum page_unit unit)
{
	u32 *names = xcalloc(f->nr_names + 1, sizeof(*names));
	u32 *path = NULL, columns[FLAME_SIDES], id = page_event(p, event);
	size_t cap = 0;

	for (unsigned int side = 0; side < f->nr_sides; side++)
		columns[side] = page_column(p, id, side, unit);
	for (size_t i = 1; i < f->nr_names; i++)
		names[i] = page_name(p, f->names[i].text, f->names[i].object,
				     kind_of(f->names[i].kind));
	for (size_t i = 0; i < f->nr; i++) {
		u32 depth = f->depth[i];

		vec_reserve(path, cap, (size_t)depth + 1);
		path[depth] = i ? page_child(p, path[depth - 1], names[f->name[i]]) : PAGE_TOP;
		for (unsigned int side = 0; side < f->nr_sides; side++)
			page_count(p, columns[side], path[depth], f->self[side][i]);
	}
	free(names);
	free(path);
}

/* SPDX-License-Identifier: MIT */
#include "picture/flame.h"

#define FIRST_NODES 1024

static u64 sum_of(u64 a, u64 b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

/* Changes the length of all arrays of nodes. */
static void set_room(struct flame *f, size_t cap)
{
	f->name = xrealloc(f->name, cap * sizeof(*f->name));
	f->depth = xrealloc(f->depth, cap * sizeof(*f->depth));
	f->end = xrealloc(f->end, cap * sizeof(*f->end));
	for (unsigned int side = 0; side < f->nr_sides; side++)
		f->self[side] = xrealloc(f->self[side], cap * sizeof(*f->self[side]));
	f->cap = cap;
}

void flame_init(struct flame *f, unsigned int nr_sides)
{
	*f = (struct flame){ .nr_sides = nr_sides };
	flame_add_name(f, "", NULL, FLAME_USER);
	flame_push(f, 0);
}

void flame_fini(struct flame *f)
{
	free(f->name);
	free(f->depth);
	free(f->end);
	for (unsigned int side = 0; side < FLAME_SIDES; side++) {
		free(f->self[side]);
		free(f->total[side]);
	}
	free(f->names);
	free(f->open);
	arena_fini(&f->texts);
	*f = (struct flame){ 0 };
}

u32 flame_add_name(struct flame *f, const char *text, const char *object, enum flame_kind kind)
{
	struct flame_name name = { .text = arena_strdup(&f->texts, text), .kind = kind };

	if (object)
		name.object = arena_strdup(&f->texts, object);
	vec_push(f->names, f->nr_names, f->cap_names, name);
	return (u32)f->nr_names - 1;
}

u32 flame_push(struct flame *f, u32 name)
{
	u32 node = (u32)f->nr;

	if (f->nr == f->cap)
		set_room(f, f->cap ? f->cap * 2 : FIRST_NODES);
	f->name[node] = name;
	f->depth[node] = (u32)f->nr_open;
	for (unsigned int side = 0; side < f->nr_sides; side++)
		f->self[side][node] = 0;
	f->nr++;
	vec_push(f->open, f->nr_open, f->cap_open, node);
	return node;
}

void flame_count(struct flame *f, unsigned int side, u64 weight)
{
	u64 *self = &f->self[side][f->open[f->nr_open - 1]];

	*self = sum_of(*self, weight);
}

void flame_pop(struct flame *f)
{
	f->nr_open--;
}

void flame_add_stack(struct flame *f, const u32 *names, size_t n)
{
	size_t i = 0;

	while (i < n && i + 1 < f->nr_open && f->name[f->open[i + 1]] == names[i])
		i++;
	f->nr_open = i + 1;
	for (; i < n; i++)
		flame_push(f, names[i]);
}

/* Backwards, so that what is below a node is complete before the node itself. */
static void sum_nodes(struct flame *f)
{
	u32 *parent = xmalloc(f->nr * sizeof(*parent));
	size_t n;

	f->nr_open = 0;
	for (n = 0; n < f->nr; n++) {
		vec_reserve(f->open, f->cap_open, (size_t)f->depth[n] + 1);
		f->open[f->depth[n]] = (u32)n;
		parent[n] = n ? f->open[f->depth[n] - 1] : 0;
		f->end[n] = (u32)n + 1;
	}
	for (n = f->nr; --n;) {
		if (f->end[parent[n]] < f->end[n])
			f->end[parent[n]] = f->end[n];
		for (unsigned int side = 0; side < f->nr_sides; side++) {
			u64 *total = f->total[side];

			total[parent[n]] = sum_of(total[parent[n]], total[n]);
		}
	}
	free(parent);
}

void flame_finish(struct flame *f)
{
	for (unsigned int side = 0; side < f->nr_sides; side++) {
		f->total[side] = xmalloc(f->nr * sizeof(*f->total[side]));
		memcpy(f->total[side], f->self[side], f->nr * sizeof(*f->total[side]));
	}
	sum_nodes(f);
	free(f->open);
	f->open = NULL;
	f->nr_open = f->cap_open = 0;
}

size_t flame_pruned(const struct flame *f, u64 least, struct flame *ret)
{
	u64 *total[FLAME_SIDES] = { NULL };
	size_t n, kept = 1;

	flame_init(ret, f->nr_sides);
	for (n = 1; n < f->nr_names; n++)
		flame_add_name(ret, f->names[n].text, f->names[n].object, f->names[n].kind);
	set_room(ret, f->nr + 1);
	for (unsigned int side = 0; side < f->nr_sides; side++) {
		total[side] = xmalloc(f->nr * sizeof(*total[side]));
		total[side][0] = f->total[side][0];
		ret->self[side][0] = f->self[side][0];
	}
	for (n = 1; n < f->nr;) {
		if (f->total[0][n] < least && (f->nr_sides < 2 || f->total[1][n] < least)) {
			n = f->end[n];
			continue;
		}
		ret->nr_open = f->depth[n];
		flame_push(ret, f->name[n]);
		for (unsigned int side = 0; side < f->nr_sides; side++) {
			ret->self[side][kept] = f->self[side][n];
			total[side][kept] = f->total[side][n];
		}
		kept++;
		n++;
	}
	flame_finish(ret);
	for (unsigned int side = 0; side < f->nr_sides; side++) {
		free(ret->total[side]);
		ret->total[side] = total[side];
	}
	return f->nr - kept;
}

/* SPDX-License-Identifier: MIT */
#include "session/frames.h"

#include "base/mem.h"

#define CACHE_BITS 12 /* 64 KiB: neighbours in time share their frames */

struct frame_cache_line {
	u64 ip;
	u32 set_id; /* 0: empty */
	u32 frame;
};

void frames_init(struct frames *f, size_t max)
{
	*f = (struct frames){ .max = max, .epoch = 1 };
	f->cache = xcalloc((size_t)1 << CACHE_BITS, sizeof(*f->cache));
}

void frames_fini(struct frames *f)
{
	free(f->items);
	arena_fini(&f->syms);
	free(f->cache);
	idmap_fini(&f->by_place);
	*f = (struct frames){ 0 };
}

void frames_follow(struct frames *f, const struct session *s)
{
	f->nr_forgotten = &s->machine->nr_forgotten;
	f->seen_forgotten = *f->nr_forgotten;
}

void frames_make_room(struct frames *f)
{
	bool is_void = f->nr_forgotten && *f->nr_forgotten != f->seen_forgotten;

	if (f->nr < f->max && !is_void)
		return;
	if (is_void)
		f->seen_forgotten = *f->nr_forgotten;
	f->nr = 0;
	f->epoch++;
	arena_fini(&f->syms);
	idmap_clear(&f->by_place);
	memset(f->cache, 0, sizeof(*f->cache) << CACHE_BITS);
}

u32 frames_get(struct frames *f, const struct task_view *task, u8 cpumode, u64 ip)
{
	const struct mapset *set = task_space(task, cpumode);
	u32 set_id = set ? set->id : UINT32_MAX, id;
	struct frame_cache_line *line =
		&f->cache[((ip ^ (u64)set_id << 40) * 0x9e3779b97f4a7c15ull) >> (64 - CACHE_BITS)];
	const struct map *map;

	if (line->ip == ip && line->set_id == set_id)
		return line->frame;
	map = set ? mapset_find(set, ip) : NULL;
	id = idmap_get(&f->by_place, ip, map ? map->id : 0);
	if (id == IDMAP_NONE) {
		id = (u32)f->nr;
		vec_push(f->items, f->nr, f->cap, ((struct frame){ .ip = ip, .map = map }));
		idmap_put(&f->by_place, ip, map ? map->id : 0, id);
	}
	*line = (struct frame_cache_line){ .ip = ip, .set_id = set_id, .frame = id };
	return id;
}

const struct frame *frames_resolve(struct frames *f, u32 id)
{
	struct frame *fr = &f->items[id];
	struct sym_hit *sym, hit;

	if (fr->looked_up)
		return fr;
	fr->looked_up = true;
	if (!fr->map || !dso_find(fr->map->dso, fr->ip, fr->map->start, fr->map->pgoff, &hit))
		return fr;
	fr->sym = sym = arena_alloc(&f->syms, sizeof(*sym));
	*sym = hit;
	fr->has_sym = true;
	return fr;
}

size_t frame_inlines(const struct frame *fr, const struct inline_frame **ret)
{
	if (!fr->map || !fr->has_sym)
		return 0;
	return dso_find_inlines(fr->map->dso, fr->ip, fr->map->start, fr->map->pgoff, ret);
}

size_t frame_inlines_with_lines(const struct frame *fr, const struct inline_frame **ret)
{
	if (!fr->map || !fr->has_sym)
		return 0;
	return dso_find_inlines_with_lines(fr->map->dso, fr->ip, fr->map->start, fr->map->pgoff,
					   ret);
}

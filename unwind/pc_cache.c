/* SPDX-License-Identifier: MIT */
#include "unwind/pc_cache.h"

#include "base/hash.h"
#include "base/mem.h"

#define FRONT_SIZE (sizeof(struct pc_front) << PC_FRONT_BITS)
/*
 * The cache is emptied above this number of entries (10 MiB), since entries of address spaces that
 * have ended are not removed one by one.
 */
#define MAX_INFOS (1u << 17)
#define MAX_SPACES 65535
#define FIRST_INFOS 16384

void pc_cache_init(struct pc_cache *c)
{
	*c = (struct pc_cache){ .front = table_alloc(FRONT_SIZE), .last_id = UINT64_MAX };
	c->spaces = xcalloc(1, sizeof(*c->spaces));
}

void pc_cache_fini(struct pc_cache *c)
{
	table_free(c->front, FRONT_SIZE);
	free(c->infos);
	free(c->tags);
	free(c->slots);
	idmap_fini(c->spaces);
	free(c->spaces);
}

static void forget(struct pc_cache *c)
{
	memset(c->front, 0, FRONT_SIZE);
	if (c->slots)
		memset(c->slots, 0, (c->mask + 1) * sizeof(*c->slots));
	c->nr_infos = 0;
}

void pc_cache_begin(struct pc_cache *c)
{
	if (c->nr_infos <= MAX_INFOS && c->nr_spaces < MAX_SPACES - 4)
		return;
	forget(c);
	idmap_clear(c->spaces);
	c->nr_spaces = 0;
	c->last_id = UINT64_MAX;
}

u32 pc_cache_space(struct pc_cache *c, u32 id, enum unwind_arch arch)
{
	u64 both = (u64)id << 8 | arch;
	u32 n;

	if (both == c->last_id)
		return c->last_space;
	n = idmap_get(c->spaces, id, arch);
	if (n == IDMAP_NONE) {
		n = ++c->nr_spaces;
		idmap_put(c->spaces, id, arch, n);
	}
	c->last_id = both;
	c->last_space = n;
	return n;
}

static u64 hash_of(u32 space, u64 pc)
{
	return hash_pair(pc, space);
}

static void put_slot(struct pc_cache *c, u32 i)
{
	size_t s = hash_of(c->infos[i].space, c->infos[i].pc) & c->mask;

	while (c->slots[s])
		s = (s + 1) & c->mask;
	c->slots[s] = i + 1;
}

static void pc_cache_grow(struct pc_cache *c)
{
	size_t nr = c->slots ? (c->mask + 1) * 2 : 2 * FIRST_INFOS;

	free(c->slots);
	c->slots = xcalloc(nr, sizeof(*c->slots));
	c->mask = nr - 1;
	for (size_t i = 0; i < c->nr_infos; i++)
		put_slot(c, (u32)i);
}

/* Puts entry i into the small table, in place of the older of the two entries of its set. */
static void to_front(struct pc_cache *c, u32 i)
{
	const struct pc_info *p = &c->infos[i];
	u64 key = pc_key(p->space, p->pc);

	if (pc_has_key(p->pc)) {
		struct pc_front *set = &c->front[pc_front_set(key)];

		set[1] = set[0];
		set[0] = (struct pc_front){ key, p->rule, i };
	}
}

const struct pc_info *pc_cache_find(struct pc_cache *c, u32 space, u64 pc)
{
	if (pc_has_key(pc)) {
		u64 key = pc_key(space, pc);
		const struct pc_front *f = &c->front[pc_front_set(key)];

		f += f[1].key == key;
		if (f->key == key)
			return &c->infos[f->info];
	}
	if (!c->slots)
		return NULL;
	for (size_t s = hash_of(space, pc) & c->mask; c->slots[s]; s = (s + 1) & c->mask) {
		u32 i = c->slots[s] - 1;

		if (c->infos[i].pc == pc && c->infos[i].space == space) {
			to_front(c, i);
			return &c->infos[i];
		}
	}
	return NULL;
}

const struct pc_info *pc_cache_add(struct pc_cache *c, const struct pc_info *info, u64 function)
{
	if (!c->slots || (c->nr_infos + 1) * 2 > c->mask)
		pc_cache_grow(c);
	if (c->nr_infos == c->cap_infos) {
		vec_reserve(c->infos, c->cap_infos, c->cap_infos ? c->cap_infos * 2 : FIRST_INFOS);
		c->tags = xrealloc(c->tags, c->cap_infos * sizeof(*c->tags));
	}
	c->tags[c->nr_infos] = (struct unwind_tag){ .function = function };
	c->infos[c->nr_infos++] = *info;
	put_slot(c, (u32)(c->nr_infos - 1));
	to_front(c, (u32)(c->nr_infos - 1));
	return &c->infos[c->nr_infos - 1];
}

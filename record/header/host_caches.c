/* SPDX-License-Identifier: MIT */
#include "record/header/host_features_priv.h"

#include "base/mem.h"
#include "record/header/host_text.h"

#define CACHE_VERSION 1
#define MAX_INDEX 16 /* indexN folders of a CPU; machines of today have 4 or 5 */

struct cache {
	u32 level, line_size, sets, ways;
	u32 seq; /* order of discovery */
	char *type, *size, *cpus;
};

struct caches {
	struct cache *items;
	size_t nr, cap;
};

static bool cache_u32(const struct rec_host *h, u32 cpu, u32 index, const char *name, u32 *ret)
{
	return host_u32(ret, h->sysfs, "devices/system/cpu/cpu%u/cache/index%u/%s", cpu, index,
			name);
}

static char *cache_text(const struct rec_host *h, u32 cpu, u32 index, const char *name)
{
	return host_line(h->sysfs, "devices/system/cpu/cpu%u/cache/index%u/%s", cpu, index, name);
}

static void free_texts(struct cache *c)
{
	free(c->type);
	free(c->size);
	free(c->cpus);
}

/*
 * Adds a cache of a CPU unless a lower CPU that shares it has added it. Returns false if the CPU
 * has no cache of this index.
 */
static bool add_cache(struct caches *all, const struct rec_host *h, u32 cpu, u32 index)
{
	struct cache c = { .seq = (u32)all->nr };
	struct cpu_list shared;
	bool first;

	if (!cache_u32(h, cpu, index, "level", &c.level))
		return false;
	c.cpus = cache_text(h, cpu, index, "shared_cpu_list");
	if (!c.cpus || cpu_list_parse(c.cpus, &shared, NULL)) {
		free_texts(&c);
		return true;
	}
	first = shared.cpus[0] == cpu;
	cpu_list_fini(&shared);
	if (!first) {
		free_texts(&c);
		return true;
	}
	/* some hypervisors do not provide these */
	(void)cache_u32(h, cpu, index, "coherency_line_size", &c.line_size);
	(void)cache_u32(h, cpu, index, "number_of_sets", &c.sets);
	(void)cache_u32(h, cpu, index, "ways_of_associativity", &c.ways);
	c.type = cache_text(h, cpu, index, "type");
	c.size = cache_text(h, cpu, index, "size");
	if (!c.type || !c.size)
		free_texts(&c);
	else
		vec_push(all->items, all->nr, all->cap, c);
	return true;
}

static int compare_caches(const void *a, const void *b)
{
	const struct cache *x = a, *y = b;

	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

bool host_caches(struct wbuf *b, const struct rec_host *h)
{
	struct caches all = { 0 };
	struct cpu_list online;
	size_t i;
	u32 index;

	if (!host_cpu_list(&online, h->sysfs, "devices/system/cpu/online"))
		return false;
	for (i = 0; i < online.nr; i++)
		for (index = 0; index < MAX_INDEX; index++)
			if (!add_cache(&all, h, online.cpus[i], index))
				break;
	cpu_list_fini(&online);
	if (!all.nr)
		return false;
	qsort(all.items, all.nr, sizeof(*all.items), compare_caches);
	wb_u32(b, CACHE_VERSION);
	wb_u32(b, (u32)all.nr);
	for (i = 0; i < all.nr; i++) {
		struct cache *c = &all.items[i];

		wb_u32(b, c->level);
		wb_u32(b, c->line_size);
		wb_u32(b, c->sets);
		wb_u32(b, c->ways);
		pd_put_string(b, c->type);
		pd_put_string(b, c->size);
		pd_put_string(b, c->cpus);
		free_texts(c);
	}
	free(all.items);
	return true;
}

bool host_cache_line(struct wbuf *b, const struct rec_host *h)
{
	u32 size;

	if (!cache_u32(h, 0, 0, "coherency_line_size", &size) || !size)
		return false;
	wb_u32(b, size);
	return true;
}

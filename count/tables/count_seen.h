/* SPDX-License-Identifier: MIT */
/*
 * By symbol: the frames of addresses that were looked up before, wherever a process maps them. A
 * direct-mapped cache of one thread, small enough to stay in a CPU's own cache.
 */
#ifndef COUNT_TABLES_COUNT_SEEN_H
#define COUNT_TABLES_COUNT_SEEN_H

#include "base/hash.h"
#include "machine/mapset.h"

#define COUNT_NR_SEEN 8192

struct count_seen {
	u64 addr;         /* in the object of a file, or an ip in a map of the kernel */
	const void *of;   /* the object, or the map; NULL: the entry is free */
	const char *name; /* of an object: map.dso_name */
	u32 frame;
};

/* True if m maps a file, of which each process may map another part anywhere. */
bool count_map_is_file(const struct map *m);

/* True if ip, which m holds, is in a function of the file that m maps. */
bool count_map_has_function(const struct map *m, u64 ip);

/* True if the frame of ip in m may be kept: then *ret is all of its entry but the frame. */
bool count_seen_key(const struct map *m, u64 ip, struct count_seen *ret);

/* The entry where a key belongs; another key may be there. */
static inline struct count_seen *count_seen_entry(struct count_seen *table,
						  const struct count_seen *key)
{
	return &table[hash_pair(key->addr, (uintptr_t)key->of) % COUNT_NR_SEEN];
}

static inline bool count_seen_is(const struct count_seen *entry, const struct count_seen *key)
{
	return entry->addr == key->addr && entry->of == key->of && entry->name == key->name;
}

#endif

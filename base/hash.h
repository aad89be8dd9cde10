/* SPDX-License-Identifier: MIT */
/*
 * Hashing, and a growable open-addressing map from two u64 keys to a u32 value.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/types.h"

static inline u64 hash_u64(u64 x)
{
	x ^= x >> 32;
	x *= 0x9e3779b97f4a7c15ull;
	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9ull;
	return x ^ (x >> 32);
}

static inline u64 hash_pair(u64 a, u64 b)
{
	return hash_u64(a + 0x632be59bd9b4e019ull * (b + 1));
}

/* Returns a hash of the n bytes at p. It is the same on every machine of one byte order. */
u64 hash_bytes(const void *p, size_t n);

struct idmap_slot {
	u64 a, b; /* the key */
	u32 val;
	u32 used; /* 0: the slot is free */
};

/* A map from key (a, b) to a value. All zero is a valid empty map. Not thread safe. */
struct idmap {
	struct idmap_slot *slots;
	size_t nr;   /* entries */
	size_t mask; /* number of slots - 1, 0 while no slots are allocated */
};

#define IDMAP_NONE UINT32_MAX

/* Returns the value of key (a, b), or IDMAP_NONE when the map does not have the key. */
u32 idmap_get(const struct idmap *m, u64 a, u64 b);

/* Sets the value of key (a, b) and replaces an earlier value. val must not be IDMAP_NONE. */
void idmap_put(struct idmap *m, u64 a, u64 b, u32 val);

/* Returns the bytes of memory that the map's slots take. */
static inline size_t idmap_bytes(const struct idmap *m)
{
	return m->mask ? (m->mask + 1) * sizeof(*m->slots) : 0;
}

/* Removes every entry and keeps the memory for later entries. */
void idmap_clear(struct idmap *m);
/* Frees the map's memory and makes it an empty map. */
void idmap_fini(struct idmap *m);

#endif

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

u64 hash_bytes(const void *p, size_t n);

struct idmap_slot {
	u64 a, b;
	u32 val;
	u32 used;
};

/* Zero-initialised is a valid empty map. */
struct idmap {
	struct idmap_slot *slots;
	size_t nr;
	size_t mask; /* number of slots - 1, 0 while empty */
};

#define IDMAP_NONE UINT32_MAX

/* The value of (a, b), IDMAP_NONE when absent. */
u32 idmap_get(const struct idmap *m, u64 a, u64 b);

/* Sets the value of (a, b), over an earlier one. val must not be IDMAP_NONE. */
void idmap_put(struct idmap *m, u64 a, u64 b, u32 val);

/* Bytes that it takes. */
static inline size_t idmap_bytes(const struct idmap *m)
{
	return m->mask ? (m->mask + 1) * sizeof(*m->slots) : 0;
}

/* Forgets every entry, keeping the memory. */
void idmap_clear(struct idmap *m);
void idmap_fini(struct idmap *m);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Tells of most addresses at once that no map holds them. Call chains of programs built without
 * frame pointers are full of such: stack and heap addresses, and plain numbers.
 */
#ifndef COUNT_MAP_SIEVE_H
#define COUNT_MAP_SIEVE_H

#include "machine/mapset.h"

#define MAP_SIEVE_BITS 15
#define MAP_SIEVE_PIECE_SHIFT 16 /* pieces of 64 KiB */

/* Addresses from start on, len of them. */
struct map_sieve_range {
	u64 start, len;
};

struct map_sieve {
	u32 set_id; /* 0: none */
	bool ready;
	/*
	 * All maps lie in these two: a program's own at the bottom, libraries at the top, and the
	 * heap and what is no address at all outside of both.
	 */
	struct map_sieve_range low, high;
	u64 bits[(1u << MAP_SIEVE_BITS) / 64]; /* by hash of the piece: some map reaches into it */
};

/* To be used for many sets, a few at a time. Zero-initialised is a valid empty one. */
#define MAP_SIEVES 16 /* power of two */
struct map_sieves {
	struct map_sieve of[MAP_SIEVES];
};

/* The sieve of a set; NULL for one that was not asked for before: it may be the only time. */
const struct map_sieve *map_sieves_get(struct map_sieves *s, const struct mapset *set);

static inline u32 map_sieve_place(u64 piece)
{
	return (u32)((piece * 0x9e3779b97f4a7c15ull) >> (64 - MAP_SIEVE_BITS));
}

/* False: no map of the set holds ip. */
static inline bool map_sieve_may_hold(const struct map_sieve *s, u64 ip)
{
	u32 at;

	if (__builtin_expect(ip - s->low.start >= s->low.len && ip - s->high.start >= s->high.len,
			     1))
		return false;
	at = map_sieve_place(ip >> MAP_SIEVE_PIECE_SHIFT);
	return s->bits[at / 64] >> (at % 64) & 1;
}

#endif

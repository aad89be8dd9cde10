/* SPDX-License-Identifier: MIT */
/*
 * A quick test that finds most addresses that no map holds. Call chains of programs built without
 * frame pointers are full of them: stack and heap addresses, and plain numbers.
 */
#ifndef COUNT_TABLES_MAP_SIEVE_H
#define COUNT_TABLES_MAP_SIEVE_H

#include "machine/mapset.h"

#define MAP_SIEVE_WORD_BITS 9
#define MAP_SIEVE_PIECE_SHIFT 16 /* pieces of 64 KiB, 64 of them in a word */

/* With so many words in use, too little would be held back to be worth the trouble. */
#define MAP_SIEVE_MAX_WORDS ((1u << MAP_SIEVE_WORD_BITS) / 8)

/* Addresses from start on, len of them. */
struct map_sieve_range {
	u64 start, len;
};

struct map_sieve {
	u32 set_id; /* 0: none */
	u32 asked;  /* addresses that it was asked for, MAP_SIEVE_PAYS: it is ready */
	/*
	 * All maps lie in these two ranges: the program's own at the bottom, libraries at the top.
	 * The heap, and numbers that are no address, lie outside of both.
	 */
	struct map_sieve_range low, high;
	/* a bit for each piece: some map reaches into it; 64 pieces in a row have a word, by hash
	 */
	u64 words[1u << MAP_SIEVE_WORD_BITS];
	u16 used[MAP_SIEVE_MAX_WORDS]; /* places of the words that are not 0 */
	size_t nr_used;                /* more than that: all bits are set */
};

/* A cache of the sieves of the sets used last. Zero-initialised it is empty. */
#define MAP_SIEVES 16 /* power of two */
#define MAP_SIEVE_PAYS 256
struct map_sieves {
	struct map_sieve of[MAP_SIEVES];
};

/*
 * The sieve of a set, for a chain of nr addresses. NULL until MAP_SIEVE_PAYS of them have come: to
 * make a sieve takes as long as to look up some of the addresses that it would hold back, and
 * processes of shell scripts change their maps every few samples.
 */
const struct map_sieve *map_sieves_get(struct map_sieves *s, const struct mapset *set, size_t nr);

/* The word of a piece. */
static inline u32 map_sieve_place(u64 piece)
{
	return (u32)((piece / 64 * 0x9e3779b97f4a7c15ull) >> (64 - MAP_SIEVE_WORD_BITS));
}

/* False: no map of the set holds ip. */
static inline bool map_sieve_may_hold(const struct map_sieve *s, u64 ip)
{
	u64 piece = ip >> MAP_SIEVE_PIECE_SHIFT;

	if (__builtin_expect(ip - s->low.start >= s->low.len && ip - s->high.start >= s->high.len,
			     1))
		return false;
	return s->words[map_sieve_place(piece)] >> (piece % 64) & 1;
}

#endif

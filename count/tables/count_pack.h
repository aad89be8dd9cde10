/* SPDX-License-Identifier: MIT */
/*
 * Call chains on their way to stacks of functions (counts_config.by_symbol): addresses that no map
 * holds are taken out of a chain early, as in programs built without frame pointers they are nearly
 * all of it, and a frame that repeats is written once.
 */
#ifndef COUNT_TABLES_COUNT_PACK_H
#define COUNT_TABLES_COUNT_PACK_H

#include "count/tables/count_frames.h"
#include "machine/chain_ips.h"
#include "count/tables/map_sieve.h"

/*
 * The mode of an entry that stands for several addresses outside of any map: ip is their number <<
 * 1 | the id of their frame.
 */
#define COUNT_MODE_NOWHERE 0xff

/* The mode of an entry whose ip is a frame id instead of an address. */
#define COUNT_MODE_NAMED 0xfe

/* A table and the maps that a sample's addresses are looked up in. */
struct count_naming {
	struct count_frames *frames;
	struct count_spaces spaces;
	u64 *rank; /* of new frames, see count_frames_get */
};

/*
 * As chain_list(), but addresses that are certainly in no map become entries of COUNT_MODE_NOWHERE,
 * and unwound frames become entries of COUNT_MODE_NAMED.
 */
void count_pack_list(struct map_sieves *sieves, const struct count_naming *n, struct chain_ips *c,
		     const struct pd_event *ev, const struct pd_sample *sample, u32 max_stack);

/* Prefetches the cache entries that count_pack() will read. */
void count_pack_prefetch(const struct count_frames *f, const struct count_spaces *s,
			 const struct chain_ips *c);

/*
 * The frames of a sieved chain as a stack with CHAIN_REPEAT entries; new frames as of
 * count_frames_get. ret: room for twice as many ids as c has entries. Returns how many there are,
 * *ret_hash is the same in all tables.
 */
size_t count_pack(struct count_frames *f, const struct count_spaces *s, const struct chain_ips *c,
		  u64 *rank, u32 *ret, u64 *ret_hash);

/* Appends n callers to a stack that count_pack() gave. ret: room for nr_ids + 2 * n + 2 ids. */
size_t count_pack_more(const struct count_frames *f, const u32 *ids, size_t nr_ids, const u32 *more,
		       size_t n, u32 *ret, u64 *ret_hash);

#endif

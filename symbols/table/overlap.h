/* SPDX-License-Identifier: MIT */
/*
 * Who is found where ranges overlap. perf keeps symbols in a red-black tree by start and descends
 * it once, so that the shape of the tree, and with it the order of insertion, decides. JIT maps
 * overlap all the time (code is dropped and its memory used again); to name the same symbol as
 * perf, the same tree is grown here and then flattened into ranges that do not overlap.
 */
#ifndef SYMBOLS_TABLE_OVERLAP_H
#define SYMBOLS_TABLE_OVERLAP_H

#include "base/types.h"

/* In: [start, end) in order of insertion; end == start is found at start only. */
struct overlap_range {
	u64 start, end;
};

/* Out: in [start, end) range number `index` is found. By address, none empty. */
struct overlap_piece {
	u64 start, end;
	u32 index;
};

/*
 * Flattens nr ranges; *ret is malloc'd and the caller's. Returns how many pieces there are, at most
 * nr. nr must be below UINT32_MAX.
 */
size_t overlap_flatten(const struct overlap_range *ranges, size_t nr, struct overlap_piece **ret);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Finds which of several overlapping symbols perf shows for an address. perf keeps symbols in a
 * red-black tree sorted by start and descends it once, so the result depends on the shape of the
 * tree and so on the order of insertion. Symbols of JIT maps often overlap, because memory of
 * dropped code is reused. To name the same symbol as perf, this code builds the same tree and then
 * flattens it into ranges that do not overlap.
 */
#ifndef SYMBOLS_TABLE_OVERLAP_H
#define SYMBOLS_TABLE_OVERLAP_H

#include "base/types.h"

/* An input range [start, end). With end == start it covers the address start only. */
struct overlap_range {
	u64 start, end;
};

/* An output range: perf finds input range number `index` for addresses in [start, end). */
struct overlap_piece {
	u64 start, end;
	u32 index;
};

/*
 * Flattens nr ranges, given in order of insertion. Returns the number of pieces (at most nr) in
 * *ret, which are sorted by address, not empty, and malloc'd: the caller frees them. nr must be
 * below UINT32_MAX.
 */
size_t overlap_flatten(const struct overlap_range *ranges, size_t nr, struct overlap_piece **ret);

#endif

/* SPDX-License-Identifier: MIT */
/* Ranges that overlap and nest, made into stretches of addresses that a binary search finds. */
#ifndef SYMBOLS_DWARF_RANGE_SWEEP_H
#define SYMBOLS_DWARF_RANGE_SWEEP_H

#include "base/types.h"

struct sweep_range {
	u64 start, end; /* half-open */
	u32 id;
};

/* From start up to the next one's start. */
struct stretch {
	u64 start;
	u32 value;
};

/* What a stretch means that the ranges of these ids cover: ascending, each once, nr may be 0. */
typedef u32 (*sweep_value)(void *ctx, const u32 *ids, size_t nr);

/*
 * Fills *ret, malloc'd, with stretches in ascending order (NULL for none) and returns their number;
 * sorts the ranges. Where more than 256 ranges overlap, those with the largest ids that began last
 * may be left out: time is linear but for sorting.
 */
size_t sweep_ranges(struct sweep_range *ranges, size_t nr, sweep_value value_of, void *ctx,
		    struct stretch **ret);

/* The value at addr; `none` before the first stretch. The last one has no end of its own. */
u32 stretch_at(const struct stretch *stretches, size_t nr, u64 addr, u32 none);

#endif

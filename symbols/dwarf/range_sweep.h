/* SPDX-License-Identifier: MIT */
/* Converts ranges that may overlap and nest into a sorted list of stretches, which do not overlap,
 * for binary search by address. */
#ifndef SYMBOLS_DWARF_RANGE_SWEEP_H
#define SYMBOLS_DWARF_RANGE_SWEEP_H

#include "base/types.h"

struct sweep_range {
	u64 start, end; /* half-open */
	u32 id;
};

/* The addresses from start to the start of the next stretch. */
struct stretch {
	u64 start;
	u32 value;
};

/* Returns the value of a stretch that is covered by the ranges with these nr ids, which are
 * ascending and distinct. nr may be 0. */
typedef u32 (*sweep_value)(void *ctx, const u32 *ids, size_t nr);

/*
 * Sorts the ranges and computes the stretches. Returns their number; *ret is sorted by start and
 * malloc'd (NULL for none), the caller frees it. To keep the time linear after sorting, at most 256
 * overlapping ranges count; further ones, with the largest ids, may be left out.
 */
size_t sweep_ranges(struct sweep_range *ranges, size_t nr, sweep_value value_of, void *ctx,
		    struct stretch **ret);

/* Returns the value of the stretch that contains addr; `none` before the first stretch. The last
 * stretch has no end. */
u32 stretch_at(const struct stretch *stretches, size_t nr, u64 addr, u32 none);

#endif

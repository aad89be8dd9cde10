/* SPDX-License-Identifier: MIT */
/*
 * How many pairs ended when, and how long they took: cells of time by length. The width of a column
 * of time doubles whenever the map is full, so that its memory does not grow; the numbers stay
 * exact.
 */
#ifndef EVENTS_SINKS_HEAT_MAP_H
#define EVENTS_SINKS_HEAT_MAP_H

#include "base/types.h"

#define HEAT_COLUMNS 128
#define HEAT_ROWS 252 /* four for each power of two; 0, 1, 2 and 3 have rows of their own */

struct heat_map {
	u64 start; /* ns: where the first column begins */
	u64 width; /* ns of a column; 0: the map is empty */
	u64 cells[HEAT_ROWS][HEAT_COLUMNS];
};

/* Counts a pair that ended at `time` (ns) and took ns. One earlier than the first counts in column
 * 0. */
void heat_map_add(struct heat_map *h, u64 time, u64 ns);

/* The least length, in ns, of a row; of row HEAT_ROWS UINT64_MAX. */
u64 heat_map_bound(u32 row);

/* The part of a map where there is something: rows [first_row, last_row], columns [0, nr_columns).
 */
struct heat_extent {
	u32 first_row, last_row, nr_columns;
	u64 most; /* in one cell */
};

/* Returns false if the map is empty. */
bool heat_map_extent(const struct heat_map *h, struct heat_extent *ret);

#endif

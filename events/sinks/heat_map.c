/* SPDX-License-Identifier: MIT */
#include "events/sinks/heat_map.h"

#define FIRST_WIDTH 1000

static u32 row_of(u64 ns)
{
	u32 power;

	if (ns < 4)
		return (u32)ns;
	power = 63 - (u32)__builtin_clzll(ns);
	return 4 * (power - 1) + ((u32)(ns >> (power - 2)) & 3);
}

u64 heat_map_bound(u32 row)
{
	if (row < 4)
		return row;
	return row >= HEAT_ROWS ? UINT64_MAX : (u64)(4 + row % 4) << (row / 4 - 1);
}

/* Puts every two columns together. */
static void widen(struct heat_map *h)
{
	for (u32 r = 0; r < HEAT_ROWS; r++) {
		u64 *c = h->cells[r];

		for (u32 i = 0; i < HEAT_COLUMNS / 2; i++)
			c[i] = c[2 * i] + c[2 * i + 1];
		for (u32 i = HEAT_COLUMNS / 2; i < HEAT_COLUMNS; i++)
			c[i] = 0;
	}
	h->width *= 2;
}

void heat_map_add(struct heat_map *h, u64 time, u64 ns)
{
	u64 since;

	if (!h->width) {
		h->width = FIRST_WIDTH;
		h->start = time;
	}
	since = time > h->start ? time - h->start : 0;
	while (since / h->width >= HEAT_COLUMNS)
		widen(h);
	h->cells[row_of(ns)][since / h->width]++;
}

bool heat_map_extent(const struct heat_map *h, struct heat_extent *ret)
{
	*ret = (struct heat_extent){ .first_row = HEAT_ROWS };
	for (u32 r = 0; r < HEAT_ROWS; r++) {
		for (u32 c = 0; c < HEAT_COLUMNS; c++) {
			if (!h->cells[r][c])
				continue;
			if (h->cells[r][c] > ret->most)
				ret->most = h->cells[r][c];
			if (c >= ret->nr_columns)
				ret->nr_columns = c + 1;
			if (r < ret->first_row)
				ret->first_row = r;
			ret->last_row = r;
		}
	}
	return ret->most != 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * The frames of a stack in the order of display. They follow each other in memory, forwards from
 * the leaf or backwards from the root. If the stack ends in frames that repeat, only their first
 * turn is in memory.
 */
#ifndef PROFILE_CHAIN_PATH_H
#define PROFILE_CHAIN_PATH_H

#include <stddef.h>

#include "base/types.h"

struct chain_path {
	const u32 *first;
	u32 nr;         /* frames after those skipped, with all turns */
	u32 skip;       /* frames at the beginning that are left out */
	u32 turn, more; /* of the circle, as of struct chain_row */
};

/*
 * Frame number i; step: 1 from the leaf on, -1 from the root. *ret_nr: how many lie one after the
 * other from there on.
 */
static inline const u32 *chain_path_run(const struct chain_path *p, int step, u32 i, u32 *ret_nr)
{
	u32 at = p->skip + i, nr = p->nr - i, circle;

	if (p->turn) {
		/* of all frames the circle's come first, or last */
		circle = p->turn + p->more;
		if (step < 0) {
			nr = at < circle ? p->turn - at % p->turn : nr;
			at = at < circle ? at % p->turn : at - p->more;
		} else {
			u32 before = p->skip + p->nr - circle;

			nr = at < before ? before - at : p->turn - (at - before) % p->turn;
			at = at < before ? at : before + (at - before) % p->turn;
		}
	}
	*ret_nr = nr;
	return p->first + (ptrdiff_t)at * step;
}

static inline const u32 *chain_path_at(const struct chain_path *p, int step, u32 i)
{
	u32 at = p->skip + i, nr;

	/* the first turn of a path from the root needs no search either */
	return !p->turn || (step < 0 && at < p->turn) ? p->first + (ptrdiff_t)at * step
						      : chain_path_run(p, step, i, &nr);
}

/* How many frames from number i on belong to the repeated part; 0: frame i does not. */
static inline u32 chain_path_turning(const struct chain_path *p, int step, u32 i)
{
	u32 circle = p->turn + p->more, at = p->skip + i;

	if (!p->turn)
		return 0;
	if (step > 0)
		return p->nr - i <= circle ? p->nr - i : 0;
	return at < circle ? circle - at : 0;
}

#endif

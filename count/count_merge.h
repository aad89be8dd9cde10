/* SPDX-License-Identifier: MIT */
/* Several counters made one, numbered as a single one would have numbered everything. */
#ifndef COUNT_COUNT_MERGE_H
#define COUNT_COUNT_MERGE_H

#include "count/counter.h"

/* Numbers by first sight, for what comes out of a merge. */
struct count_order {
	u32 *frames;         /* new id by id in the counter; NULL: as they are */
	struct ranked *rows; /* in order; NULL: as they are */
};

/*
 * Brings others[0..nr) into c, frames first. Stacks then hold ids of c's frames in the order of
 * first sight; ret->frames translates those of frames and rows.
 */
struct count_merge;
struct count_merge *count_merge_frames(struct counter *c, struct counter *others, unsigned int nr,
				       unsigned int nr_threads, struct count_order *ret);
/*
 * The rest. c's frames stay as they are, but it is looked at what their hashes are made of. The
 * others can only be finished afterwards.
 */
void count_merge_rows(struct count_merge *m, struct count_order *ret);
void count_order_fini(struct count_order *o);

#endif

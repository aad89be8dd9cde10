/* SPDX-License-Identifier: MIT */
/*
 * Merges several counters into one, with the ids that one counter would have given had it counted
 * all samples in the order of the file.
 */
#ifndef COUNT_COUNT_MERGE_H
#define COUNT_COUNT_MERGE_H

#include "count/counter.h"

/* The ids that a merge gives, in the order of first samples. */
struct count_order {
	u32 *frames;         /* new id by id in the counter; NULL: as they are */
	struct ranked *rows; /* in order; NULL: as they are */
};

/*
 * Merges the frames of others[0..nr) into c. The stacks of all of them then hold final frame ids;
 * frames and rows of c still have c's own ids, which ret->frames translates.
 */
struct count_merge;
struct count_merge *count_merge_frames(struct counter *c, struct counter *others, unsigned int nr,
				       unsigned int nr_threads, struct count_order *ret);
/*
 * Merges stacks, blobs, rows and totals, and frees m. It does not change c's frames, but reads
 * their ips and marks. The other counters can only be freed afterwards.
 */
void count_merge_rows(struct count_merge *m, struct count_order *ret);
void count_order_fini(struct count_order *o);

#endif

/* SPDX-License-Identifier: MIT */
/* Builds the frames and rows of a struct counts from the one counter that everything was merged
 * into. */
#ifndef COUNT_COUNT_RESULT_H
#define COUNT_COUNT_RESULT_H

#include "count/count_merge.h"
#include "count/counts.h"

/* ids: numbers that frames get by those in the counter; NULL: the same. */
void count_result_frames(struct counts *c, const struct counter *from, const u32 *ids);

/*
 * Columns as counts_config has them. Stacks and blobs of the counter are numbered anew by their
 * first row where rows are put in order.
 */
void count_result_rows(struct counts *c, struct counter *from, const struct count_order *order);

#endif

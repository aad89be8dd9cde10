/* SPDX-License-Identifier: MIT */
/*
 * Merges several counters into one, with the ids that one counter would have given had it counted
 * all samples in the order of the file.
 */
#ifndef COUNT_COUNT_MERGE_H
#define COUNT_COUNT_MERGE_H

#include "count/counter.h"
#include "count/tables/row_share.h"

#define COUNT_MAX_SHARES 16 /* each looks at the hashes of all stacks */

/* Stacks, blobs and rows whose hashes fall into one share of all hashes. */
struct count_share {
	struct blobs stacks, blobs;
	struct row_share rows; /* their keys have ids of count_share_id() */
};

/* The id of a stack or blob of share number `share`, where it is `id`. The empty one is 0 in all.
 */
static inline u32 count_share_id(unsigned int nr_shares, unsigned int share, u32 id)
{
	return id ? id * nr_shares + share : 0;
}

/* What a merge gives; all zero: nothing was merged. */
struct count_order {
	u32 *frames;                /* new id by id in the counter; NULL: as they are */
	struct count_share *shares; /* NULL: all is in the counter */
	unsigned int nr_shares;
	/* In the order of first samples: index is that of the row * nr_shares + its share. */
	struct ranked *rows;
	size_t nr_rows;
	struct count_rows *kept; /* the tables in which the rows of all shares lie */
	unsigned int nr_kept;
};

/*
 * Merges the frames of others[0..nr) into c. The stacks of all of them then hold final frame ids;
 * frames and rows of c still have c's own ids, which ret->frames translates. keeps_apart: no two
 * frames of one counter have become the same since it counted them.
 */
struct count_merge;
struct count_merge *count_merge_frames(struct counter *c, struct counter *others, unsigned int nr,
				       unsigned int nr_threads, bool keeps_apart,
				       struct count_order *ret);
/*
 * Merges stacks, blobs and rows into ret->shares, several threads one share each, and totals into
 * c; frees m. It does not change c's frames, but reads their ips and marks. The counters have no
 * stacks, blobs and rows afterwards; the memory of stacks and blobs belongs to c's.
 */
void count_merge_rows(struct count_merge *m, unsigned int nr_threads, struct count_order *ret);
void count_order_fini(struct count_order *o);

#endif

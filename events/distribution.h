/* SPDX-License-Identifier: MIT */
/*
 * The distribution of values, most often of times in ns. Number, sum, least and largest value are
 * exact; quantiles are at most 0.4 % off: each power of two is divided into 128 buckets of equal
 * width, and the middle of a bucket stands for its values. Values below 256 and all values of a
 * distribution of up to 16 are exact. Distributions add up exactly, in any order.
 */
#ifndef EVENTS_DISTRIBUTION_H
#define EVENTS_DISTRIBUTION_H

#include "base/types.h"

#define DISTRIBUTION_FIRST 16
#define DISTRIBUTION_PAGES 58

/* All zero: no value yet. */
struct distribution {
	u64 n;
	u64 sum; /* UINT64_MAX if the sum does not fit */
	u64 min, max;
	u64 first[DISTRIBUTION_FIRST]; /* the values, while there are no more */
	/* [0]: counts of the values below 128; [k]: of those from 2^(k+6) to 2^(k+7), by 128ths */
	u64 *pages[DISTRIBUTION_PAGES];
};

/* Adds a value. Returns the bytes of memory that were allocated for it. */
size_t distribution_add(struct distribution *d, u64 value);
/* Adds all values of another one. */
void distribution_merge(struct distribution *d, const struct distribution *from);
void distribution_fini(struct distribution *d);

/*
 * The smallest value that at least q of 1,000,000 of the values do not exceed; 0 without values.
 * q 500000: the median.
 */
u64 distribution_quantile(const struct distribution *d, u32 q);
/* True if there are too few values for a quantile between the last two of them. */
bool distribution_is_last(const struct distribution *d, u32 q);

/* Sets ret[0] to the number of zeros, ret[k] to that of values from 2^(k-1) to 2^k. */
void distribution_powers(const struct distribution *d, u64 ret[65]);

#endif

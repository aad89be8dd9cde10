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
#define DISTRIBUTION_SUB_BITS 7
#define DISTRIBUTION_SUBS (1u << DISTRIBUTION_SUB_BITS)
#define DISTRIBUTION_PAGES (64 - DISTRIBUTION_SUB_BITS + 1)

/* All zero: no value yet. */
struct distribution {
	u64 n;
	u64 sum; /* UINT64_MAX if the sum does not fit */
	u64 min, max;
	u64 first[DISTRIBUTION_FIRST]; /* the values, while there are no more */
	/* [0]: counts of the values below 128; [k]: of those from 2^(k+6) to 2^(k+7), by 128ths */
	u64 *pages[DISTRIBUTION_PAGES];
};

/* As distribution_add(), of the first values and of those that need memory. */
size_t distribution_add_slowly(struct distribution *d, u64 value);

/* The bucket of a value: its page, and its number there. */
static inline unsigned int distribution_bucket(u64 v, unsigned int *ret_sub)
{
	/* of values below 128 the highest bit of 64 counts, so that all of them go to page 0 */
	unsigned int power = 63 - (unsigned int)__builtin_clzll(v | DISTRIBUTION_SUBS / 2);
	unsigned int page = power - DISTRIBUTION_SUB_BITS + 1;

	*ret_sub = (unsigned int)(v >> (page - (page > 0))) & (DISTRIBUTION_SUBS - 1);
	return page;
}

/* Adds a value. Returns the bytes of memory that were allocated for it. */
static inline size_t distribution_add(struct distribution *d, u64 v)
{
	unsigned int sub, page = distribution_bucket(v, &sub);

	if (d->n <= DISTRIBUTION_FIRST || !d->pages[page])
		return distribution_add_slowly(d, v);
	d->n++;
	d->min = v < d->min ? v : d->min;
	d->max = v > d->max ? v : d->max;
	if (__builtin_add_overflow(d->sum, v, &d->sum))
		d->sum = UINT64_MAX;
	d->pages[page][sub]++;
	return 0;
}

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

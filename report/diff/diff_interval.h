/* SPDX-License-Identifier: MIT */
/*
 * 95 % intervals for differences between two recordings, from their samples alone.
 *
 * The statistics. A sample stands for w events (its period). A row's share of a recording is
 * p = W / T: the sum of w over the row's samples, divided by the sum over all samples. Samples are
 * taken as independent draws. With sums of squares S (row) and Q (recording), the variance of p as
 * a ratio of two sums is, linearised,
 *
 *	v = ((1 - p)^2 S + p^2 (Q - S)) / T^2
 *
 * which is p(1 - p)/n when all n periods are equal. Unequal periods carry less information: the
 * effective sample size of a recording is n = T^2 / Q (Kish), that of a row's share is
 * n = p(1 - p) / v. The interval of a difference of two shares is that of Agresti and Caffo: one
 * hit and one miss are added to both samples, which keeps the error rate near 5 % where a row has
 * few samples or none:
 *
 *	q = (p n + 1) / (n + 2)
 *	q1 - q0  -+  1.96 sqrt(q0 (1 - q0) / (n0 + 2) + q1 (1 - q1) / (n1 + 2))
 *
 * An interval covers the error of sampling, not what differs from run to run: other input, other
 * CPU frequencies, phases that follow each other. Several recordings of each program show that.
 */
#ifndef REPORT_DIFF_DIFF_INTERVAL_H
#define REPORT_DIFF_DIFF_INTERVAL_H

#include "base/types.h"

/* Sums over samples: of their periods, and of the squares of their periods. */
struct diff_sums {
	double period, squares;
};

/* A row in one recording, and the recording. `row` is zero where the recording lacks the row. */
struct diff_measure {
	struct diff_sums row, total;
};

/*
 * The interval of a difference, in its unit. known is false where one side has no samples.
 */
struct diff_interval {
	double low, high;
	bool known;
};

/* Returns the effective sample size of a recording; 0 if it has no samples. */
double diff_effective_samples(const struct diff_sums *total);

/* The interval of the difference of the shares, new - base, in percentage points. */
struct diff_interval diff_interval_of_shares(const struct diff_measure *base,
					     const struct diff_measure *new);
/* The interval of the ratio of the row's periods, new / base. Both need samples of the row. */
struct diff_interval diff_interval_of_ratio(const struct diff_measure *base,
					    const struct diff_measure *new);
/* The interval of new * new_weight - base * base_weight, for the row's periods. */
struct diff_interval diff_interval_of_weighted(const struct diff_measure *base, double base_weight,
					       const struct diff_measure *new, double new_weight);

/* True if the interval holds the value that stands for no difference: noise. */
static inline bool diff_interval_holds(const struct diff_interval *i, double value)
{
	return i->known && i->low <= value && value <= i->high;
}

#endif

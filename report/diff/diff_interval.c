/* SPDX-License-Identifier: MIT */
#include "report/diff/diff_interval.h"

#include <math.h>

#define Z95 1.959963984540054 /* 95 % of a normal distribution lie within so many deviations */

double diff_effective_samples(const struct diff_sums *total)
{
	return total->squares > 0 ? total->period * total->period / total->squares : 0;
}

/* Returns the number of equal samples that would tell the row's share as exactly. */
static double share_samples(const struct diff_measure *m)
{
	double p = m->row.period / m->total.period, rest = m->total.squares - m->row.squares;
	double variance = ((1 - p) * (1 - p) * m->row.squares + p * p * (rest > 0 ? rest : 0)) /
			  (m->total.period * m->total.period);

	if (p <= 0 || p >= 1 || !(variance > 0))
		return diff_effective_samples(&m->total);
	return p * (1 - p) / variance;
}

/* The row's share with one hit and one miss added, and the variance of that. */
static double adjusted_share(const struct diff_measure *m, double *ret_variance)
{
	double n = share_samples(m), p = m->row.period / m->total.period;
	double q = (p * n + 1) / (n + 2);

	*ret_variance = q * (1 - q) / (n + 2);
	return q;
}

struct diff_interval diff_interval_of_shares(const struct diff_measure *base,
					     const struct diff_measure *new)
{
	struct diff_interval i = { 0 };
	double variances[2], middle, reach;

	if (!(base->total.period > 0) || !(new->total.period > 0))
		return i;
	middle = adjusted_share(new, &variances[1]) - adjusted_share(base, &variances[0]);
	reach = Z95 * sqrt(variances[0] + variances[1]);
	i.low = 100 * (middle - reach);
	i.high = 100 * (middle + reach);
	i.known = true;
	return i;
}

struct diff_interval diff_interval_of_ratio(const struct diff_measure *base,
					    const struct diff_measure *new)
{
	struct diff_interval i = { 0 };
	double ratio, reach;

	if (!(base->row.period > 0) || !(new->row.period > 0))
		return i;
	/* the logarithm of a sum of periods has the variance S / W^2 */
	ratio = new->row.period / base->row.period;
	reach = exp(Z95 * sqrt(1 / diff_effective_samples(&base->row) +
			       1 / diff_effective_samples(&new->row)));
	i.low = ratio / reach;
	i.high = ratio * reach;
	i.known = true;
	return i;
}

struct diff_interval diff_interval_of_weighted(const struct diff_measure *base, double base_weight,
					       const struct diff_measure *new, double new_weight)
{
	struct diff_interval i = { 0 };
	double middle, reach;

	if (!(base->row.period > 0) || !(new->row.period > 0))
		return i;
	middle = new->row.period *new_weight - base->row.period *base_weight;
	reach = Z95 * sqrt(base->row.squares * base_weight * base_weight +
			   new->row.squares *new_weight *new_weight);
	i.low = middle - reach;
	i.high = middle + reach;
	i.known = true;
	return i;
}

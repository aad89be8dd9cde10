/* SPDX-License-Identifier: MIT */
/* The figures of a comparison: the methods of -c, and the intervals of differences. */
#include "report/diff/diff_compute.h"

#include <math.h>
#include <string.h>

#include "report/diff/diff_interval.h"
#include "tests/frame/unit.h"

static struct diff_compute parsed(const char *arg)
{
	struct diff_compute c;
	struct perr e;

	CHECK(!diff_compute_parse(&c, arg, &e));
	return c;
}

static const char *formula(const char *method, const struct diff_periods *p, char text[200])
{
	struct diff_compute c = parsed(method);
	struct out o;

	out_init_mem(&o);
	diff_compute_put_formula(&c, p, &o);
	snprintf(text, 200, "%.*s", (int)o.len, o.buf);
	(void)out_fini(&o);
	return text;
}

TEST(methods_by_name)
{
	struct diff_compute c;
	struct perr e;

	CHECK_EQ(parsed(NULL).method, DIFF_DELTA_ABS);
	CHECK_EQ(parsed("delta").method, DIFF_DELTA);
	CHECK_EQ(parsed("delta-abs").method, DIFF_DELTA_ABS);
	CHECK_EQ(parsed("ratio").method, DIFF_RATIO);
	c = parsed("wdiff:-3,7");
	CHECK_EQ(c.method, DIFF_WDIFF);
	CHECK_EQ(c.base_weight, -3);
	CHECK_EQ(c.new_weight, 7);
	CHECK_EQ(diff_compute_parse(&c, "wdiff", &e), PERR_USAGE);
	CHECK_EQ(diff_compute_parse(&c, "wdiff:1", &e), PERR_USAGE);
	CHECK_EQ(diff_compute_parse(&c, "wdiff:0,1", &e), PERR_USAGE);
	CHECK_EQ(diff_compute_parse(&c, "wdiff:1,2x", &e), PERR_USAGE);
	CHECK_EQ(diff_compute_parse(&c, "deltas", &e), PERR_USAGE);
	CHECK_EQ(diff_compute_parse(&c, "cycles", &e), PERR_UNSUPPORTED);
}

TEST(values_and_formulas)
{
	const struct diff_periods p = {
		.base = 20, .new = 30, .base_total = 200, .new_total = 100
	};
	const struct diff_periods none = { .new = 7, .new_total = 7 };
	struct diff_compute c = parsed("delta");
	char text[200];

	CHECK(diff_compute_value(&c, &p).number == 20);
	CHECK(diff_compute_value(&c, &none).number == 100);
	CHECK(!strcmp(formula("delta-abs", &p, text), "(30 * 100 / 100) - (20 * 100 / 200)"));
	c = parsed("ratio");
	CHECK(diff_compute_value(&c, &p).number == 1.5);
	CHECK(diff_compute_value(&c, &none).number == 7); /* as perf: divided by 1 */
	CHECK(!strcmp(formula("ratio", &p, text), "30 / 20"));
	c = parsed("wdiff:3,2");
	CHECK_EQ(diff_compute_value(&c, &p).weighted, 0);
	CHECK_EQ(diff_compute_value(&c, &none).weighted, 14);
	CHECK(!strcmp(formula("wdiff:3,2", &p, text), "(30 * 2) - (20 * 3)"));
	CHECK(diff_share(5, 0) == 0);
}

TEST(larger_differences_come_first)
{
	const union diff_value down = { .number = -3 }, up = { .number = 2 };
	const union diff_value few = { .weighted = -3 }, many = { .weighted = 2 };
	struct diff_compute c = parsed("delta");

	CHECK(diff_compute_order(&c, up, down) < 0);
	c = parsed("delta-abs");
	CHECK(diff_compute_order(&c, up, down) > 0);
	CHECK(!diff_compute_order(&c, up, up));
	c = parsed("wdiff:1,1");
	CHECK(diff_compute_order(&c, many, few) < 0);
}

/* A row with x of n samples, all of one period. */
static struct diff_measure equal_samples(double x, double n, double period)
{
	return (struct diff_measure){ .row = { x * period, x * period * period },
				      .total = { n * period, n * period * period } };
}

static bool near(double a, double b)
{
	return fabs(a - b) < 0.0005;
}

/* 10 of 100 against 20 of 100: (21/102 - 11/102) -+ 1.96 sqrt(...), worked by hand. */
TEST(interval_of_shares)
{
	struct diff_measure a = equal_samples(10, 100, 1000), b = equal_samples(20, 100, 7);
	struct diff_interval i = diff_interval_of_shares(&a, &b);

	CHECK(i.known);
	CHECK(near(i.low, -0.0860) && near(i.high, 19.6938));
	CHECK(diff_interval_holds(&i, 0));
	/* ten times the samples tell the two apart */
	a = equal_samples(100, 1000, 1);
	b = equal_samples(200, 1000, 1);
	i = diff_interval_of_shares(&a, &b);
	CHECK(i.low > 6.8 && i.high < 13.2 && !diff_interval_holds(&i, 0));
	/* equal shares, a row that one recording lacks, and an empty recording */
	i = diff_interval_of_shares(&a, &a);
	CHECK(near(i.low, -i.high) && diff_interval_holds(&i, 0));
	a = equal_samples(0, 1000, 1);
	b = equal_samples(2, 1000, 1);
	i = diff_interval_of_shares(&a, &b);
	CHECK(i.known && diff_interval_holds(&i, 0));
	b = equal_samples(20, 1000, 1);
	i = diff_interval_of_shares(&a, &b);
	CHECK(i.low > 0);
	a = equal_samples(0, 0, 1);
	CHECK(!diff_interval_of_shares(&a, &b).known);
	i = diff_interval_of_shares(&a, &b);
	CHECK(!diff_interval_holds(&i, 0));
}

TEST(interval_of_ratio)
{
	struct diff_measure a = equal_samples(100, 1000, 1), b = equal_samples(100, 500, 2);
	struct diff_interval i = diff_interval_of_ratio(&a, &b);

	/* 2 / exp(1.96 sqrt(1/100 + 1/100)) */
	CHECK(near(i.low, 1.5158) && near(i.high, 2.6388));
	a = equal_samples(0, 10, 1);
	CHECK(!diff_interval_of_ratio(&a, &b).known);
}

TEST(interval_of_weighted_difference)
{
	struct diff_measure a = equal_samples(100, 1000, 1), b = equal_samples(100, 500, 2);
	struct diff_interval i = diff_interval_of_weighted(&a, 1, &b, 3);

	/* 600 - 100 -+ 1.96 sqrt(100 + 9 * 400) */
	CHECK(near(i.low, 500 - 1.959964 * sqrt(3700)));
	CHECK(near(i.high, 500 + 1.959964 * sqrt(3700)));
}

TEST(unequal_periods_carry_less_information)
{
	/* one sample of period 100 among 100 of period 1 */
	const struct diff_sums total = { 200, 10100 };

	CHECK(near(diff_effective_samples(&total), 40000.0 / 10100));
}

/* ---- how often intervals hold the truth, by simulation */

static u64 random_next(u64 *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 33;
}

static double random_unit(u64 *state)
{
	return ((double)random_next(state) + 0.5) / 2147483648.0;
}

/* n samples, of which the row has the share p; periods are equal or exponentially distributed. */
static struct diff_measure sampled(u64 *state, size_t n, double p, bool unequal)
{
	struct diff_measure m = { 0 };

	for (size_t i = 0; i < n; i++) {
		double w = unequal ? -log(random_unit(state)) : 1;

		m.total.period += w;
		m.total.squares += w * w;
		if (random_unit(state) < p) {
			m.row.period += w;
			m.row.squares += w * w;
		}
	}
	return m;
}

/* Returns how many of 1000 intervals hold the true difference, in percent. */
static double coverage(size_t n, double p, double q, bool unequal)
{
	u64 state = 1;
	int held = 0;

	for (int i = 0; i < 1000; i++) {
		struct diff_measure a = sampled(&state, n, p, unequal);
		struct diff_measure b = sampled(&state, 2 * n, q, unequal);
		struct diff_interval in = diff_interval_of_shares(&a, &b);

		held += diff_interval_holds(&in, 100 * (q - p));
	}
	return held / 10.0;
}

TEST(intervals_hold_the_truth_in_95_of_100)
{
	static const double shares[][2] = {
		{ 0.5, 0.5 }, { 0.2, 0.3 }, { 0.1, 0.1 }, { 0.03, 0.05 }, { 0.01, 0.01 }
	};

	for (size_t i = 0; i < ARRAY_SIZE(shares); i++)
		for (int unequal = 0; unequal < 2; unequal++) {
			double held = coverage(200, shares[i][0], shares[i][1], unequal);

			/* 95 with a deviation of 0.7; rows with few samples have wider intervals */
			CHECK(held > 92.5);
			CHECK(held < (shares[i][0] < 0.05 ? 99.9 : 97.5));
		}
}

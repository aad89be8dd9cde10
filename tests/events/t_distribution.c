/* SPDX-License-Identifier: MIT */
/* Distributions against the sorted values. */
#include "events/distribution.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "tests/frame/unit.h"

static int value_order(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* Values of all magnitudes below 2^bits. */
static u64 *random_values(size_t n, unsigned int bits, u64 seed)
{
	u64 *v = xcalloc(n, sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		unsigned int keep = (unsigned int)(hash_pair(seed, i) % bits) + 1;

		v[i] = hash_pair(i, seed) >> (64 - keep);
	}
	return v;
}

static void check_values(const u64 *v, size_t n)
{
	static const u32 quantiles[] = { 1, 10000, 250000, 500000, 950000, 990000, 999999 };
	struct distribution d = { 0 };
	u64 *sorted = xcalloc(n, sizeof(*sorted)), sum = 0, powers[65], in_powers = 0;

	for (size_t i = 0; i < n; i++) {
		(void)distribution_add(&d, v[i]);
		sorted[i] = v[i];
		if (__builtin_add_overflow(sum, v[i], &sum))
			sum = UINT64_MAX;
	}
	qsort(sorted, n, sizeof(*sorted), value_order);
	CHECK_EQ(d.n, n);
	CHECK_EQ(d.min, sorted[0]);
	CHECK_EQ(d.max, sorted[n - 1]);
	CHECK_EQ(d.sum, sum);
	for (size_t i = 0; i < ARRAY_SIZE(quantiles); i++) {
		size_t rank = (size_t)(((unsigned __int128)n * quantiles[i] + 999999) / 1000000);
		u64 want = sorted[rank - 1], got = distribution_quantile(&d, quantiles[i]);
		u64 off = got > want ? got - want : want - got;

		/* 0.4 %, and exact for few values and small ones */
		if (n <= DISTRIBUTION_FIRST || want < 256 || rank == n)
			CHECK_EQ(got, want);
		else if (off > want / 250)
			unit_fail(__FILE__, __LINE__, "p%u is %llu, not %llu", quantiles[i],
				  (unsigned long long)got, (unsigned long long)want);
		CHECK_EQ(distribution_is_last(&d, quantiles[i]), rank == n);
	}
	distribution_powers(&d, powers);
	for (size_t i = 0; i < 65; i++) {
		u64 count = 0;

		for (size_t j = 0; j < n; j++)
			count += i ? v[j] >> (i - 1) == 1 : v[j] == 0;
		CHECK_EQ(powers[i], count);
		in_powers += powers[i];
	}
	CHECK_EQ(in_powers, n);
	distribution_fini(&d);
	free(sorted);
}

TEST(values_of_all_magnitudes)
{
	for (unsigned int bits = 1; bits <= 64; bits += 7) {
		for (size_t n = 1; n < 5000; n = n * 2 + 1) {
			u64 *v = random_values(n, bits, bits * n);

			check_values(v, n);
			free(v);
		}
	}
}

TEST(limits_of_buckets)
{
	u64 v[3 * 64];
	size_t n = 0;

	for (unsigned int i = 0; i < 64; i++) {
		v[n++] = 1ull << i;
		v[n++] = (1ull << i) - 1;
		v[n++] = UINT64_MAX >> i;
	}
	check_values(v, n);
}

TEST(order_does_not_matter)
{
	u64 *v = random_values(1000, 40, 1);
	struct distribution a = { 0 }, b = { 0 };

	for (size_t i = 0; i < 1000; i++) {
		(void)distribution_add(&a, v[i]);
		(void)distribution_add(&b, v[999 - i]);
	}
	for (u32 q = 1000; q < 1000000; q += 1000)
		CHECK_EQ(distribution_quantile(&a, q), distribution_quantile(&b, q));
	distribution_fini(&a);
	distribution_fini(&b);
	free(v);
}

static void check_merge(const u64 *v, size_t n, size_t nr_parts)
{
	struct distribution all = { 0 }, sum = { 0 }, part = { 0 };

	for (size_t i = 0; i < n; i++)
		(void)distribution_add(&all, v[i]);
	for (size_t k = 0; k < nr_parts; k++) {
		for (size_t i = n * k / nr_parts; i < n * (k + 1) / nr_parts; i++)
			(void)distribution_add(&part, v[i]);
		distribution_merge(&sum, &part);
		distribution_fini(&part);
	}
	CHECK_EQ(sum.n, all.n);
	CHECK_EQ(sum.sum, all.sum);
	CHECK_EQ(sum.min, all.min);
	CHECK_EQ(sum.max, all.max);
	for (u32 q = 1; q < 1000000; q += 999)
		CHECK_EQ(distribution_quantile(&sum, q), distribution_quantile(&all, q));
	distribution_fini(&all);
	distribution_fini(&sum);
}

TEST(parts_are_the_whole)
{
	u64 *v = random_values(1000, 64, 3);
	static const size_t sizes[] = { 0, 1, 15, 16, 17, 33, 1000 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		for (size_t nr_parts = 1; nr_parts < 70; nr_parts = nr_parts * 2 + 1)
			check_merge(v, sizes[i], nr_parts);
	free(v);
}

TEST(nothing)
{
	struct distribution d = { 0 };

	CHECK_EQ(distribution_quantile(&d, 500000), 0);
}

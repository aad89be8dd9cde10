/* SPDX-License-Identifier: MIT */
#include "base/rank_order.h"

#include "base/mem.h"

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

static bool is_ordered(const struct ranked *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (v[i - 1].rank > v[i].rank)
			return false;
	return true;
}

/* The bits in which ranks differ, as digits; others need no pass. */
struct digits {
	unsigned int shift; /* of the lowest digit */
	unsigned int nr;
};

static struct digits digits_of(const struct ranked *v, size_t n)
{
	struct digits d = { 0 };
	u64 differ = 0;

	for (size_t i = 1; i < n; i++)
		differ |= v[i].rank ^ v[0].rank;
	if (!differ)
		return d;
	d.shift = (unsigned int)__builtin_ctzll(differ);
	d.nr = (64 - (unsigned int)__builtin_clzll(differ) - d.shift + DIGIT_BITS - 1) / DIGIT_BITS;
	return d;
}

static u32 digit(const struct digits *d, u64 rank, unsigned int pass)
{
	return (rank >> (d->shift + pass * DIGIT_BITS)) & (DIGITS - 1);
}

/* One pass of a radix sort. places: how many items have each digit, replaced by their positions. */
static void by_digit(const struct digits *d, const struct ranked *from, struct ranked *to, size_t n,
		     unsigned int pass, u32 *places)
{
	u32 sum = 0, nr;

	for (size_t k = 0; k < DIGITS; k++) {
		nr = places[k];
		places[k] = sum;
		sum += nr;
	}
	for (size_t i = 0; i < n; i++)
		to[places[digit(d, from[i].rank, pass)]++] = from[i];
}

void rank_order(struct ranked *v, size_t n)
{
	struct ranked *spare, *from = v, *to, *t;
	u32(*places)[DIGITS];
	struct digits d;

	if (is_ordered(v, n))
		return;
	d = digits_of(v, n);
	places = xcalloc(d.nr, sizeof(*places));
	for (size_t i = 0; i < n; i++)
		for (unsigned int pass = 0; pass < d.nr; pass++)
			places[pass][digit(&d, v[i].rank, pass)]++;
	spare = to = table_alloc_any(n * sizeof(*spare));
	for (unsigned int pass = 0; pass < d.nr; pass++) {
		/* all items have the same digit: the pass would change nothing */
		if (places[pass][digit(&d, v[0].rank, pass)] == n)
			continue;
		by_digit(&d, from, to, n, pass, places[pass]);
		t = from;
		from = to;
		to = t;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
	table_free(spare, n * sizeof(*spare));
	free(places);
}

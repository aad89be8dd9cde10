/* SPDX-License-Identifier: MIT */
#include "base/rank_order.h"

#include "base/mem.h"

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)
#define NR_PASSES 6 /* enough for 64 bits */

static bool is_ordered(const struct ranked *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (v[i - 1].rank > v[i].rank)
			return false;
	return true;
}

static u32 digit(u64 rank, unsigned int pass)
{
	return (rank >> (pass * DIGIT_BITS)) & (DIGITS - 1);
}

/* One pass of a radix sort. places: how many items have each digit, replaced by their positions. */
static void by_digit(const struct ranked *from, struct ranked *to, size_t n, unsigned int pass,
		     u32 *places)
{
	u32 sum = 0, nr;

	for (size_t d = 0; d < DIGITS; d++) {
		nr = places[d];
		places[d] = sum;
		sum += nr;
	}
	for (size_t i = 0; i < n; i++)
		to[places[digit(from[i].rank, pass)]++] = from[i];
}

void rank_order(struct ranked *v, size_t n)
{
	struct ranked *spare, *from = v, *to, *t;
	u32(*places)[DIGITS];

	if (is_ordered(v, n))
		return;
	places = xcalloc(NR_PASSES, sizeof(*places));
	for (size_t i = 0; i < n; i++)
		for (unsigned int pass = 0; pass < NR_PASSES; pass++)
			places[pass][digit(v[i].rank, pass)]++;
	spare = to = xmalloc(n * sizeof(*spare));
	for (unsigned int pass = 0; pass < NR_PASSES; pass++) {
		/* all items have the same digit: the pass would change nothing */
		if (places[pass][digit(v[0].rank, pass)] == n)
			continue;
		by_digit(from, to, n, pass, places[pass]);
		t = from;
		from = to;
		to = t;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
	free(spare);
	free(places);
}

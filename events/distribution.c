/* SPDX-License-Identifier: MIT */
#include "events/distribution.h"

#include "base/mem.h"

#define SUBS DISTRIBUTION_SUBS

static unsigned int power_of(u64 v)
{
	return 63 - (unsigned int)__builtin_clzll(v);
}

static inline size_t count(struct distribution *d, u64 v)
{
	unsigned int sub, page = distribution_bucket(v, &sub);

	if (d->pages[page]) {
		d->pages[page][sub]++;
		return 0;
	}
	d->pages[page] = xcalloc(SUBS, sizeof(u64));
	d->pages[page][sub] = 1;
	return SUBS * sizeof(u64);
}

/* The values kept so far go to their buckets: there will be more of them. */
static size_t count_first(struct distribution *d)
{
	size_t bytes = 0;

	for (size_t i = 0; i < d->n; i++)
		bytes += count(d, d->first[i]);
	return bytes;
}

/* The first value of a bucket, and how many values fall into it. */
static u64 bucket_start(unsigned int page, unsigned int sub, u64 *ret_width)
{
	*ret_width = page ? 1ull << (page - 1) : 1;
	return page ? (u64)(SUBS + sub) << (page - 1) : sub;
}

size_t distribution_add_slowly(struct distribution *d, u64 v)
{
	size_t bytes = 0;

	if (!d->n || v < d->min)
		d->min = v;
	if (v > d->max)
		d->max = v;
	if (__builtin_add_overflow(d->sum, v, &d->sum))
		d->sum = UINT64_MAX;
	if (d->n < DISTRIBUTION_FIRST) {
		d->first[d->n++] = v;
		return 0;
	}
	if (d->n == DISTRIBUTION_FIRST)
		bytes = count_first(d);
	d->n++;
	return bytes + count(d, v);
}

void distribution_merge(struct distribution *d, const struct distribution *from)
{
	if (from->n <= DISTRIBUTION_FIRST) {
		for (size_t i = 0; i < from->n; i++)
			(void)distribution_add(d, from->first[i]);
		return;
	}
	if (!d->n || from->min < d->min)
		d->min = from->min;
	if (from->max > d->max)
		d->max = from->max;
	if (__builtin_add_overflow(d->sum, from->sum, &d->sum))
		d->sum = UINT64_MAX;
	if (d->n <= DISTRIBUTION_FIRST)
		(void)count_first(d);
	d->n += from->n;
	for (size_t page = 0; page < DISTRIBUTION_PAGES; page++) {
		if (!from->pages[page])
			continue;
		if (!d->pages[page])
			d->pages[page] = xcalloc(SUBS, sizeof(u64));
		for (size_t sub = 0; sub < SUBS; sub++)
			d->pages[page][sub] += from->pages[page][sub];
	}
}

void distribution_fini(struct distribution *d)
{
	for (size_t i = 0; i < DISTRIBUTION_PAGES; i++)
		free(d->pages[i]);
	*d = (struct distribution){ 0 };
}

/* The value of rank `rank` (from 1) among the few in first[]. */
static u64 first_of_rank(const struct distribution *d, u64 rank)
{
	u64 sorted[DISTRIBUTION_FIRST];

	for (size_t i = 0; i < d->n; i++) {
		size_t j = i;

		for (; j && sorted[j - 1] > d->first[i]; j--)
			sorted[j] = sorted[j - 1];
		sorted[j] = d->first[i];
	}
	return sorted[rank - 1];
}

static u64 clamp(const struct distribution *d, u64 v)
{
	return v < d->min ? d->min : v > d->max ? d->max : v;
}

static u64 rank_of(const struct distribution *d, u32 q)
{
	u64 rank = (u64)(((unsigned __int128)d->n * q + 999999) / 1000000);

	return rank ? rank : 1;
}

bool distribution_is_last(const struct distribution *d, u32 q)
{
	return rank_of(d, q) >= d->n;
}

u64 distribution_quantile(const struct distribution *d, u32 q)
{
	u64 rank = rank_of(d, q), width, start;

	if (!d->n)
		return 0;
	if (rank >= d->n)
		return d->max;
	if (d->n <= DISTRIBUTION_FIRST)
		return first_of_rank(d, rank);
	for (unsigned int page = 0; page < DISTRIBUTION_PAGES; page++) {
		for (unsigned int sub = 0; d->pages[page] && sub < SUBS; sub++) {
			u64 n = d->pages[page][sub];

			if (rank <= n) {
				start = bucket_start(page, sub, &width);
				return clamp(d, start + (width - 1) / 2);
			}
			rank -= n;
		}
	}
	return d->max;
}

void distribution_powers(const struct distribution *d, u64 ret[65])
{
	memset(ret, 0, 65 * sizeof(ret[0]));
	if (d->n <= DISTRIBUTION_FIRST) {
		for (size_t i = 0; i < d->n; i++)
			ret[d->first[i] ? power_of(d->first[i]) + 1 : 0]++;
		return;
	}
	for (unsigned int page = 0; page < DISTRIBUTION_PAGES; page++) {
		for (unsigned int sub = 0; d->pages[page] && sub < SUBS; sub++) {
			u64 width, start = bucket_start(page, sub, &width);

			ret[start ? power_of(start) + 1 : 0] += d->pages[page][sub];
		}
	}
}

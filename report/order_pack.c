/* SPDX-License-Identifier: MIT */
#include "report/order_pack.h"

#include "base/mem.h"
#include "session/rank_order.h"

#define TOP (1ull << 63)

/* A number of each item, no more than `bits` bits of it. */
struct field {
	const u64 *v;
	u64 mask, low; /* what is subtracted once the mask is laid on */
	u32 *ranks;    /* of the numbers; NULL: they are themselves small enough */
	unsigned int bits;
};

static unsigned int bits_of(u64 v)
{
	return v ? 64 - (unsigned int)__builtin_clzll(v) : 0;
}

static struct field field_of(const u64 *v, u32 n, u64 mask)
{
	struct field f = { .v = v, .mask = mask, .low = UINT64_MAX };
	u64 high = 0;

	for (u32 i = 0; i < n; i++) {
		u64 x = v[i] & mask;

		f.low = x < f.low ? x : f.low;
		high = x > high ? x : high;
	}
	f.bits = n ? bits_of(high - f.low) : 0;
	return f;
}

static void rank(struct field *f, u32 n)
{
	struct ranked *r = table_alloc_any((size_t)n * sizeof(*r));
	u32 rank = 0, i;

	for (i = 0; i < n; i++)
		r[i] = (struct ranked){ .rank = (f->v[i] & f->mask) - f->low, .index = i };
	rank_order(r, n);
	f->ranks = xmalloc(((size_t)n + 1) * sizeof(*f->ranks));
	for (i = 0; i < n; i++) {
		rank += i && r[i].rank != r[i - 1].rank;
		f->ranks[r[i].index] = rank;
	}
	table_free(r, (size_t)n * sizeof(*r));
	f->bits = bits_of(rank);
}

enum { FIRST, MIDDLE, LOW, LAST, NR_FIELDS };

static unsigned int sum_bits(const struct field *f)
{
	return f[FIRST].bits + f[MIDDLE].bits + f[LOW].bits + f[LAST].bits;
}

/* The fields from the lowest on up. */
static void put_together(struct order_pack *p, const struct field *fields, u32 n)
{
	unsigned int shift = 0;

	for (int k = NR_FIELDS; k--;) {
		const struct field *f = &fields[k];

		for (u32 i = 0; f->bits && i < n; i++)
			p->words[i] |= (f->ranks ? f->ranks[i] : (f->v[i] & f->mask) - f->low)
				       << shift;
		shift += f->bits;
	}
}

/* Bits that are left over go to the first column. */
static void set_masks(struct order_pack *p, const struct field *f)
{
	unsigned int last = f[LAST].bits, low = f[LOW].bits + last, middle = f[MIDDLE].bits + low;

	p->first_bits = 64 - middle;
	p->last = (1ull << last) - 1;
	p->low = 1ull << low;
	p->high = 1ull << middle;
	p->middle = ~0ull << (64 - f[MIDDLE].bits);
	p->first = ~0ull << middle;
	p->sign = 1ull << (middle - 1);
}

/*
 * Addresses without their highest bit are ranked, and get it back above the ranks: where one comes
 * from to the other within half the circle, it does so on that smaller circle.
 */
static void rank_addresses(struct field *f, u32 n)
{
	rank(f, n);
	for (u32 i = 0; i < n; i++)
		f->ranks[i] |= (u32)(f->v[i] >> 63) << f->bits;
	f->bits++;
}

bool order_pack(struct order_pack *p, const struct order_words *w)
{
	static const int by_use[] = { FIRST, LAST, LOW };
	struct field f[NR_FIELDS];
	u32 n = w->nr_items;
	bool is_addr, fits;
	size_t i;

	/* numbers of items have fewer than 32 bits, as those of nodes */
	if (w->nr != 3 || w->kinds[0] != ORDER_WORD || w->kinds[2] != ORDER_WORD ||
	    (w->kinds[1] != ORDER_ADDR && w->kinds[1] != ORDER_TASK))
		return false;
	is_addr = w->kinds[1] == ORDER_ADDR;
	f[FIRST] = field_of(w->columns[0], n, UINT64_MAX);
	f[MIDDLE] = field_of(w->columns[1], n, is_addr ? TOP - 1 : ~(u64)UINT32_MAX);
	f[LOW] = field_of(w->columns[1], n, is_addr ? 0 : UINT32_MAX);
	f[LAST] = field_of(w->columns[2], n, UINT64_MAX);
	if (is_addr)
		rank_addresses(&f[MIDDLE], n);
	else /* the low half of its words is not theirs */
		rank(&f[MIDDLE], n);
	for (i = 0; i < ARRAY_SIZE(by_use) && sum_bits(f) > 64; i++)
		rank(&f[by_use[i]], n);
	/* shifts by all 64 bits are none */
	fits = sum_bits(f) <= 64 && f[FIRST].bits && f[MIDDLE].bits;
	if (fits) {
		p->kind = w->kinds[1];
		p->words = xcalloc((size_t)n + 1, sizeof(*p->words));
		set_masks(p, f);
		put_together(p, f, n);
	}
	for (i = 0; i < NR_FIELDS; i++)
		free(f[i].ranks);
	return fits;
}

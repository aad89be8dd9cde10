/* SPDX-License-Identifier: MIT */
/*
 * What items are compared by in one word each, for order_nodes.c: a WORD, an ADDR or a TASK, and a
 * WORD, from the highest bit on.
 */
#ifndef REPORT_ORDER_PACK_H
#define REPORT_ORDER_PACK_H

#include "report/order_tree.h"

/* What words are, one after the other; columns[k][i] is word k of item i. */
struct order_words {
	const enum order_kind *kinds;
	u64 *const *columns;
	size_t nr;    /* of words */
	u32 nr_items; /* below 2^31 */
};

struct order_pack {
	u64 *words;              /* by item */
	enum order_kind kind;    /* of the middle */
	unsigned int first_bits; /* 1 to 63 */
	/*
	 * ADDR: the bits of the middle, once the first ones are shifted out; its highest bit is
	 * that of the address, so that differences of any two have the sign of those of the
	 * addresses. Where these bits are in the word, and that sign is.
	 */
	u64 middle;
	u64 first, sign;
	/* TASK: words that differ in the task at the highest differ by low up to high - 1 by xor.
	 */
	u64 low, high;
	u64 last; /* the bits of the last column */
};

/* False when the columns are others, or too many bits; else p->words is the caller's to free. */
bool order_pack(struct order_pack *p, const struct order_words *w);

/* 0 when word x is before y, else 1. Without branches, which could not be foretold. */
static inline int order_pack_side(const struct order_pack *p, enum order_kind kind, u64 x, u64 y)
{
	u64 d = x ^ y, by;
	int whole = x >= y, part, decides;

	if (kind == ORDER_ADDR) {
		/* of different addresses of the same first column the difference tells */
		by = (x & ~p->last) - (y & ~p->last);
		part = !(by & p->sign);
		decides = (d & p->first) != 0 || !by;
	} else {
		part = (x & p->last) >= (y & p->last);
		decides = d - p->low >= p->high - p->low;
	}
	return decides ? whole : part;
}

#endif

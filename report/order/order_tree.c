/* SPDX-License-Identifier: MIT */
#include "report/order/order_tree.h"

#include "base/mem.h"
#include "report/order/order_nodes.h"
#include "base/rank_order.h"

struct order_tree {
	u32 nr;
	enum order_kind *kinds;
	u64 **columns;
	size_t nr_columns, cap_kinds, cap_columns;
	int last_bits; /* bits that the last column uses; 64: nothing may be packed into it */
};

struct order_tree *order_tree_new(u32 nr)
{
	struct order_tree *o = xcalloc(1, sizeof(*o));

	o->nr = nr;
	o->last_bits = 64;
	return o;
}

void order_tree_free(struct order_tree *o)
{
	for (size_t i = 0; i < o->nr_columns; i++)
		free(o->columns[i]);
	free(o->columns);
	free(o->kinds);
	free(o);
}

static int bits_of(u64 v)
{
	return v ? 64 - __builtin_clzll(v) : 0;
}

/* Replaces the values by ORDER_WORD values of the same order if their comparison is transitive. */
static enum order_kind simplify_values(enum order_kind kind, u64 *v, u32 nr)
{
	u64 low = UINT64_MAX, high = 0, base;
	s64 least = INT64_MAX, most = INT64_MIN;
	u64 odd = 0;
	u32 i;

	switch (kind) {
	case ORDER_WORD: break;
	case ORDER_ADDR:
		for (i = 0; i < nr; i++) {
			low = v[i] < low ? v[i] : low;
			high = v[i] > high ? v[i] : high;
			least = (s64)v[i] < least ? (s64)v[i] : least;
			most = (s64)v[i] > most ? (s64)v[i] : most;
		}
		if (high - low < 1ull << 63)
			base = low;
		else if ((u64)most - (u64)least < 1ull << 63)
			base = (u64)least;
		else
			return kind;
		for (i = 0; i < nr; i++)
			v[i] -= base;
		break;
	case ORDER_TASK:
		for (i = 0; i < nr; i++)
			if (v[i] >> 32 != v[0] >> 32)
				return kind;
		break;
	case ORDER_MARKED:
		for (i = 0; i < nr; i++) {
			if (v[i] & 1 && odd && v[i] != odd)
				return kind;
			odd = v[i] & 1 ? v[i] : odd;
		}
		break;
	case ORDER_OLDEST:
	case ORDER_LATEST: return kind;
	}
	return ORDER_WORD;
}

static void push_column(struct order_tree *o, enum order_kind kind, u64 *values)
{
	size_t nr = o->nr_columns;

	vec_push(o->kinds, nr, o->cap_kinds, kind);
	vec_push(o->columns, o->nr_columns, o->cap_columns, values);
}

void order_tree_add(struct order_tree *o, enum order_kind kind, u64 *values)
{
	u64 low = UINT64_MAX, high = 0, *last;
	int bits;
	u32 i;

	kind = simplify_values(kind, values, o->nr);
	if (kind != ORDER_WORD) {
		push_column(o, kind, values);
		o->last_bits = 64;
		return;
	}
	for (i = 0; i < o->nr; i++) {
		low = values[i] < low ? values[i] : low;
		high = values[i] > high ? values[i] : high;
	}
	bits = o->nr ? bits_of(high - low) : 0;
	/* a value that all items share decides nothing */
	if (!bits) {
		free(values);
		return;
	}
	if (o->last_bits + bits <= 64) {
		last = o->columns[o->nr_columns - 1];
		for (i = 0; i < o->nr; i++)
			last[i] = last[i] << bits | (values[i] - low);
		o->last_bits += bits;
		free(values);
		return;
	}
	for (i = 0; i < o->nr; i++)
		values[i] -= low;
	push_column(o, kind, values);
	o->last_bits = bits;
}

bool order_tree_is_plain(const struct order_tree *o)
{
	for (size_t i = 0; i < o->nr_columns; i++)
		if (o->kinds[i] != ORDER_WORD)
			return false;
	return true;
}

/* For transitive comparisons: a stable sort by each column, from the last to the first. */
static void sort_plain(const struct order_tree *o, u32 *items, u32 n)
{
	struct ranked *v = table_alloc_any((size_t)n * sizeof(*v));

	for (size_t k = o->nr_columns; k--;) {
		for (u32 i = 0; i < n; i++)
			v[i] = (struct ranked){ .rank = o->columns[k][items[i]],
						.index = items[i] };
		rank_order(v, n);
		for (u32 i = 0; i < n; i++)
			items[i] = v[i].index;
	}
	table_free(v, (size_t)n * sizeof(*v));
}

void order_tree_sort(struct order_tree *o, u32 *items, u32 n)
{
	struct order_words w = { o->kinds, o->columns, o->nr_columns, o->nr };

	if (order_tree_is_plain(o))
		sort_plain(o, items, n);
	else
		order_nodes_sort(&w, items, n);
}

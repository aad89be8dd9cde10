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

/* ---- sorting of items that no tree decides about */

#define FEW 32 /* items that are sorted by inserting them */

static void sort_ranked(struct ranked *v, u32 n)
{
	if (n > FEW) {
		rank_order(v, n);
		return;
	}
	for (u32 i = 1; i < n; i++) {
		struct ranked r = v[i];
		u32 at = i;

		for (; at && v[at - 1].rank > r.rank; at--)
			v[at] = v[at - 1];
		v[at] = r;
	}
}

/*
 * Sorts a run of items that are equal so far by one criterion. begins: whether an item differs from
 * the one before it. False: the criterion is not consistent.
 */
static bool sort_run(const struct order_tree *o, size_t column, u32 *items, bool *begins, u32 n)
{
	u64 *values = xmalloc(n * sizeof(*values));
	struct ranked *v = xmalloc(n * sizeof(*v));
	bool sure, equal = true;
	u32 i;

	for (i = 0; i < n; i++) {
		values[i] = o->columns[column][items[i]];
		equal &= values[i] == values[0];
	}
	sure = equal || simplify_values(o->kinds[column], values, n) == ORDER_WORD;
	if (sure && !equal) {
		for (i = 0; i < n; i++)
			v[i] = (struct ranked){ .rank = values[i], .index = items[i] };
		sort_ranked(v, n);
		for (i = 0; i < n; i++) {
			items[i] = v[i].index;
			begins[i] |= i && v[i].rank != v[i - 1].rank;
		}
	}
	free(values);
	free(v);
	return sure;
}

/* The number of items from `from` on that are equal so far. */
static u32 run_length(const bool *begins, u32 from, u32 n)
{
	u32 end = from + 1;

	while (end < n && !begins[end])
		end++;
	return end - from;
}

u32 order_tree_sort_surely(const struct order_tree *o, u32 *items, u32 n)
{
	bool *begins = xcalloc((size_t)n + 1, sizeof(*begins));
	u32 i, len;

	for (size_t k = 0; k < o->nr_columns; k++)
		for (i = 0; i < n; i += len) {
			len = run_length(begins, i, n);
			if (len > 1 && !sort_run(o, k, items + i, begins + i, len))
				n = i;
		}
	for (i = 0; i < n; i += len) {
		len = run_length(begins, i, n);
		if (len > 1)
			n = i;
	}
	free(begins);
	return n;
}

/* ---- sorting, at once or in pieces */

#define PIECE 8192 /* items that are inserted into a tree at once: about two milliseconds */

struct order_sorting {
	const struct order_tree *o;
	u32 *items, n;
	size_t columns_left;       /* of a plain order */
	struct order_nodes *nodes; /* of another one */
	u32 nr_inserted;
};

struct order_sorting *order_sorting_new(struct order_tree *o, u32 *items, u32 n)
{
	const struct order_words w = { o->kinds, o->columns, o->nr_columns, o->nr };
	struct order_sorting *s = xcalloc(1, sizeof(*s));

	*s = (struct order_sorting){ .o = o, .items = items, .n = n };
	if (order_tree_is_plain(o))
		s->columns_left = o->nr_columns;
	else
		s->nodes = order_nodes_new(&w);
	return s;
}

void order_sorting_free(struct order_sorting *s)
{
	if (s && s->nodes)
		order_nodes_free(s->nodes);
	free(s);
}

/* For transitive comparisons: a stable sort by each column, from the last to the first. */
static void sort_by_column(const struct order_sorting *s, const u64 *column)
{
	struct ranked *v = table_alloc_any((size_t)s->n * sizeof(*v));

	for (u32 i = 0; i < s->n; i++)
		v[i] = (struct ranked){ .rank = column[s->items[i]], .index = s->items[i] };
	rank_order(v, s->n);
	for (u32 i = 0; i < s->n; i++)
		s->items[i] = v[i].index;
	table_free(v, (size_t)s->n * sizeof(*v));
}

static bool insert_piece(struct order_sorting *s)
{
	u32 left = s->n - s->nr_inserted, nr = left < PIECE ? left : PIECE;

	order_nodes_insert(s->nodes, s->items + s->nr_inserted, nr);
	s->nr_inserted += nr;
	if (s->nr_inserted < s->n)
		return true;
	order_nodes_list(s->nodes, s->items);
	order_nodes_free(s->nodes);
	s->nodes = NULL;
	return true;
}

bool order_sorting_go_on(struct order_sorting *s)
{
	if (s->nodes)
		return insert_piece(s);
	if (!s->columns_left)
		return false;
	sort_by_column(s, s->o->columns[--s->columns_left]);
	return true;
}

void order_tree_sort(struct order_tree *o, u32 *items, u32 n)
{
	struct order_sorting *s = order_sorting_new(o, items, n);

	while (order_sorting_go_on(s))
		;
	order_sorting_free(s);
}

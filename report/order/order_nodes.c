/* SPDX-License-Identifier: MIT */
#include "report/order/order_nodes.h"

#include "base/mem.h"
#include "base/perf_tree.h"

/* The words of all items, one item's side by side. */
static u64 *words_of(const struct order_words *w)
{
	u64 *words = table_alloc_any(((size_t)w->nr_items + 1) * w->nr * sizeof(*words));

	for (size_t k = 0; k < w->nr; k++)
		for (u32 i = 0; i < w->nr_items; i++)
			words[i * w->nr + k] = w->columns[k][i];
	return words;
}

/* The side of an item with words y that one with words x belongs on. */
static inline enum perf_tree_side side_of(const struct order_words *w, const u64 *x, const u64 *y)
{
	for (size_t i = 0; i < w->nr; i++) {
		u64 a = x[i], b = y[i];

		if (a == b)
			continue;
		switch (w->kinds[i]) {
		case ORDER_WORD: return a >= b;
		case ORDER_ADDR: return (s64)(a - b) >= 0;
		case ORDER_TASK:
			if (a >> 32 != b >> 32)
				continue;
			return a >= b;
		case ORDER_MARKED:
			if (a & b & 1)
				continue;
			return a >= b;
		case ORDER_OLDEST: return PERF_TREE_RIGHT;
		case ORDER_LATEST: return PERF_TREE_LEFT;
		}
	}
	return PERF_TREE_RIGHT;
}

/* Fetches into the cache what the next step down needs, whichever side it takes. */
static inline void fetch_children(const struct perf_tree *t, const u64 *words, size_t nr, u32 at)
{
	for (int side = 0; side < 2; side++) {
		u32 child = t->nodes[at].child[side];

		if (child == PERF_TREE_NONE)
			child = at;
		__builtin_prefetch(&t->nodes[child]);
		__builtin_prefetch(words + child * nr);
	}
}

void order_nodes_sort(const struct order_words *w, u32 *items, u32 n)
{
	u64 *words = words_of(w);
	struct perf_tree t;

	perf_tree_init(&t, w->nr_items);
	for (u32 i = 0; i < n; i++) {
		const u64 *x = words + items[i] * w->nr;
		u32 at = t.root, parent = PERF_TREE_NONE;
		enum perf_tree_side side = PERF_TREE_RIGHT;

		while (at != PERF_TREE_NONE) {
			fetch_children(&t, words, w->nr, at);
			parent = at;
			side = side_of(w, x, words + at * w->nr);
			at = t.nodes[at].child[side];
		}
		perf_tree_insert(&t, items[i], parent, side);
	}
	perf_tree_list(&t, items);
	perf_tree_fini(&t);
	table_free(words, ((size_t)w->nr_items + 1) * w->nr * sizeof(*words));
}

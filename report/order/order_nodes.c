/* SPDX-License-Identifier: MIT */
#include "report/order/order_nodes.h"

#include "base/mem.h"
#include "base/perf_tree.h"

#define MANY 65536 /* items of which some nodes on each way are in no cache */
#define ABREAST 16 /* items that are looked up at the same time */

/*
 * A summary of the nodes along the tree's right edge: an item that belongs after all of them can be
 * appended without comparisons. No node has a higher key than the last one. The addresses of nodes
 * with that key are on the arc from low up to high, which is less than half of the circle of 2^64
 * addresses.
 */
struct right_end {
	bool is_known;
	u32 item; /* the last item in order */
	u64 key;  /* the last item's key */
	u64 low, high;
};

struct order_nodes {
	struct order_words w;
	size_t nr;  /* items in the tree */
	u64 *words; /* of all items, one item's side by side */
	struct perf_tree tree;
	/*
	 * The first column is of ORDER_WORD and its values are copied into the nodes as keys, so
	 * that most steps down the tree read only nodes. Otherwise all keys are 0.
	 */
	bool has_keys;
	bool has_addr; /* the column behind the keys is of addresses */
	struct right_end end;
};

static size_t size_of_words(const struct order_words *w)
{
	return ((size_t)w->nr_items + 1) * w->nr * sizeof(u64);
}

struct order_nodes *order_nodes_new(const struct order_words *w)
{
	struct order_nodes *o = xmalloc(sizeof(*o));

	*o = (struct order_nodes){ .w = *w, .words = table_alloc_any(size_of_words(w)) };
	for (size_t k = 0; k < w->nr; k++)
		for (u32 i = 0; i < w->nr_items; i++)
			o->words[i * w->nr + k] = w->columns[k][i];
	perf_tree_init(&o->tree, w->nr_items);
	o->has_keys = w->kinds[0] == ORDER_WORD;
	o->has_addr = w->nr > o->has_keys && w->kinds[o->has_keys] == ORDER_ADDR;
	return o;
}

void order_nodes_free(struct order_nodes *o)
{
	perf_tree_fini(&o->tree);
	table_free(o->words, size_of_words(&o->w));
	free(o);
}

/* Returns the side of item y on which item x belongs. Their keys are equal; x, y are their words.
 */
static inline enum perf_tree_side side_of(const struct order_nodes *o, const u64 *x, const u64 *y)
{
	const struct order_words *w = &o->w;

	for (size_t i = o->has_keys; i < w->nr; i++) {
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

static inline enum perf_tree_side side_at(const struct order_nodes *o, u32 item, u32 at)
{
	u64 key = o->tree.nodes[item].key, other = o->tree.nodes[at].key;

	if (key != other)
		return key > other;
	return side_of(o, o->words + item * o->w.nr, o->words + at * o->w.nr);
}

/* Prefetches both children of a node for the next step down. */
static inline void fetch_children(const struct perf_tree *t, u32 at)
{
	for (int side = 0; side < 2; side++) {
		u32 child = t->nodes[at].child[side];

		__builtin_prefetch(&t->nodes[child == PERF_TREE_NONE ? at : child]);
	}
}

static bool is_behind_all(const struct order_nodes *o, u64 key, u64 addr)
{
	const struct right_end *e = &o->end;

	if (!e->is_known || key != e->key)
		return e->is_known && key > e->key;
	return o->has_addr && (s64)(addr - e->low) >= 0 && addr - e->low > e->high - e->low;
}

/* Inserts an item that belongs behind all others. */
static void order_nodes_append(struct order_nodes *o, u32 item, u64 key, u64 addr)
{
	struct right_end *e = &o->end;

	perf_tree_insert(&o->tree, item, e->item, PERF_TREE_RIGHT);
	e->low = key == e->key ? e->low : addr;
	e->high = addr;
	e->key = key;
	e->item = item;
}

static void order_nodes_add(struct order_nodes *o, u32 item)
{
	struct perf_tree *t = &o->tree;
	const u64 *x = o->words + item * o->w.nr;
	u64 key = o->has_keys ? x[0] : 0, addr = o->has_addr ? x[o->has_keys] : 0, arc = 0;
	u32 at = t->root, parent = PERF_TREE_NONE;
	enum perf_tree_side side = PERF_TREE_RIGHT;
	bool is_last = true;

	t->nodes[item].key = key;
	if (is_behind_all(o, key, addr)) {
		order_nodes_append(o, item, key, addr);
		return;
	}
	while (at != PERF_TREE_NONE) {
		u64 other = t->nodes[at].key;

		fetch_children(t, at);
		parent = at;
		if (key != other) {
			side = key > other;
		} else {
			const u64 *y = o->words + at * o->w.nr;

			side = side_of(o, x, y);
			if (o->has_addr && addr - y[o->has_keys] > arc)
				arc = addr - y[o->has_keys];
		}
		is_last &= side;
		at = t->nodes[at].child[side];
	}
	perf_tree_insert(t, item, parent, side);
	o->end = (struct right_end){ is_last, item, key, addr - arc, addr };
}

/*
 * Walks down the tree for some items side by side, as order_nodes_add() will for each of them. One
 * walk waits for memory at nearly every step; several do so at the same time, and leave the nodes
 * in the cache.
 */
static void fetch_ways(struct order_nodes *o, const u32 *items, u32 n)
{
	struct perf_tree *t = &o->tree;
	u32 at[ABREAST], left = n, i;

	for (i = 0; i < n; i++) {
		const u64 *x = o->words + items[i] * o->w.nr;
		u64 key = o->has_keys ? x[0] : 0, addr = o->has_addr ? x[o->has_keys] : 0;

		t->nodes[items[i]].key = key;
		at[i] = is_behind_all(o, key, addr) ? PERF_TREE_NONE : t->root;
	}
	while (left && t->root != PERF_TREE_NONE) {
		left = 0;
		for (i = 0; i < n; i++) {
			const struct perf_tree_node *node;

			if (at[i] == PERF_TREE_NONE)
				continue;
			node = &t->nodes[at[i]];
			at[i] = node->child[side_at(o, items[i], at[i])];
			if (at[i] == PERF_TREE_NONE)
				continue;
			__builtin_prefetch(&t->nodes[at[i]]);
			__builtin_prefetch(o->words + at[i] * o->w.nr);
			left++;
		}
	}
}

void order_nodes_insert(struct order_nodes *o, const u32 *items, u32 n)
{
	for (u32 i = 0; i < n; i += ABREAST) {
		u32 nr = n - i < ABREAST ? n - i : ABREAST;

		if (o->nr > MANY)
			fetch_ways(o, items + i, nr);
		for (u32 k = 0; k < nr; k++)
			order_nodes_add(o, items[i + k]);
		o->nr += nr;
	}
}

void order_nodes_list(const struct order_nodes *o, u32 *items)
{
	perf_tree_list(&o->tree, items);
}

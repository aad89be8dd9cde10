/* SPDX-License-Identifier: MIT */
#include "report/order_tree.h"

#include "base/mem.h"

#define MAX_DEPTH 72 /* a red-black tree of 2^32 nodes is no deeper than 64 */
#define RED (1u << 31)
#define NUMBER (RED - 1)

/* Item i is node i + 1; 0 is none. */
struct node {
	u32 child[2]; /* left, with the node's colour; right */
	u64 words[];
};

/* The way from the root to a node: the nodes, and the side that each was left by. */
struct path {
	u32 nodes[MAX_DEPTH];
	int sides[MAX_DEPTH];
	size_t nr;
};

struct order_tree {
	u32 nr;
	enum order_kind *kinds;
	u64 **columns;
	size_t nr_columns, cap_kinds, cap_columns;
	int last_bits; /* of the last column, when words may be added to it; 64: none */
	/* while sorting */
	u8 *nodes;
	size_t node_size;
	u32 root;
	struct path path; /* to the item put in last */
	bool at_end;      /* which is the last in order */
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

/* Where the comparison is an order for these values, makes them words. */
static enum order_kind simplify(enum order_kind kind, u64 *v, u32 nr)
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

	kind = simplify(kind, values, o->nr);
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
	/* what all items have alike decides nothing */
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

/* ---- the tree */

static struct node *node_at(const struct order_tree *o, u32 n)
{
	return (struct node *)(void *)(o->nodes + n * o->node_size);
}

static u32 child_of(const struct node *n, int side)
{
	return n->child[side] & NUMBER;
}

static void set_child(struct node *n, int side, u32 child)
{
	n->child[side] = (n->child[side] & RED) | child;
}

static bool is_red(const struct node *n)
{
	return n->child[0] & RED;
}

static void set_red(struct node *n, bool red)
{
	n->child[0] = (n->child[0] & NUMBER) | (red ? RED : 0);
}

/* The side of a node with words y that an item with words x belongs on: 0 when x is before y. */
static inline int side_of(const struct order_tree *o, const u64 *x, const u64 *y)
{
	for (size_t i = 0; i < o->nr_columns; i++) {
		u64 a = x[i], b = y[i];

		if (a == b)
			continue;
		switch (o->kinds[i]) {
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
		case ORDER_OLDEST: return 1;
		case ORDER_LATEST: return 0;
		}
	}
	return 1;
}

/* Hangs a node where the one at path[at] hangs. */
static void hang(struct order_tree *o, const struct path *p, size_t at, u32 n)
{
	if (at)
		set_child(node_at(o, p->nodes[at - 1]), p->sides[at - 1], n);
	else
		o->root = n;
}

/* The textbook's repair of a red-black tree after the last node of the path was put in. */
static void rebalance(struct order_tree *o, struct path *p)
{
	size_t at = p->nr - 1; /* a red node */

	while (at >= 2) {
		struct node *parent = node_at(o, p->nodes[at - 1]),
			    *grand = node_at(o, p->nodes[at - 2]);
		int side = p->sides[at - 2];
		u32 uncle, top = p->nodes[at - 1];

		if (!is_red(parent))
			return;
		uncle = child_of(grand, !side);
		if (uncle && is_red(node_at(o, uncle))) {
			set_red(parent, false);
			set_red(node_at(o, uncle), false);
			set_red(grand, true);
			at -= 2;
			continue;
		}
		if (p->sides[at - 1] != side) {
			struct node *n = node_at(o, p->nodes[at]);

			top = p->nodes[at];
			set_child(parent, !side, child_of(n, side));
			set_child(n, side, p->nodes[at - 1]);
			parent = n;
		}
		set_child(grand, side, child_of(parent, !side));
		set_child(parent, !side, p->nodes[at - 2]);
		set_red(parent, false);
		set_red(grand, true);
		hang(o, p, at - 2, top);
		/* of a path along the end only `grand` is no more on it */
		p->nr--;
		memmove(p->nodes + at - 2, p->nodes + at - 1, (p->nr - (at - 2)) * sizeof(u32));
		return;
	}
	set_red(node_at(o, o->root), false);
}

/*
 * Follows the path along the end of the tree as far as the item belongs there: what is in order
 * already is put in at low cost, as the nodes to compare with are known beforehand.
 */
static u32 follow_end(struct order_tree *o, const u64 *words)
{
	struct path *p = &o->path;

	for (size_t i = 0; i < p->nr; i++) {
		p->sides[i] = 1;
		if (!side_of(o, words, node_at(o, p->nodes[i])->words)) {
			p->nr = i;
			return p->nodes[i];
		}
	}
	return 0;
}

static void insert(struct order_tree *o, u32 item)
{
	struct node *n = node_at(o, item);
	struct path *p = &o->path;
	u32 at = o->root;

	if (o->at_end)
		at = follow_end(o, n->words);
	else
		p->nr = 0;
	o->at_end = !at || !p->nr;
	while (at) {
		const struct node *x = node_at(o, at);
		int side;

		__builtin_prefetch(node_at(o, child_of(x, 0)));
		__builtin_prefetch(node_at(o, child_of(x, 1)));
		side = side_of(o, n->words, x->words);
		o->at_end &= side;
		p->nodes[p->nr] = at;
		p->sides[p->nr++] = side;
		at = child_of(x, side);
	}
	n->child[0] = RED;
	n->child[1] = 0;
	hang(o, p, p->nr, item);
	p->nodes[p->nr++] = item;
	rebalance(o, p);
}

static void list(const struct order_tree *o, u32 *items)
{
	u32 stack[MAX_DEPTH], nr = 0, n = 0, at = o->root;

	while (at || nr) {
		for (; at; at = child_of(node_at(o, at), 0)) {
			stack[nr++] = at;
			__builtin_prefetch(node_at(o, child_of(node_at(o, at), 1)));
		}
		at = stack[--nr];
		items[n++] = at - 1;
		at = child_of(node_at(o, at), 1);
	}
}

void order_tree_sort(struct order_tree *o, u32 *items, u32 n)
{
	size_t size, c;
	u32 i;

	o->node_size = sizeof(struct node) + o->nr_columns * sizeof(u64);
	size = ((size_t)o->nr + 1) * o->node_size;
	o->nodes = table_alloc(size);
	for (i = 0; i < o->nr; i++)
		for (c = 0; c < o->nr_columns; c++)
			node_at(o, i + 1)->words[c] = o->columns[c][i];
	o->root = 0;
	o->path.nr = 0;
	o->at_end = false;
	for (i = 0; i < n; i++)
		insert(o, items[i] + 1);
	list(o, items);
	table_free(o->nodes, size);
	o->nodes = NULL;
}

/* SPDX-License-Identifier: MIT */
#include "symbols/overlap.h"

#include "base/mem.h"

#define NONE UINT32_MAX

/* Deeper than any red-black tree of 2^32 nodes. */
#define MAX_DEPTH 68

enum side { LEFT, RIGHT };

struct node {
	u32 child[2];
	u32 parent;
	bool red;
};

/* Node i is range i. */
struct tree {
	const struct overlap_range *ranges;
	struct node *nodes;
	u32 root;
};

static enum side side_of(const struct tree *t, u32 n)
{
	return t->nodes[t->nodes[n].parent].child[RIGHT] == n ? RIGHT : LEFT;
}

/* Moves n down to the given side; its child of the other side takes its place. */
static void rotate(struct tree *t, u32 n, enum side side)
{
	struct node *v = t->nodes;
	u32 up = v[n].child[!side], parent = v[n].parent, moved = v[up].child[side];

	if (parent == NONE)
		t->root = up;
	else
		v[parent].child[side_of(t, n)] = up;
	v[up].parent = parent;
	v[up].child[side] = n;
	v[n].parent = up;
	v[n].child[!side] = moved;
	if (moved != NONE)
		v[moved].parent = n;
}

/* The textbook's repair after insertion of the red node n. */
static void rebalance(struct tree *t, u32 n)
{
	struct node *v = t->nodes;
	u32 parent;

	while ((parent = v[n].parent) != NONE && v[parent].red) {
		u32 grand = v[parent].parent;
		enum side side = side_of(t, parent);
		u32 uncle = v[grand].child[!side];

		if (uncle != NONE && v[uncle].red) {
			v[parent].red = false;
			v[uncle].red = false;
			v[grand].red = true;
			n = grand;
			continue;
		}
		if (side_of(t, n) != side) {
			rotate(t, parent, side);
			parent = n;
		}
		v[parent].red = false;
		v[grand].red = true;
		rotate(t, grand, !side);
		break;
	}
	v[t->root].red = false;
}

/* Of ranges with the same start the later goes to the right. */
static void insert(struct tree *t, u32 n)
{
	u64 start = t->ranges[n].start;
	u32 at = t->root, parent = NONE;
	enum side side = LEFT;

	while (at != NONE) {
		parent = at;
		side = start < t->ranges[at].start ? LEFT : RIGHT;
		at = t->nodes[at].child[side];
	}
	t->nodes[n] = (struct node){ .child = { NONE, NONE }, .parent = parent, .red = true };
	if (parent == NONE)
		t->root = n;
	else
		t->nodes[parent].child[side] = n;
	rebalance(t, n);
}

/* A subtree, and the addresses [lo, hi] whose descent comes to it. */
struct visit {
	u32 node;
	bool is_seen; /* its left side has been visited */
	u64 lo, hi;
};

/*
 * Walks the tree in order of address. Addresses below a node's start go left, those in its range
 * stop there, the others go right: the three are intervals, so every node has just one.
 */
static size_t flatten(const struct tree *t, struct overlap_piece *out)
{
	struct visit stack[MAX_DEPTH];
	size_t depth = 0, nr = 0;

	stack[depth++] = (struct visit){ .node = t->root, .lo = 0, .hi = UINT64_MAX };
	while (depth) {
		struct visit *v = &stack[depth - 1], next;
		const struct overlap_range *r = &t->ranges[v->node];
		u64 last = r->end - 1, right_lo, from, to;

		if (!v->is_seen) {
			v->is_seen = true;
			next = (struct visit){ .node = t->nodes[v->node].child[LEFT],
					       .lo = v->lo,
					       .hi = v->hi };
			if (next.node != NONE && v->lo < r->start) {
				if (next.hi >= r->start)
					next.hi = r->start - 1;
				stack[depth++] = next;
				continue;
			}
		}
		depth--;
		/* An empty range holds its start; one that wraps holds nothing. */
		if (r->end == r->start)
			last = r->start;
		right_lo = r->start;
		if (r->end >= r->start) {
			from = v->lo > r->start ? v->lo : r->start;
			to = v->hi < last ? v->hi : last;
			if (from <= to && to != UINT64_MAX)
				out[nr++] = (struct overlap_piece){ from, to + 1, v->node };
			if (last == UINT64_MAX)
				continue;
			right_lo = last + 1;
		}
		next = (struct visit){ .node = t->nodes[v->node].child[RIGHT],
				       .lo = v->lo > right_lo ? v->lo : right_lo,
				       .hi = v->hi };
		if (next.node != NONE && next.lo <= next.hi)
			stack[depth++] = next;
	}
	return nr;
}

size_t overlap_flatten(const struct overlap_range *ranges, size_t nr, struct overlap_piece **ret)
{
	struct tree t = { .ranges = ranges, .root = NONE };
	struct overlap_piece *out;
	size_t nr_out;

	out = xmalloc(nr * sizeof(*out));
	*ret = out;
	if (!nr)
		return 0;
	t.nodes = xmalloc(nr * sizeof(*t.nodes));
	for (size_t i = 0; i < nr; i++)
		insert(&t, (u32)i);
	nr_out = flatten(&t, out);
	free(t.nodes);
	return nr_out;
}

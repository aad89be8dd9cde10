/* SPDX-License-Identifier: MIT */
#include "symbols/table/overlap.h"

#include "base/mem.h"
#include "base/perf_tree.h"

#define NONE PERF_TREE_NONE
#define LEFT PERF_TREE_LEFT
#define RIGHT PERF_TREE_RIGHT

/* A tree of ranges as perf builds it. Node i is range i. */
struct range_tree {
	const struct overlap_range *ranges;
	struct perf_tree tree;
};

/* Adds range n to the tree. Of ranges with equal starts, the later one goes to the right. */
static void insert(struct range_tree *t, u32 n)
{
	u64 start = t->ranges[n].start;
	u32 at = t->tree.root, parent = NONE;
	enum perf_tree_side side = LEFT;

	while (at != NONE) {
		parent = at;
		side = start < t->ranges[at].start ? LEFT : RIGHT;
		at = t->tree.nodes[at].child[side];
	}
	perf_tree_insert(&t->tree, n, parent, side);
}

/* A subtree, and the addresses [lo, hi] whose search in the tree reaches it. */
struct visit {
	u32 node;
	bool is_seen; /* its left subtree has been visited */
	u64 lo, hi;
};

/*
 * Walks the tree in order of address and writes the piece of each node. A search goes left for
 * addresses below a node's start, ends for addresses in its range, and goes right for others. These
 * three are intervals, so each node has at most one piece.
 */
static size_t flatten(const struct range_tree *t, struct overlap_piece *out)
{
	struct visit stack[PERF_TREE_MAX_DEPTH];
	size_t depth = 0, nr = 0;

	stack[depth++] = (struct visit){ .node = t->tree.root, .lo = 0, .hi = UINT64_MAX };
	while (depth) {
		struct visit *v = &stack[depth - 1], next;
		const struct overlap_range *r = &t->ranges[v->node];
		u64 last = r->end - 1, right_lo, from, to;

		if (!v->is_seen) {
			v->is_seen = true;
			next = (struct visit){ .node = t->tree.nodes[v->node].child[LEFT],
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
		/* An empty range contains its start; a range that wraps contains nothing. */
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
		next = (struct visit){ .node = t->tree.nodes[v->node].child[RIGHT],
				       .lo = v->lo > right_lo ? v->lo : right_lo,
				       .hi = v->hi };
		if (next.node != NONE && next.lo <= next.hi)
			stack[depth++] = next;
	}
	return nr;
}

size_t overlap_flatten(const struct overlap_range *ranges, size_t nr, struct overlap_piece **ret)
{
	struct range_tree t = { .ranges = ranges };
	struct overlap_piece *out;
	size_t nr_out;

	out = xmalloc(nr * sizeof(*out));
	*ret = out;
	if (!nr)
		return 0;
	perf_tree_init(&t.tree, nr);
	for (size_t i = 0; i < nr; i++)
		insert(&t, (u32)i);
	nr_out = flatten(&t, out);
	perf_tree_fini(&t.tree);
	return nr_out;
}

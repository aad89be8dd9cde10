/* SPDX-License-Identifier: MIT */
/*
 * A red-black tree that gets the same shape as perf's (and the kernel's) from the same insertions,
 * because some outputs of perf depend on the shape of its trees. The caller does the comparing:
 *
 *	perf_tree_init(&t, nr);
 *	for each item n, in perf's order
 *		for (parent = PERF_TREE_NONE, at = t.root; at != PERF_TREE_NONE;
 *		     at = t.nodes[at].child[side]) {
 *			parent = at;
 *			side = (n is before at) ? PERF_TREE_LEFT : PERF_TREE_RIGHT;
 *		}
 *		perf_tree_insert(&t, n, parent, side);
 *	perf_tree_fini(&t);
 */
#ifndef BASE_PERF_TREE_H
#define BASE_PERF_TREE_H

#include "base/types.h"

#define PERF_TREE_NONE UINT32_MAX
#define PERF_TREE_MAX_DEPTH 68 /* deeper than any red-black tree of 2^32 nodes */

enum perf_tree_side { PERF_TREE_LEFT, PERF_TREE_RIGHT };

struct perf_tree_node {
	u32 child[2]; /* by side; PERF_TREE_NONE: none */
	u64 key;      /* the caller's: a value to compare by, next to what the walk down reads */
};

/* What only perf_tree_insert() reads of a node. */
struct perf_tree_link {
	u32 parent; /* PERF_TREE_NONE: the root */
	bool red;
};

struct perf_tree {
	struct perf_tree_node *nodes; /* node i is item i */
	struct perf_tree_link *links; /* of node i */
	size_t nr;                    /* of both */
	u32 root;                     /* PERF_TREE_NONE: the tree is empty */
};

/*
 * Makes t an empty tree with room for items 0 to nr - 1. The caller sets the keys of nodes, or does
 * not use them. Free it with perf_tree_fini().
 */
void perf_tree_init(struct perf_tree *t, size_t nr);
void perf_tree_fini(struct perf_tree *t);

/*
 * Inserts item n as the child of `parent` on this side, where it must not have a child yet, and
 * rebalances the tree. For the first item parent is PERF_TREE_NONE and side is ignored.
 */
void perf_tree_insert(struct perf_tree *t, u32 n, u32 parent, enum perf_tree_side side);

/* Writes the numbers of all items to ret, from left to right, and returns how many it wrote. ret
 * has room for all of them. */
size_t perf_tree_list(const struct perf_tree *t, u32 *ret);

#endif

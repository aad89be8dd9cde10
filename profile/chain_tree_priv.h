/* SPDX-License-Identifier: MIT */
/* The nodes of a call tree, for the files that print or list it. */
#ifndef PROFILE_CHAIN_TREE_PRIV_H
#define PROFILE_CHAIN_TREE_PRIV_H

#include "profile/chain_path.h"
#include "profile/chain_tree.h"

#define CHAIN_ROOT 0u
#define CHAIN_NO_NODE UINT32_MAX

/* Frames that follow each other in all rows through the node. */
struct chain_node {
	struct chain_path path; /* of one of its rows */
	u32 depth;              /* frames of the path before this node */
	u32 nr;                 /* frames of the node */
	u32 parent;
	/* of the rows that end here; of the rows that go on below */
	u64 hit, below;
	u64 samples, samples_below;
};

/* Children of all nodes: node n has ids[start[n]] up to, not including, ids[start[n + 1]]. */
struct chain_children {
	u32 *start, *ids;
	size_t cap_start, cap_ids;
};

static inline u64 chain_node_total(const struct chain_node *n)
{
	return n->hit + n->below;
}

const struct chain_node *chain_tree_node(const struct chain_tree *t, u32 node);

/* How many nodes the last chain_tree_index() made, without the root. */
size_t chain_tree_nr_nodes(const struct chain_tree *t);

/* The id of a node's frame number i. */
u32 chain_tree_frame_id(const struct chain_tree *t, const struct chain_node *n, u32 i);

/* Whether a node is to be made. Only the totals of n are known yet; its parent is complete. */
typedef bool chain_wanted_fn(void *arg, const struct chain_node *n,
			     const struct chain_node *parent);

/*
 * Makes the tree of the rows from the root down. Nodes that are not wanted are not made, nor is
 * anything below them. Children are in no order. Removes the rows. The result is borrowed until the
 * next call.
 */
const struct chain_children *chain_tree_index(struct chain_tree *t, chain_wanted_fn *wanted,
					      void *arg);

/*
 * Sorts n nodes by their first frames, in perf's order of frames. by_total: the largest totals come
 * first, and only nodes with equal totals are sorted by frames.
 */
void chain_tree_sort(struct chain_tree *t, u32 *nodes, size_t n, bool by_total);

/* Describes a frame, with its source line when the tree's key needs it. */
void chain_tree_describe(struct chain_tree *t, u32 id, struct chain_frame *ret);

const struct chain_option *chain_tree_option(const struct chain_tree *t);

#endif

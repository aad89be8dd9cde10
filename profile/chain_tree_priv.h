/* SPDX-License-Identifier: MIT */
/* The inside of a call tree, for those files that print or list it. */
#ifndef PROFILE_CHAIN_TREE_PRIV_H
#define PROFILE_CHAIN_TREE_PRIV_H

#include "profile/chain_path.h"
#include "profile/chain_tree.h"

#define CHAIN_ROOT 0u
#define CHAIN_NO_NODE UINT32_MAX

/* A run of frames that no row branches off. */
struct chain_node {
	struct chain_path path; /* of a row that goes through it */
	u32 depth;              /* where the run begins on it */
	u32 nr;
	u32 parent;
	/* of rows that end here, and of those that go on */
	u64 hit, below;
	u64 samples, samples_below;
};

/* Children of all nodes: those of node n are ids[start[n]] to ids[start[n+1]]. */
struct chain_children {
	u32 *start, *ids;
	size_t cap_start, cap_ids;
};

static inline u64 chain_node_total(const struct chain_node *n)
{
	return n->hit + n->below;
}

const struct chain_node *chain_tree_node(const struct chain_tree *t, u32 node);

/* Nodes that the last chain_tree_index() made, without the root. */
size_t chain_tree_nr_nodes(const struct chain_tree *t);

/* Frame i of a node's run. */
u32 chain_tree_frame_id(const struct chain_tree *t, const struct chain_node *n, u32 i);

/* Of n only the total is known when this is asked; of its parent all. */
typedef bool chain_wanted_fn(void *arg, const struct chain_node *n,
			     const struct chain_node *parent);

/*
 * Makes the tree of the rows from the root on down: nodes that are not wanted are never made, and
 * neither is what lies below them. Children are in no order. This uses the rows up: those added
 * later are of another tree. Borrowed until the next call.
 */
const struct chain_children *chain_tree_index(struct chain_tree *t, chain_wanted_fn *wanted,
					      void *arg);

/*
 * Puts n nodes in the order of their first frames, as perf has them where other things are equal;
 * with by_total the larger totals come first.
 */
void chain_tree_sort(struct chain_tree *t, u32 *nodes, size_t n, bool by_total);

/* Describes a frame, its source line too where the key asks for one. */
void chain_tree_describe(struct chain_tree *t, u32 id, struct chain_frame *ret);

const struct chain_option *chain_tree_option(const struct chain_tree *t);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The stacks of a profile merged into one tree, with the weight of each path: for flame graphs and
 * views that open node by node.
 *
 *	t = profile_tree_new(p, &cfg);
 *	n = profile_tree_get(t, PROFILE_TREE_TOP);
 *	for (i = 0; i < n->nr_children; i++)
 *		show(profile_tree_get(t, n->first_child + i));	the heaviest first
 *	profile_tree_free(t);
 */
#ifndef PROFILE_PROFILE_TREE_H
#define PROFILE_PROFILE_TREE_H

#include "profile/profile.h"

enum profile_tree_root {
	PROFILE_TREE_FROM_ROOT, /* callers above the functions that they call */
	PROFILE_TREE_FROM_LEAF, /* the functions that were running above their callers */
};

enum profile_tree_key {
	/*
	 * Frames of one function are one; frames without a function are one for each object, and
	 * one for all that are in no mapping.
	 */
	PROFILE_TREE_BY_FUNCTION,
	PROFILE_TREE_BY_FRAME, /* each place of a function is a node of its own */
};

struct profile_tree_config {
	enum profile_tree_root root;
	enum profile_tree_key key;
	bool by_samples;    /* order children by samples instead of periods */
	const bool *wanted; /* by pd_event.idx: which events are in the tree; NULL: all */
};

struct profile_weight {
	u64 samples, period;
};

#define PROFILE_TREE_TOP 0 /* the node above all stacks; it has no frame */

struct profile_node {
	frame_id frame; /* one of the frames that the node stands for; PROFILE_NONE: the top */
	u32 parent;     /* that of the top is the top itself */
	u32 first_child, nr_children; /* children have numbers that follow each other */
	struct profile_weight total;  /* of all stacks through this node */
	struct profile_weight self;   /* of the stacks that end here */
};

struct profile_tree;

/* The profile is borrowed while the tree is made. Never fails. */
struct profile_tree *profile_tree_new(const struct profile *p,
				      const struct profile_tree_config *cfg);
void profile_tree_free(struct profile_tree *t); /* NULL allowed */

/* Nodes, the top included. Parents have lower numbers than their children. */
size_t profile_tree_nr_nodes(const struct profile_tree *t);
const struct profile_node *profile_tree_get(const struct profile_tree *t, u32 node);

#endif

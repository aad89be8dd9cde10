/* SPDX-License-Identifier: MIT */
/*
 * Lines of collapsed stacks as a tree of names: a line is a path from the root, and its weight is
 * kept at the node where it ends.
 */
#ifndef PICTURE_FOLD_TREE_H
#define PICTURE_FOLD_TREE_H

#include "base/intern.h"

#define FOLD_SIDES 2 /* recordings whose weights are kept apart: pfold --diff compares two */

/* A name below a path of names. Node 0 has no name and is above all others. */
struct fold_node {
	u32 name;
	u32 child, next; /* first child, next sibling; 0: none */
	u32 line;        /* the line that ends here; 0: none */
};

struct fold_line {
	u64 counts[FOLD_SIDES];
};

/* The child of a node that was looked up last. */
struct fold_last {
	u32 name;
	u32 child; /* 0: none */
	u32 nr;    /* children of the node */
};

/* Entry of the hash table of children, for nodes with many of them. */
struct fold_child {
	u32 parent, name;
	u32 node; /* 0: free */
};

struct fold_tree {
	struct intern names; /* hold no ';' and no newline */
	struct fold_node *nodes;
	size_t nr_nodes, cap_nodes;
	struct fold_last *lasts; /* by node; not in fold_node, because most steps read only this */
	size_t cap_lasts;
	struct fold_line *lines; /* [0] is not used */
	size_t nr_lines, cap_lines;
	struct fold_child *children;
	size_t nr_children, children_mask;
};

void fold_tree_init(struct fold_tree *t);
void fold_tree_fini(struct fold_tree *t);

/* As fold_tree_child, without a look at the child that was looked up last. */
u32 fold_tree_find_child(struct fold_tree *t, u32 node, u32 name);

/* The node of a name below another node, which is made when it is new. */
static inline u32 fold_tree_child(struct fold_tree *t, u32 node, u32 name)
{
	struct fold_last last = t->lasts[node];

	return last.name == name && last.child ? last.child : fold_tree_find_child(t, node, name);
}

/* Adds weight to the line that ends at a node. */
void fold_tree_count(struct fold_tree *t, u32 node, unsigned int side, u64 weight);

/* Adds all lines of `from`, whose names are ids in t->names. */
void fold_tree_merge(struct fold_tree *t, const struct fold_tree *from);

#endif

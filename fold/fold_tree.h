/* SPDX-License-Identifier: MIT */
/*
 * Lines of collapsed stacks as a tree of names: a line is a path from the root, and is counted
 * where it ends.
 */
#ifndef FOLD_FOLD_TREE_H
#define FOLD_FOLD_TREE_H

#include "base/intern.h"

#define FOLD_SIDES 2 /* recordings that are compared */

/* A name below a path of names; node 0 is above them all. */
struct fold_node {
	u32 name;
	u32 child, next; /* 0: none */
	u32 line;        /* that ends here; 0: none does, as for most nodes */
};

struct fold_line {
	u64 counts[FOLD_SIDES];
};

/* The child of a node that was asked for last. */
struct fold_last {
	u32 name;
	u32 child; /* 0: none */
	u32 nr;    /* children of the node */
};

/* Where a child of a node with many is found by its name. */
struct fold_child {
	u32 parent, name;
	u32 node; /* 0: free */
};

struct fold_tree {
	struct intern names; /* without ';' and newlines */
	struct fold_node *nodes;
	size_t nr_nodes, cap_nodes;
	struct fold_last *lasts; /* by node: apart from the nodes, as most steps need no more */
	size_t cap_lasts;
	struct fold_line *lines; /* from 1 */
	size_t nr_lines, cap_lines;
	struct fold_child *children;
	size_t nr_children, children_mask;
};

void fold_tree_init(struct fold_tree *t);
void fold_tree_fini(struct fold_tree *t);

u32 fold_tree_find_child(struct fold_tree *t, u32 node, u32 name);

/* The node of a name below another node; made where it is new. */
static inline u32 fold_tree_child(struct fold_tree *t, u32 node, u32 name)
{
	struct fold_last last = t->lasts[node];

	return last.name == name && last.child ? last.child : fold_tree_find_child(t, node, name);
}

void fold_tree_count(struct fold_tree *t, u32 node, unsigned int side, u64 weight);

/* Adds all lines of `from`, whose nodes have their names in t. */
void fold_tree_merge(struct fold_tree *t, const struct fold_tree *from);

/* One line: its text up to the counts, without a blank at the end. */
typedef void fold_line_fn(void *ctx, const char *text, size_t n, const u64 counts[FOLD_SIDES]);

/* Calls fn for each line, in the bytewise order of their texts. */
void fold_tree_each(const struct fold_tree *t, fold_line_fn *fn, void *ctx);

#endif

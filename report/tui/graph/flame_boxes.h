/* SPDX-License-Identifier: MIT */
/*
 * Which cells of a screen the boxes of a flame graph cover. A cell belongs to the box that its
 * middle lies in, so that a box takes as many cells as its share of the width, on average. Boxes
 * that no middle lies in are not drawn.
 */
#ifndef REPORT_TUI_GRAPH_FLAME_BOXES_H
#define REPORT_TUI_GRAPH_FLAME_BOXES_H

#include "picture/flame.h"

/* A node and the cells [from, to) that it covers on its line. */
struct flame_box {
	u32 node;
	u32 line; /* the node's depth */
	int from, to;
	double end; /* where it ends, in cells */
};

struct flame_boxes {
	struct flame_box *items; /* callers before what they call, on each line from the left */
	size_t nr, cap;
	u64 *starts; /* scratch, by depth: where the next child begins */
	size_t cap_starts;
};

/* Which part of a tree is laid out. */
struct flame_part {
	u32 zoom;      /* this node and those above it take all columns */
	u32 first, nr; /* lines: depths [first, first + nr) */
	int cols;      /* 1 or more */
	unsigned side; /* whose weights */
};

/* Replaces what is in b. f is finished. */
void flame_boxes_lay(struct flame_boxes *b, const struct flame *f, const struct flame_part *part);
void flame_boxes_fini(struct flame_boxes *b);

/* The box that covers a cell; NULL: none does. */
const struct flame_box *flame_boxes_at(const struct flame_boxes *b, u32 line, int col);
/* The box of a node; NULL: it is not drawn. */
const struct flame_box *flame_boxes_of(const struct flame_boxes *b, u32 node);

/* The node above a node; that of node 0 is node 0. */
u32 flame_parent(const struct flame *f, u32 node);
/* The node above it (or itself) with this depth, which is not more than its own. */
u32 flame_ancestor(const struct flame *f, u32 node, u32 depth);
/* The heaviest child of a node; 0: it has none. */
u32 flame_heaviest(const struct flame *f, u32 node, unsigned side);
/* The largest depth of a node below this one, its own included. */
u32 flame_deepest(const struct flame *f, u32 node);

#endif

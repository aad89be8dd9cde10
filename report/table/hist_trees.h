/* SPDX-License-Identifier: MIT */
/* The call trees of a histogram's entries as rows below rows, made for the entries that are asked
 * for. */
#ifndef REPORT_TABLE_HIST_TREES_H
#define REPORT_TABLE_HIST_TREES_H

#include "report/table/hist.h"

/* A frame of an entry's call tree. */
struct hist_tree_row {
	u32 node, nth; /* frame number nth of this node; valid while the call tree is built */
	u32 frame;
	u32 first, nr; /* rows below it: numbers in hist_trees.rows */
	u64 period, samples;
	u64 of;     /* the period that the node is a part of */
	bool share; /* the frame begins a branch: the row above has other samples, too */
};

/* The rows directly below an entry. */
struct hist_tree_top {
	u32 first, nr;
	bool made;
	bool looked, some; /* some: there are rows, if looked */
};

/* The call trees without branches below a percentage. */
struct hist_tree_set {
	double least;
	struct hist_tree_top *
		*tops; /* by entry, HIST_TREE_TOPS in a block; NULL: none was asked for */
};
#define HIST_TREE_TOPS 1024

struct hist_trees {
	struct hist *h;
	struct chain_tree *tree;
	u64 limit_total; /* the period that the least percentage is a share of */
	struct hist_tree_set *sets;
	size_t nr_sets, cap_sets;   /* none: no call trees */
	struct hist_tree_set shown; /* one of them */
	struct hist_tree_row *rows;
	size_t nr_rows, cap_rows;
};

/* h is borrowed, as is tree; NULL: there are no call trees. After hist_count_beside_sorting(). */
void hist_trees_init(struct hist_trees *t, struct hist *h, struct chain_tree *tree);
void hist_trees_fini(struct hist_trees *t);

/*
 * Leaves out branches below a percentage from now on. Rows that were made stay valid, and are the
 * same again under the same percentage.
 */
void hist_trees_limit(struct hist_trees *t, double percent);

/* Makes at once what hist_trees_has_rows() and hist_trees_of_entry() need of these entries. */
void hist_trees_expect(struct hist_trees *t, const u32 *entries, size_t nr);

/* Whether there are rows below an entry. It costs much less than making them. */
bool hist_trees_has_rows(struct hist_trees *t, u32 entry);

/* Returns the number in t->rows of the first row below an entry; *ret_nr: how many there are. */
u32 hist_trees_of_entry(struct hist_trees *t, u32 entry, size_t *ret_nr);

#endif

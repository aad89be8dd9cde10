/* SPDX-License-Identifier: MIT */
/* Counted rows in order of time, for a chart of a recording: threads beside each other. */
#ifndef FOLD_FOLD_CHART_H
#define FOLD_FOLD_CHART_H

#include "picture/folded_text.h"

/* A row's stack: `root` tells threads apart, whatever it is. */
struct fold_chart_row {
	u64 time, first; /* ns; the rank of its first sample in the file */
	u64 weight;
	u32 root, node; /* node: of the tree of all lines */
};

struct fold_chart {
	struct fold_chart_row *rows;
	size_t nr, cap;
};

void fold_chart_fini(struct fold_chart *c);

/*
 * Makes *ret, a finished tree which the caller frees: roots by the times of their first rows, the
 * rows of a root by their times. Sorts c, and adds a name to t.
 */
void fold_chart_draw(struct fold_chart *c, struct fold_tree *t, struct flame *ret);

#endif

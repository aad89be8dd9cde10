/* SPDX-License-Identifier: MIT */
/* The steps that bring a histogram from its entries to what is printed, side by side. */
#ifndef REPORT_HIST_ARRANGE_H
#define REPORT_HIST_ARRANGE_H

#include "report/hist.h"

/*
 * After hist_list, when the totals are what percentages are of: what entries count for, the order
 * of their lines, the widths of columns, and the chains below lines (hist_chains.h). tree: NULL
 * where there are none. The result is the same whatever the number of threads.
 */
void hist_arrange(struct hist *h, struct chain_tree *tree, unsigned int nr_threads);

#endif

/* SPDX-License-Identifier: MIT */
/* --hierarchy: the keys one below the other, each with its share of the one above. */
#ifndef REPORT_HIST_HIERARCHY_H
#define REPORT_HIST_HIERARCHY_H

#include "report/hist_print.h"

/* Prints a built histogram, its chains (tree, NULL: none) below the innermost key. */
void hist_print_hierarchy(struct out *o, struct hist *h, struct chain_tree *tree,
			  double min_percent, bool titles);

#endif

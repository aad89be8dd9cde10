/* SPDX-License-Identifier: MIT */
/* The rows whose call chains belong to an entry, and the call tree that they make. */
#ifndef REPORT_TABLE_HIST_USES_H
#define REPORT_TABLE_HIST_USES_H

#include "report/table/hist.h"

/*
 * Finds the uses (struct hist_use) of all entries whose chains are shown. Call it after
 * hist_count(), when the totals are final. hist_sort_found() and hist_sort() may run in another
 * thread meanwhile. Without h->chain no entry gets any.
 */
void hist_gather_uses(struct hist *h);

/*
 * Empties the tree and adds the chains of an entry to it, after hist_gather_uses(). Each thread
 * needs a tree of its own.
 */
void hist_fill_tree(const struct hist *h, u32 entry, struct chain_tree *tree);

#endif

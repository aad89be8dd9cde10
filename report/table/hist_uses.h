/* SPDX-License-Identifier: MIT */
/* Which rows' call chains belong to an entry of a histogram, and the entry's call tree. */
#ifndef REPORT_TABLE_HIST_USES_H
#define REPORT_TABLE_HIST_USES_H

#include "report/table/hist.h"

/*
 * Fills h->uses and first_use and nr_uses of all entries whose chains are shown. Call it after
 * hist_count(), when the totals are final. hist_sort_found() and hist_sort() may run in another
 * thread meanwhile. Does nothing when h->chain is NULL.
 */
void hist_gather_uses(struct hist *h);

/*
 * Empties the tree and adds the call chains of an entry to it. Call it after hist_gather_uses().
 * Each thread needs its own tree.
 */
void hist_fill_tree(const struct hist *h, u32 entry, struct chain_tree *tree);

#endif

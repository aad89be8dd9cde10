/* SPDX-License-Identifier: MIT */
/* A histogram as a table: its entries at the top, the frames of their call trees below them. */
#ifndef REPORT_TABLE_HIST_TABLE_H
#define REPORT_TABLE_HIST_TABLE_H

#include "report/table/hist.h"
#include "report/table/table.h"

/*
 * Counts and sorts the entries of h. Call it after hist_list(), when the totals are final. tree:
 * NULL where no call trees are shown, which is when h->chain is NULL. Both are borrowed until the
 * table is freed; h->lines has the order of the rows. Columns are those of h->layout; a figure has
 * a column for each event. A call tree leaves out what is below the least percentage of h->chain.
 */
struct table *hist_table_new(struct hist *h, struct chain_tree *tree);

#endif

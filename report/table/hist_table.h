/* SPDX-License-Identifier: MIT */
/* A histogram as a table: its entries at the top, the frames of their call trees below them. */
#ifndef REPORT_TABLE_HIST_TABLE_H
#define REPORT_TABLE_HIST_TABLE_H

#include "report/table/hist.h"
#include "report/table/table.h"

/*
 * Counts and sorts the entries of h and returns them as a table with the columns of h->layout; a
 * figure has one column for each event. Call it after hist_list(), when the totals are final. tree
 * is NULL when h->chain is, so that no call trees are shown; otherwise frames that weigh less than
 * the least percentage of h->chain are left out. h and tree are borrowed until the table is freed.
 * h->lines has the present order of the rows at the top. At most two threads are used; their number
 * does not change the result.
 */
struct table *hist_table_new(struct hist *h, struct chain_tree *tree, unsigned int nr_threads);

/*
 * As hist_table_new(), but most rows are sorted by calls of settle(): only those that a viewer
 * shows first are in their order at once.
 */
struct table *hist_table_new_early(struct hist *h, struct chain_tree *tree,
				   unsigned int nr_threads);

/* For level_table: returns which event's figure a column shows, a number in h->events. */
size_t hist_table_figure(const struct table *t, size_t col, const struct hist_field **ret);

#endif

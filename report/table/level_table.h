/* SPDX-License-Identifier: MIT */
/*
 * A histogram as a table with a level of rows for each sort key: rows of the first key at the top,
 * below each the rows of the next key, and call trees below the rows of the last one. The table's
 * entries are a hist_table of h.
 */
#ifndef REPORT_TABLE_LEVEL_TABLE_H
#define REPORT_TABLE_LEVEL_TABLE_H

#include "report/table/hist.h"
#include "report/table/table.h"

/*
 * Like hist_table_new(), which says what the arguments are. The figures are the columns of
 * h->layout; the keys share one column behind them. NULL: no key is shown.
 */
struct table *level_table_new(struct hist *h, struct chain_tree *tree, unsigned int nr_threads);

#endif

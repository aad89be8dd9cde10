/* SPDX-License-Identifier: MIT */
/* The order of a comparison's rows. */
#ifndef REPORT_DIFF_DIFF_ORDER_H
#define REPORT_DIFF_DIFF_ORDER_H

#include "report/diff/diff_table.h"

/*
 * Sorts the rows for display: by the differences of the recording that diff_options.order names,
 * then by the baseline, by the differences of all recordings, and by the keys.
 * Call it after diff_table_init().
 */
void diff_order_rows(struct diff_table *t);

/*
 * Sorts nr lines of one level of a call tree as rows are sorted, by their figures; equal ones by
 * diff_row.keys, the numbers of their nodes.
 */
void diff_order_chain_rows(struct diff_table *t, struct diff_row *rows, size_t nr);

#endif

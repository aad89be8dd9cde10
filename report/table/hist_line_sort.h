/* SPDX-License-Identifier: MIT */
/* The lines of a histogram in the order of any column, for tables that viewers sort. */
#ifndef REPORT_TABLE_HIST_LINE_SORT_H
#define REPORT_TABLE_HIST_LINE_SORT_H

#include "report/table/hist.h"

/*
 * Sorts h->lines by a column; lines with equal cells keep their order. event: of a figure. Takes
 * time linear in the lines, but for the distinct values of a key.
 */
void hist_lines_sort(struct hist *h, const struct hist_field *f, size_t event, bool descending);

#endif

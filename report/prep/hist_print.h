/* SPDX-License-Identifier: MIT */
/* Parts of a histogram's text in the layout of perf report --stdio: titles and cells. */
#ifndef REPORT_PREP_HIST_PRINT_H
#define REPORT_PREP_HIST_PRINT_H

#include "report/prep/hist_text.h"

/* Computes t->widths from the titles and cells. Call it after hist_sort(), before printing. */
void hist_set_widths(struct hist_text *t);

/* Appends the titles, a line of dots and a "#" line. With a separator (-t) only the titles. */
void hist_print_titles(struct out *o, const struct hist_text *t);

/* Appends what stands before a column: blanks; with -t the separator, before the first nothing. */
void hist_print_gap(struct out *o, const struct hist_text *t, bool first);

/*
 * Appends a figure of all events as the cells of column `out` of the layout. stats is an array with
 * the figures of each event (hist_stat_at). pad: fill the cell with blanks to the column's width.
 * o must be in memory (out_init_mem).
 */
void hist_print_numbers(struct out *o, const struct hist_text *t, size_t out, const void *stats,
			bool pad);

/*
 * Appends the cell of an entry in column `out` of the layout, a key or figures. pad: fill the cell
 * with blanks to the column's width. o must be in memory (out_init_mem).
 */
void hist_print_cell(struct out *o, const struct hist_text *t, size_t out, u32 entry, bool pad);

#endif

/* SPDX-License-Identifier: MIT */
/* Text of a sorted histogram, line by line as perf report --stdio. */
#ifndef REPORT_PREP_HIST_PRINT_H
#define REPORT_PREP_HIST_PRINT_H

#include "report/prep/hist_text.h"

/* Sets the widths of all columns. Call it after hist_sort() and before anything is printed. */
void hist_set_widths(struct hist_text *t);

/* The line of titles, the line of dots and the "#" below; with a separator the titles only. */
void hist_print_titles(struct out *o, const struct hist_text *t);

/* ---- Parts of a line. o collects in memory (out_init_mem). */

/* Appends what stands before a column: blanks, or the separator unless it is the first column. */
void hist_print_gap(struct out *o, const struct hist_text *t, bool first);

/*
 * Appends the figures of all events in column `out`; stats is an array of all events', as the
 * histogram has them. pad: filled to the column's width.
 */
void hist_print_numbers(struct out *o, const struct hist_text *t, size_t out, const void *stats,
			bool pad);

/* Appends the cell of an entry in column `out`: a key or figures. */
void hist_print_cell(struct out *o, const struct hist_text *t, size_t out, u32 entry, bool pad);

#endif

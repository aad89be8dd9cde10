/* SPDX-License-Identifier: MIT */
/* Text of a sorted histogram, line by line as perf report --stdio. */
#ifndef REPORT_HIST_PRINT_H
#define REPORT_HIST_PRINT_H

#include <stdatomic.h>

#include "report/chain_tree.h"
#include "report/hist.h"

/* The printed columns' widths; to be called after hist_sort and before anything is printed. */
void hist_set_widths(struct hist *h);

/* The two lines of titles and the "#" below; with a separator the titles only. */
void hist_print_titles(struct out *o, const struct hist *h);

/*
 * Every entry of at least min_percent, its chains below it (hist_prepare_chains). tree: NULL where
 * no chains are shown. The text is the same whatever the number of threads.
 */
void hist_print_lines(struct out *o, const struct hist *h, struct chain_tree *tree,
		      double min_percent, unsigned int nr_threads);

/*
 * Makes the text of lines without chains until *stop, for hist_print_lines. After hist_sort,
 * hist_set_widths and hist_gather_chains; hist_prepare_chains may run at the same time, as in
 * report/hist_chains.h.
 */
void hist_make_lines_ahead(struct hist *h, const atomic_bool *stop);
void hist_lines_fini(struct hist *h);

/* ---- pieces of lines, for the hierarchy, too. o collects in memory (out_init_mem). */

/* What stands before a column. */
void hist_print_gap(struct out *o, const struct hist *h, bool first);

/* Widths of all columns as titles show them. */
int hist_field_width(const struct hist *h, size_t out);

/* A column's figures, of all events; pad: filled to the column's width. */
void hist_print_numbers(struct out *o, const struct hist *h, size_t out, const void *stats,
			bool pad);

void hist_print_cell(struct out *o, const struct hist *h, size_t out, u32 entry, bool pad);

/* Share of an entry in its event's total that --percent-limit goes by. */
double hist_percent(const struct hist *h, u32 entry);

const char *hist_field_title(const struct hist *h, const struct hist_field *f);

#endif

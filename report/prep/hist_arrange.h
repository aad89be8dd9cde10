/* SPDX-License-Identifier: MIT */
/* Makes a histogram ready to be printed: figures, order of lines, widths, texts of chains. */
#ifndef REPORT_PREP_HIST_ARRANGE_H
#define REPORT_PREP_HIST_ARRANGE_H

#include "report/prep/hist_text.h"

/*
 * Counts and sorts the entries of t->h, sets the widths of columns, and prepares the texts of call
 * chains. Call it after hist_list(), when the totals are final. It uses at most two of nr_threads
 * threads; their number does not change the result.
 */
void hist_arrange(struct hist_text *t, unsigned int nr_threads);

#endif

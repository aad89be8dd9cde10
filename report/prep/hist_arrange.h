/* SPDX-License-Identifier: MIT */
/* The steps that bring a histogram from its entries to what is printed, side by side. */
#ifndef REPORT_PREP_HIST_ARRANGE_H
#define REPORT_PREP_HIST_ARRANGE_H

#include "report/prep/hist_text.h"

/*
 * Counts and sorts the entries of t->h, and makes the widths of columns and the text of chains.
 * Call it after hist_list(), when the totals are final. The result is the same whatever the number
 * of threads.
 */
void hist_arrange(struct hist_text *t, unsigned int nr_threads);

#endif

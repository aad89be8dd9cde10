/* SPDX-License-Identifier: MIT */
/* Brings a histogram from listed entries to sorted lines with widths and chain texts. */
#ifndef REPORT_PREP_HIST_ARRANGE_H
#define REPORT_PREP_HIST_ARRANGE_H

#include "report/prep/hist_text.h"

/*
 * Counts and sorts the entries of t->h, and sets the widths of columns and the text of chains. Call
 * it after hist_list(), when the totals are final. nr_threads: up to two are used; the number does
 * not change the result.
 */
void hist_arrange(struct hist_text *t, unsigned int nr_threads);

#endif

/* SPDX-License-Identifier: MIT */
/* The lines of a histogram with the chains below them, printed by several threads. */
#ifndef REPORT_PREP_HIST_LINES_H
#define REPORT_PREP_HIST_LINES_H

#include "report/prep/hist_text.h"

/*
 * Appends a line for each entry that reaches --percent-limit, with the entry's call chains below
 * it. Call it after hist_arrange(). Uses up to nr_threads threads; the text does not depend on
 * their number.
 */
void hist_print_lines(struct out *o, const struct hist_text *t, unsigned int nr_threads);

#endif

/* SPDX-License-Identifier: MIT */
/* The lines of a histogram with the chains below them, printed by several threads. */
#ifndef REPORT_PREP_HIST_LINES_H
#define REPORT_PREP_HIST_LINES_H

#include <stdatomic.h>

#include "report/prep/hist_text.h"

/*
 * Appends every entry of at least --percent-limit, its chains below it. The text is the same
 * whatever the number of threads.
 */
void hist_print_lines(struct out *o, const struct hist_text *t, unsigned int nr_threads);

/*
 * Makes the text of lines without chains for hist_print_lines() until *stop is set or a limit of
 * memory is reached. Call it after hist_sort(), hist_set_widths() and hist_gather_uses();
 * hist_prepare_chains() may run in another thread meanwhile.
 */
void hist_make_lines_ahead(struct hist_text *t, const atomic_bool *stop);

#endif

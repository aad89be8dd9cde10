/* SPDX-License-Identifier: MIT */
/* The call chains below a histogram's lines, as text. */
#ifndef REPORT_PREP_HIST_CHAINS_H
#define REPORT_PREP_HIST_CHAINS_H

#include "report/prep/hist_text.h"

/*
 * Makes the text of the entries' chains ahead, up to a limit of memory. Call it after
 * hist_gather_uses(). hist_sort() and hist_set_widths() may run in another thread meanwhile, unless
 * chains show source lines.
 */
void hist_prepare_chains(struct hist_text *t);

/*
 * Appends an entry's chains, after hist_prepare_chains(). Only one thread may do so unless
 * t->chains_ready: a text that was not made ahead is made in t->tree.
 */
void hist_print_chains(struct out *o, const struct hist_text *t, u32 entry);

#endif

/* SPDX-License-Identifier: MIT */
/* The call chains below a histogram's lines, as text. */
#ifndef REPORT_PREP_HIST_CHAINS_H
#define REPORT_PREP_HIST_CHAINS_H

#include "report/prep/hist_text.h"

/*
 * Stores the texts of all entries' call chains in t->chain_text, up to 16 MiB; the rest is left to
 * hist_print_chains(). Call it after hist_count_beside_sorting(). hist_sort() and hist_set_widths()
 * may run in another thread meanwhile, unless chains show source lines.
 */
void hist_prepare_chains(struct hist_text *t);

/*
 * Appends the call chains of an entry. Call it after hist_prepare_chains(). Several threads may
 * call it only if t->chains_ready: a text that was not stored is built in t->tree.
 */
void hist_print_chains(struct out *o, const struct hist_text *t, u32 entry);

#endif

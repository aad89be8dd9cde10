/* SPDX-License-Identifier: MIT */
/* The call chains below a histogram's lines. */
#ifndef REPORT_HIST_CHAINS_H
#define REPORT_HIST_CHAINS_H

#include "report/hist.h"

/*
 * Finds the rows of the entries whose chains are shown, after hist_count. To be called when the
 * totals are what percentages are of. hist_sort_found may run at the same time.
 */
void hist_gather_chains(struct hist *h);
/*
 * Makes the text of as many of these entries as memory is spent on. hist_sort and hist_set_widths
 * may run at the same time, but where chains are by source lines.
 */
void hist_prepare_chains(struct hist *h, struct chain_tree *tree);
void hist_chain_texts_fini(struct hist *h);

/* An entry's chains, after hist_prepare_chains. tree is emptied first. */
void hist_print_chains(struct out *o, const struct hist *h, u32 entry, struct chain_tree *tree);

#endif

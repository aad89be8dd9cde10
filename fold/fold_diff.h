/* SPDX-License-Identifier: MIT */
/* Two recordings as one list of stacks, "text COUNT_A COUNT_B", as flamegraph.pl reads it. */
#ifndef FOLD_FOLD_DIFF_H
#define FOLD_FOLD_DIFF_H

#include "fold/folded.h"

/*
 * Prints the lines of both sides; a side without the stack has the count 0. normalize: counts of
 * side 0 are scaled to the total weight of side 1 and rounded down, as difffolded.pl -n does.
 * Errors: those of folded_each.
 */
int fold_diff_print(struct folded *f, bool normalize, struct out *o, struct perr *e) MUST_CHECK;

#endif

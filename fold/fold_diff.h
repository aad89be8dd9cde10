/* SPDX-License-Identifier: MIT */
/* Two recordings in one list of stacks, "text COUNT_A COUNT_B", as flamegraph.pl reads it. */
#ifndef FOLD_FOLD_DIFF_H
#define FOLD_FOLD_DIFF_H

#include "fold/folded.h"

/*
 * Prints the lines of both sides; 0 stands where a side has not that stack. normalize: side 0 is
 * scaled to the weight of side 1, each count rounded down (difffolded.pl -n).
 */
int fold_diff_print(struct folded *f, bool normalize, struct out *o, struct perr *e) MUST_CHECK;

#endif

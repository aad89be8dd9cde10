/* SPDX-License-Identifier: MIT */
/* --diff A B: two recordings side by side, by object and symbol, as perf diff prints them. */
#ifndef REPORT_PREP_PREP_DIFF_H
#define REPORT_PREP_PREP_DIFF_H

#include "base/out.h"
#include "report/prep/prep_options.h"
#include "profile/verdict/verdict.h"

#define PREP_DIFF_SIDES 2

/*
 * Prints a table for each event that both files have: its share in the first, by how much that of
 * the second differs, the largest difference first. opt->input and opt->diff_to name the files;
 * *ret_file is the one that an error is about. ret_verdicts: of the two, the caller's; NULL where
 * nothing was counted, or none is wanted.
 */
int prep_diff_print(const struct prep_options *opt, struct diag *diag, struct out *o,
		    struct verdict *ret_verdicts[PREP_DIFF_SIDES], const char **ret_file,
		    struct perr *e) MUST_CHECK;

#endif

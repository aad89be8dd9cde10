/* SPDX-License-Identifier: MIT */
/* prep's work on one open file: counting its samples and printing its tables. */
#ifndef REPORT_PREP_PREP_REPORT_H
#define REPORT_PREP_PREP_REPORT_H

#include "report/prep/hist_print.h"
#include "profile/verdict/verdict.h"

/*
 * Prints the report of pd to o. opt is settled for the file (branch mode, children, chains). 0, or
 * a negative code; what was printed before a damaged part of the file stays valid. *ret_verdict: of
 * what was counted, the caller's; NULL where nothing was, or none is wanted.
 */
int prep_report(struct prep_options *opt, struct perfdata *pd, struct diag *diag, struct out *o,
		struct verdict **ret_verdict, struct perr *e) MUST_CHECK;

#endif

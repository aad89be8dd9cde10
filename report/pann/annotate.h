/* SPDX-License-Identifier: MIT */
/* A recording, from counted samples to annotated functions: what pann does. */
#ifndef REPORT_PANN_ANNOTATE_H
#define REPORT_PANN_ANNOTATE_H

#include "report/pann/pann_options.h"
#include "profile/verdict/verdict.h"

/*
 * Counts the samples of an open file and prints their functions to o. What was not found is told on
 * talk: functions whose code is missing, once for each object. *ret_verdict: how far the costs can
 * be trusted, the caller's; NULL where nothing was counted or none is wanted. PERR_NOTFOUND:
 * nothing was printed, because no function that is wanted has samples, or none has code. Other
 * errors: of the file; what could be read of it is printed.
 */
int annotate_print(struct pann_options *opt, struct perfdata *pd, struct diag *diag, struct out *o,
		   FILE *talk, struct verdict **ret_verdict, struct perr *e) MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/* Counts the samples of one recording and prints its functions with their instructions' costs. */
#ifndef REPORT_PANN_ANNOTATE_H
#define REPORT_PANN_ANNOTATE_H

#include "report/pann/pann_options.h"
#include "profile/reader_command.h"

/*
 * Counts the samples of an open recording and prints their functions to o. Functions whose code is
 * missing are listed on rc->messages, once for each object. *ret_verdict: how far the costs can be
 * trusted, the caller's; NULL when nothing was counted or no verdict is wanted. PERR_NOTFOUND:
 * nothing was printed, because no wanted function has samples, or none has code. Other errors are
 * those of the file; what could be read before the damage is printed.
 */
int annotate_print(const struct reader_command *rc, struct pann_options *opt, struct perfdata *pd,
		   struct out *o, struct verdict **ret_verdict, struct perr *e) MUST_CHECK;

#endif

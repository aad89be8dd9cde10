/* SPDX-License-Identifier: MIT */
/* Counts the samples of one recording and prints the report's tables. */
#ifndef REPORT_PREP_PREP_REPORT_H
#define REPORT_PREP_PREP_REPORT_H

#include "report/prep/hist_print.h"
#include "profile/reader_command.h"

/* What prep prints first, as perf does, unless the header itself is wanted. */
#define PREP_HEADER_HINT                                                                       \
	"# To display the perf.data header info, please use --header/--header-only options.\n" \
	"#\n"

/*
 * Prints the report of an open recording to o. opt is adjusted to the file: branch mode, children,
 * chains. *ret_verdict: how far the counted samples can be trusted, the caller's; NULL when nothing
 * was counted, or no verdict is wanted. Returns 0 or a negative code; of a damaged file, what could
 * be read before the damage is printed.
 */
int prep_report(const struct reader_command *rc, struct prep_options *opt, struct perfdata *pd,
		struct out *o, struct verdict **ret_verdict, struct perr *e) MUST_CHECK;

#endif

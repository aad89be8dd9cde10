/* SPDX-License-Identifier: MIT */
/* --diff A B: two recordings side by side, by object and symbol, as perf diff prints them. */
#ifndef REPORT_PREP_PREP_DIFF_H
#define REPORT_PREP_PREP_DIFF_H

#include "base/out.h"
#include "report/prep/prep_options.h"
#include "profile/reader_command.h"

#define PREP_DIFF_SIDES 2

struct prep_diff {
	const struct reader_command *rc;
	const struct prep_options *opt; /* input and diff_to name the files */
	/* filled by prep_diff_print: */
	const char *file; /* that was read last: an error is about it */
	/* of the two files, the caller's; NULL when nothing was counted, or none is wanted */
	struct verdict *verdicts[PREP_DIFF_SIDES];
};

/*
 * Prints a table for each event that both files have: a row's share in the first file, and how much
 * its share in the second differs, the largest difference first. Returns 0 or the code of the file
 * that could not be read; nothing is printed then.
 */
int prep_diff_print(struct prep_diff *in, struct out *o, struct perr *e) MUST_CHECK;

#endif

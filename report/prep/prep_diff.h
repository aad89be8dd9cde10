/* SPDX-License-Identifier: MIT */
/* --diff A B: two recordings side by side, by object and symbol, in the layout of perf diff. */
#ifndef REPORT_PREP_PREP_DIFF_H
#define REPORT_PREP_PREP_DIFF_H

#include "base/out.h"
#include "report/prep/prep_options.h"
#include "profile/reader_command.h"

/* The number of recordings that are compared. */
#define PREP_DIFF_SIDES 2

/* A comparison of two recordings: the caller sets rc and opt, prep_diff_print() the rest. */
struct prep_diff {
	const struct reader_command *rc;
	const struct prep_options *opt; /* input and diff_to name the files */
	const char *file;               /* the file that was read last; an error is about it */
	/* the files' verdicts, for the caller to free; NULL: nothing was counted, or not wanted */
	struct verdict *verdicts[PREP_DIFF_SIDES];
};

/*
 * Prints a table for each event that both files have: a row's share in the first file, and how much
 * its share in the second differs, the largest difference first. Returns 0 or the code of the file
 * that could not be read; nothing is printed then.
 */
int prep_diff_print(struct prep_diff *in, struct out *o, struct perr *e) MUST_CHECK;

#endif

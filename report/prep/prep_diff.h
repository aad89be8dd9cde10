/* SPDX-License-Identifier: MIT */
/* --diff A B...: recordings compared with the first one, in the layout of perf diff. */
#ifndef REPORT_PREP_PREP_DIFF_H
#define REPORT_PREP_PREP_DIFF_H

#include "base/out.h"
#include "report/prep/prep_options.h"
#include "profile/reader_command.h"

/* A comparison: the caller sets rc and opt, prep_diff_print() the rest. */
struct prep_diff {
	const struct reader_command *rc;
	struct prep_options *opt; /* opt->diff_of names the files */
	const char *file;         /* the file that was read last; an error is about it */
	/* the files' verdicts in malloc'd memory, for the caller to free, array and verdicts;
	 * NULL: nothing was counted, or not wanted */
	struct verdict **verdicts;
};

/*
 * Prints a table for each event of the first file. Returns 0 or the code of the file that could not
 * be read; nothing is printed then.
 */
int prep_diff_print(struct prep_diff *in, struct out *o, struct perr *e) MUST_CHECK;

/*
 * The part of --time for one file of a comparison: parts are separated by ":", the last one holds
 * for the rest. The caller frees it. NULL for time NULL.
 */
char *prep_diff_time_of(const char *time, size_t file);

#endif

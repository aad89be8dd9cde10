/* SPDX-License-Identifier: MIT */
/* Outputs of prep that show the file's records instead of a report: -D, --stats, --tasks, -T. */
#ifndef REPORT_PREP_PREP_STATS_H
#define REPORT_PREP_PREP_STATS_H

#include "profile/reader_command.h"
#include "report/prep/prep_options.h"
#include "session/session.h"

/*
 * --stats: prints how many records of each type, and how many samples and lost samples of each
 * event pd has; skip_empty: nothing of types and events without any. Reads pd to its end. Returns
 * 0 or the code of a read error.
 */
int prep_stats_print(struct out *o, struct perfdata *pd, bool skip_empty,
		     struct perr *e) MUST_CHECK;

/*
 * -D: prints every record of pd, and their counts. Reads pd to its end. Returns 0, the code of a
 * read error, or that of reader_start().
 */
int prep_dump_print(const struct reader_command *rc, const struct prep_options *opt,
		    struct perfdata *pd, struct out *o, struct perr *e) MUST_CHECK;

/*
 * --tasks: prints the tasks of pd as a tree; maps (--mmaps): with what each process has mapped.
 * Reads pd to its end. Returns 0 or the code of a read error.
 */
int prep_tasks_print(struct out *o, struct perfdata *pd, const struct symbols_config *symbols,
		     bool maps, struct diag *diag, struct perr *e) MUST_CHECK;

/*
 * -T: prints a table of threads with the values of inherited counters at the thread's end (READ
 * records); raw: one line for each value. Rewinds pd and reads it to its end. Returns
 * PERR_UNSUPPORTED for a stream, or the code of a read error.
 */
int prep_reads_print(struct out *o, struct perfdata *pd, bool raw, struct perr *e) MUST_CHECK;

#endif

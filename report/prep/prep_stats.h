/* SPDX-License-Identifier: MIT */
/* Tables of the file itself: its records by type, the tasks in it and their maps. */
#ifndef REPORT_PREP_PREP_STATS_H
#define REPORT_PREP_PREP_STATS_H

#include "base/out.h"
#include "session/session.h"

/* --stats: how many records of each type, and samples of each event. Reads pd to its end. */
int prep_stats_print(struct out *o, struct perfdata *pd, struct perr *e) MUST_CHECK;

/* -D: every record in the order of the file. Reads pd to its end. */
int prep_dump_print(struct out *o, struct perfdata *pd, struct perr *e) MUST_CHECK;

/* --tasks, with --mmaps also what each has mapped. Reads pd to its end. */
int prep_tasks_print(struct out *o, struct perfdata *pd, const struct symbols_config *symbols,
		     bool maps, struct diag *diag, struct perr *e) MUST_CHECK;

/*
 * -T: per thread the counters' values when it ended. Opens the file of pd once more; a stream is
 * refused. raw: a line for each value.
 */
int prep_reads_print(struct out *o, struct perfdata *pd, bool raw, struct perr *e) MUST_CHECK;

#endif

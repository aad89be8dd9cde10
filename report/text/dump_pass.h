/* SPDX-License-Identifier: MIT */
/* One pass over a recording that dumps its records, as perf report -D and perf annotate -D do. */
#ifndef REPORT_TEXT_DUMP_PASS_H
#define REPORT_TEXT_DUMP_PASS_H

#include "report/text/rawdump.h"
#include "session/session.h"

/*
 * Prints every record in perf's order, of samples also the task and the object, then the counts of
 * all records. command: whose dump it is. skip_empty: no counts of types and events without any.
 * Returns 0, or the code of a read error; what came before it has been printed.
 */
int dump_pass_print(struct session *s, struct out *o, enum rawdump_command command, bool skip_empty,
		    struct perr *e) MUST_CHECK;

#endif

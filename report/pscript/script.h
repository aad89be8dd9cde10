/* SPDX-License-Identifier: MIT */
/* pscript's work on one open file: what it needs, its one loop, what it tells at the end. */
#ifndef REPORT_PSCRIPT_SCRIPT_H
#define REPORT_PSCRIPT_SCRIPT_H

#include "base/progress.h"
#include "profile/reader_command.h"
#include "report/pscript/pscript_options.h"
#include "report/text/rawdump.h"
#include "report/pscript/script_output.h"
#include "report/pscript/script_workers.h"
#include "session/sample_sink.h"

struct script {
	const struct reader_command *rc;
	struct pscript_options *opt;
	struct perfdata *pd;
	struct session *session;
	struct join_table *joins; /* see sample_text_config */
	bool left_truncated;      /* a stack of a stream could not be completed */
	struct sample_sink sink;  /* its stats are those of the printing pass */
	struct tracetext *trace;
	struct sample_text *text;
	struct rawdump dump; /* with -D */
	struct progress progress;
	struct script_output output;
	struct script_workers *workers; /* NULL: samples are printed one by one */
	const struct pd_event *switch_on, *switch_off;
	u64 last_time, nr_misordered; /* with -d */
	bool explained;               /* --debug-unwind has met its sample */
};

/*
 * Makes what printing pd's samples needs. PERR_USAGE when the options do not fit the file. rc, opt
 * and pd are borrowed until script_fini, which has to be called after an error, too.
 */
int script_prepare(struct script *p, const struct reader_command *rc, struct pscript_options *opt,
		   struct perfdata *pd, struct perr *e) MUST_CHECK;
void script_fini(struct script *p);

/* Prints all records that the options ask for, to standard output. */
int script_print(struct script *p, struct perr *e) MUST_CHECK;

/* Warns of what was left out because the recording is a stream. Call it after script_print(). */
void script_warn_of_stream(const struct script *p, struct diag *diag);

/* Says on standard error what the recording lost, or this reader could not use. */
void script_tell_losses(const struct script *p);

#endif

/* SPDX-License-Identifier: MIT */
/* Prints the samples of one recording: setup, the loop over records, and what was lost. */
#ifndef REPORT_PSCRIPT_SCRIPT_H
#define REPORT_PSCRIPT_SCRIPT_H

#include "base/progress.h"
#include "profile/reader_command.h"
#include "report/pscript/pscript_options.h"
#include "report/text/rawdump.h"
#include "report/pscript/script_output.h"
#include "report/pscript/script_switches.h"
#include "report/pscript/script_workers.h"
#include "session/sample_sink.h"

/* The state of printing one recording. */
struct script {
	const struct reader_command *rc;
	struct pscript_options *opt;
	struct perfdata *pd;
	struct session *session;
	struct join_table *joins; /* callers for truncated stacks; NULL: none are added */
	bool left_truncated;      /* a stack of a stream could not be completed */
	struct sample_sink sink;  /* receives samples and records while printing */
	struct tracetext *trace;
	struct sample_text *text;
	struct rawdump dump; /* with -D */
	struct progress progress;
	struct script_output output;
	struct script_workers *workers; /* NULL: samples are formatted in the main thread */
	const struct pd_event *switch_on, *switch_off;
	struct script_switches switches;
	u64 last_time, nr_misordered; /* with -d */
	bool explained;               /* --debug-unwind has met its sample */
};

/*
 * Sets up p to print pd's samples. Returns 0, PERR_USAGE for options that do not fit the file, or
 * another negative code. rc, opt and pd are borrowed until script_fini(); call script_fini() in any
 * case.
 */
int script_prepare(struct script *p, const struct reader_command *rc, struct pscript_options *opt,
		   struct perfdata *pd, struct perr *e) MUST_CHECK;
void script_fini(struct script *p);

/*
 * Prints all records that the options ask for to standard output. Returns 0 or a negative code;
 * what was printed before an error stays valid.
 */
int script_print(struct script *p, struct perr *e) MUST_CHECK;

/* Warns of what was left out because the recording is a stream. Call it after script_print(). */
void script_warn_of_stream(const struct script *p, struct diag *diag);

#endif

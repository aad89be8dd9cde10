/* SPDX-License-Identifier: MIT */
/* Options of plat --as. */
#ifndef EVENTS_PERF_TEXTS_AS_OPTIONS_H
#define EVENTS_PERF_TEXTS_AS_OPTIONS_H

#include "base/pager.h"
#include "events/perf_texts/sched_latency.h"
#include "session/common_options.h"

/* AS_FTRACE_LATENCY and AS_LOCK_CONTENTION have options of their own: ftrace_options.h,
 * lock_options.h */
enum as_text {
	AS_FTRACE_LATENCY,
	AS_LOCK_CONTENTION,
	AS_SCHED_LATENCY,
	AS_TRACE,
	AS_TRACE_S,
	NR_AS_TEXTS
};

struct as_options {
	int text;          /* enum as_text; -1: --as was not given */
	const char *input; /* NULL: the usual one */
	bool print_record;
	struct latency_layout latency; /* --sort, --pids */
	bool errno_summary;
	struct symbols_config symbols;
	struct pager pager;
};

/* -1: go on; else the exit status, as plat_options_parse(). */
int as_options_parse(struct as_options *o, struct diag *diag, int argc, char **argv);

#endif

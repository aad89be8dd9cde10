/* SPDX-License-Identifier: MIT */
/* Options of plat --as=ftrace-latency. */
#ifndef EVENTS_PERF_TEXTS_FTRACE_OPTIONS_H
#define EVENTS_PERF_TEXTS_FTRACE_OPTIONS_H

#include "base/pager.h"
#include "events/perf_texts/ftrace_latency.h"
#include "events/record_words.h"
#include "session/common_options.h"

struct ftrace_options {
	const char *as;       /* main() has seen it: here it is for -h only */
	const char *function; /* -T; NULL: events */
	char *events[2];      /* from which to which time is measured; NULL: a function */
	size_t nr_events;
	struct ftrace_layout layout;
	const char *input;
	struct record_target live;
	const char *record_file;
	bool print_record, ignored;
	struct filter filter;
	struct symbols_config symbols;
	struct pager pager;
};

/* -1: go on; else the exit status, as plat_options_parse(). Free with ftrace_options_fini(). */
int ftrace_options_parse(struct ftrace_options *o, struct diag *diag, int argc, char **argv);
void ftrace_options_fini(struct ftrace_options *o);

/* Makes the prec command that records what is measured, see record_words_make(). */
int ftrace_options_record(const void *options, bool to_pipe, struct record_words *ret,
			  struct perr *e) MUST_CHECK;

#endif

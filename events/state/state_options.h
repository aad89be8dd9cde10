/* SPDX-License-Identifier: MIT */
/* Options of plat task-state, plat offcpu and plat oncpu. */
#ifndef EVENTS_STATE_STATE_OPTIONS_H
#define EVENTS_STATE_STATE_OPTIONS_H

#include "base/pager.h"
#include "events/limits.h"
#include "events/record_words.h"
#include "events/state/thread_states.h"
#include "session/common_options.h"

enum state_report { REPORT_STATES, REPORT_OFFCPU, REPORT_ONCPU };

struct state_options {
	enum state_report report;
	struct record_target live; /* what is recorded now */
	const char *record_file;   /* --record; NULL: none */
	u64 interval_ms;           /* a table each time that this has passed; 0: at the end */
	const char *input;         /* NULL: the usual one */
	bool s, d;                 /* -S, -D */
	u32 wanted;                /* bit per enum task_state: which intervals are measured */
	bool by_thread;
	u64 than; /* ns; 0: none */
	bool stacks, wakers;
	bool ns; /* times are printed in ns */
	bool print_record;
	u64 top;
	struct limits limits;      /* threads; memory */
	const char *folded, *html; /* files; NULL: none */
	struct filter filter;      /* comms, pids and tids of the rows */
	struct stack_options stack;
	struct symbols_config symbols;
	bool demangle;
	struct pager pager;
};

/* -1: go on; else the exit status, as plat_options_parse(). argv[0] is the word behind plat. */
int state_options_parse(struct state_options *o, struct diag *diag, int argc, char **argv);
/*
 * The command that records what is needed: of a target smaller than the system the times off the
 * CPU that prec makes itself. to_pipe: for live_start(). PERR_USAGE: the target is too small.
 */
int state_options_record(const void *options, bool to_pipe, struct record_words *ret,
			 struct perr *e) MUST_CHECK;
void state_options_fini(struct state_options *o);

/* Whether the rows of a thread are wanted. */
bool state_options_want(const struct state_options *o, const struct thread_times *th);

#endif

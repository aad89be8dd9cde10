/* SPDX-License-Identifier: MIT */
/* Options of plat lock-contention. */
#ifndef EVENTS_PERF_TEXTS_LOCK_OPTIONS_H
#define EVENTS_PERF_TEXTS_LOCK_OPTIONS_H

#include "base/pager.h"
#include "events/perf_texts/lock_events.h"
#include "events/record_words.h"
#include "session/common_options.h"

struct lock_options {
	const char *as;    /* main() has seen it: here it is for -h only */
	const char *input; /* NULL: the usual one */
	struct record_target live;
	const char *record_file;
	bool print_record, ignored;
	struct lock_layout layout; /* -k, -F, -E, -x, -v, -q */
	bool threads, lock_addr;   /* rows by thread, by lock */
	struct lock_filter filter; /* -Y, -L, -S */
	u64 max_stack, stack_skip;
	struct symbols_config symbols;
	struct pager pager;
};

/* -1: go on; else the exit status, as plat_options_parse(). Free with lock_options_fini(). */
int lock_options_parse(struct lock_options *o, struct diag *diag, int argc, char **argv);
void lock_options_fini(struct lock_options *o);

/* Makes the prec command that records what is needed, see record_words_make(). */
int lock_options_record(const void *options, bool to_pipe, struct record_words *ret,
			struct perr *e) MUST_CHECK;

#endif

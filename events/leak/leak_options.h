/* SPDX-License-Identifier: MIT */
/* Options of plat leak. */
#ifndef EVENTS_LEAK_LEAK_OPTIONS_H
#define EVENTS_LEAK_LEAK_OPTIONS_H

#include "base/pager.h"
#include "events/leak/leak_presets.h"
#include "events/limits.h"
#include "events/record_words.h"
#include "session/common_options.h"

enum leak_by { LEAK_BY_STACK, LEAK_BY_COMM, LEAK_BY_PID };

struct leak_options {
	const struct leak_preset *preset; /* NULL: by what the recording has */
	struct leak_preset own;           /* of --alloc, --free, --ptr and --size */
	struct record_target live;        /* what is recorded now */
	const char *record_file;          /* --record; NULL: none */
	u64 interval_ms;   /* a table each time that this has passed; 0: at the end */
	const char *input; /* NULL: the usual one */
	u64 age;           /* ns; 0: all */
	enum leak_by by;
	u64 top;
	struct limits limits; /* objects; memory */
	bool ns;              /* ages are printed in ns */
	bool print_record;
	const char *folded, *html; /* files; NULL: none */
	struct filter filter;      /* comms and pids of what is printed */
	struct stack_options stack;
	struct symbols_config symbols;
	bool demangle;
	struct pager pager;
};

/* -1: go on; else the exit status, as plat_options_parse(). argv[0] is the word behind plat. */
int leak_options_parse(struct leak_options *o, struct diag *diag, int argc, char **argv);
/*
 * The command that records what is needed. to_pipe: for live_start(). PERR_USAGE: the target is too
 * small, or an event list is wrong.
 */
int leak_options_record(const void *options, bool to_pipe, struct record_words *ret,
			struct perr *e) MUST_CHECK;
void leak_options_fini(struct leak_options *o);

#endif

/* SPDX-License-Identifier: MIT */
/* The options of plat when and plat busy. */
#ifndef EVENTS_WHEN_WHEN_OPTIONS_H
#define EVENTS_WHEN_WHEN_OPTIONS_H

#include "base/pager.h"
#include "events/record_words.h"
#include "events/when/when_cond.h"
#include "session/common_options.h"

struct when_options {
	const char *input;
	struct when_cond cond;
	char *own_text;     /* of plat busy: the condition; else NULL */
	const char *than;   /* of plat busy */
	int part;           /* of plat busy: enum when_part */
	u64 window, around; /* ns */
	const char *show;   /* further events to record, for --around; NULL: none */
	u64 top;            /* stacks of a window */
	u64 max;            /* times printed; 0: all */
	bool stacks;
	struct record_target live;
	const char *record_file;
	bool print_record;
	struct stack_options stack;
	struct symbols_config symbols;
	bool demangle;
	struct pager pager;
};

/* As func_options_parse(). argv[0] is "when" or "busy". */
int when_options_parse(struct when_options *o, struct diag *diag, int argc, char **argv);
void when_options_fini(struct when_options *o);

/* Makes the prec command that records what is needed, see record_words_make(). */
int when_options_record(const void *options, bool to_pipe, struct record_words *ret,
			struct perr *e) MUST_CHECK;

#endif

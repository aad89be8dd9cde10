/* SPDX-License-Identifier: MIT */
/* Options of plat trace. */
#ifndef EVENTS_CALLS_CALL_OPTIONS_H
#define EVENTS_CALLS_CALL_OPTIONS_H

#include "base/pager.h"
#include "events/calls/call_text.h"
#include "events/record_words.h"
#include "session/common_options.h"

struct call_options {
	const char *input; /* NULL: the usual one */
	enum call_style style;
	bool trace; /* main() has seen it */
	bool print_record;
	struct record_target live; /* what prec records now; nothing: a recording is read */
	const char *record_file;   /* NULL: none */
	const char **names;        /* of calls */
	size_t nr_names, cap_names;
	u64 than; /* ns */
	bool failed;
	bool no_texts; /* what arguments point to is not written */
	const char
		*stack_bytes; /* live: of each copy of a stack; NULL: as many as the target needs */
	struct symbols_config symbols;
	struct pager pager;
};

/* -1: go on; else the exit status, as plat_options_parse(). argv[0] is the word behind plat. */
int call_options_parse(struct call_options *o, struct diag *diag, int argc, char **argv);
void call_options_fini(struct call_options *o);

/* Makes the prec command that records what is needed; see record_words_make(). */
int call_options_record(const void *options, bool to_pipe, struct record_words *ret,
			struct perr *e) MUST_CHECK;

#endif

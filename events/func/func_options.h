/* SPDX-License-Identifier: MIT */
/* The options of plat func. */
#ifndef EVENTS_FUNC_FUNC_OPTIONS_H
#define EVENTS_FUNC_FUNC_OPTIONS_H

#include "base/pager.h"
#include "events/func/func_table.h"
#include "events/record_words.h"
#include "session/common_options.h"

enum func_sort { FUNC_SORT_TOTAL, FUNC_SORT_SELF, FUNC_SORT_CALLS, FUNC_SORT_MAX };

struct func_options {
	const char *input;
	const char **probes; /* FILE:FUNCTION of the command line */
	size_t nr_probes;
	bool count;             /* entries alone */
	bool ret;               /* returns are probed at the instructions that return */
	const char *max_probes; /* of one glob; NULL: the usual number */
	struct record_target live;
	const char *record_file;
	u64 interval_ms; /* 0: one table at the end */
	bool print_record;
	struct filter filter;
	enum func_by by;
	enum func_sort sort;
	u64 than; /* ns; 0: none */
	u64 top;  /* 0: all */
	bool hist, tree, ns, json;
	bool stacks; /* calls by whole call stacks */
	struct stack_options stack;
	const char *folded, *html;
	struct symbols_config symbols;
	struct pager pager;
};

/*
 * -1: go on. Else the exit status for main: help or a command was printed (0), or a message about a
 * wrong option. Texts are borrowed from argv.
 */
int func_options_parse(struct func_options *o, struct diag *diag, int argc, char **argv);
void func_options_fini(struct func_options *o);

/* Makes the prec command that records the probes, see record_words_make(). */
int func_options_record(const void *options, bool to_pipe, struct record_words *ret,
			struct perr *e) MUST_CHECK;

/* True if the file of a probe is a Go program: its returns are always probed as with `ret`. */
bool func_options_is_go(const char *probe);

#endif

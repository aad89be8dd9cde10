/* SPDX-License-Identifier: MIT */
/* plat's options. */
#ifndef EVENTS_COMMAND_PLAT_OPTIONS_H
#define EVENTS_COMMAND_PLAT_OPTIONS_H

#include "base/pager.h"
#include "events/limits.h"
#include "events/pairs.h"
#include "events/recipes/recipes.h"
#include "events/record_words.h"
#include "events/command/usdt_words.h"
#include "events/table_text.h"
#include "session/common_options.h"

/* The values of an option that may be given several times. */
struct text_values {
	const char **v;
	size_t nr, cap;
};

struct plat_options {
	const char *input; /* NULL: the usual one */
	struct text_values begins, ends;
	const char *key, *by, *value;
	const char *recipe_file; /* --recipe; NULL: none */
	const char *print_recipe;
	struct recipes recipes;
	const struct recipe *recipe; /* NULL: none was named */
	struct usdt_words usdt;      /* of plat usdt: what prec records; else none */
	struct record_target
		live;            /* what prec records for this run; nothing: a recording is read */
	const char *record_file; /* --record: what the live recording is written to; NULL: none */
	u64 interval_ms;         /* tables in between; 0: only one at the end */
	bool trace;              /* main() has seen it where it fits */
	const char *as;          /* main() has seen it: here it is for -h only */
	bool print_record, list_recipes;
	bool nest, cycle, keep_broken;
	u64 than;      /* ns; 0: none */
	u64 open_than; /* --open, ns; 0: none */
	u64 around;    /* ns; 0: none */
	bool lines;
	u64 nr_longest;
	bool heat_map;
	const char *heat_file, *svg, *folded, *html; /* files; NULL: none */
	struct limits limits;
	struct table_options table;
	struct stack_options stacks;
	struct filter filter;
	const char *time, *why;
	struct symbols_config symbols;
	bool demangle;
	struct pager pager;
};

/*
 * -1: go on. Else the exit status for main: help was printed (0), or a message about a wrong option
 * (129, or 1 for a missing file). Strings are borrowed from argv or
 * from o->recipes.
 */
int plat_options_parse(struct plat_options *o, struct diag *diag, int argc, char **argv);
void plat_options_fini(struct plat_options *o);

/* True if the stacks of begins are written, weighted by time. */
bool plat_options_folds(const struct plat_options *o);
/* True if call stacks are printed or written. */
bool plat_options_stacks(const struct plat_options *o);

/* Makes the prec command that records what the options need, see record_words_make(). */
int plat_options_record(const void *options, bool to_pipe, struct record_words *ret,
			struct perr *e) MUST_CHECK;

#endif

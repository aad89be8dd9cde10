/* SPDX-License-Identifier: MIT */
/* pfold's options. They have perf's names where perf has such an option. */
#ifndef FOLD_PFOLD_OPTIONS_H
#define FOLD_PFOLD_OPTIONS_H

#include "base/pager.h"
#include "fold/folded.h"
#include "fold/svg_options.h"
#include "session/common_options.h"
#include "profile/verdict/verdict_text.h"

struct pfold_options {
	const char *input; /* -i */
	const char *inputs[FOLD_SIDES];
	const char *output; /* NULL: standard output */
	struct pager pager;
	bool diff; /* two inputs */
	bool normalize;
	struct folded_config folded;
	struct svg_drawing drawing; /* --svg */
	const char *html;           /* --html: the file of the page, "-": standard output */
	const char *event;          /* NULL: the only event with samples */
	struct filter filter;
	const char *time; /* --time, applied once the file is open */
	struct symbols_config symbols;
	const char *why; /* --why OBJECT: print only where its files were looked for */
	struct stack_options stacks;
	u64 max_mem; /* bytes, 0: no limit */
	u64 nr_threads;
	enum verdict_form quality;
	bool quiet, demangle, ignored;
};

/*
 * -1: go on. Else the exit status for main: help was printed (0), or a message about a wrong option
 * (129, or 1 for a missing file). Strings are borrowed from argv.
 */
int pfold_options_parse(struct pfold_options *o, struct diag *diag, int argc, char **argv);
void pfold_options_fini(struct pfold_options *o);

#endif

/* SPDX-License-Identifier: MIT */
/* The options of pann, with perf annotate's names and meanings. */
#ifndef REPORT_PANN_PANN_OPTIONS_H
#define REPORT_PANN_PANN_OPTIONS_H

#include "base/pager.h"
#include "report/annotate/annotate_view.h"
#include "report/tui/tui_start.h"
#include "session/filter.h"
#include "profile/function_name.h"
#include "profile/verdict/verdict_text.h"

/* The command line, parsed. Strings are borrowed from argv; they are NULL if not given. */
struct pann_options {
	const char *input;  /* the recording; "-": standard input */
	const char *symbol; /* NULL: all functions with samples */
	struct annot_style style;
	struct filter filter;
	struct symbols_config symbols;
	struct tui_start ui;
	struct pager pager;
	const char *why;  /* --why: print only where this object's files were looked for */
	const char *time; /* --time, parsed once the file is open */
	double percent_limit;
	u64 max_symbols; /* most functions to print; 0: all */
	u64 nr_threads, max_mem, ignored_number;
	enum verdict_form quality;
	bool stdio2, intel, group, skip_empty, skip_missing, quiet, dump_raw;
	bool demangle, show_samples, show_period, ignored;
	bool full_names; /* lines are not shortened to fit the terminal */
	enum function_names names;
};

/*
 * Parses the command line into o, with defaults for what is not given. Returns -1 if the command
 * should go on, else main's exit status: 0 after help was printed, 129 after a message about a
 * wrong option, 1 after a message about a missing file. Call pann_options_fini() in any case.
 */
int pann_options_parse(struct pann_options *o, struct diag *diag, int argc, char **argv);
void pann_options_fini(struct pann_options *o);

#endif

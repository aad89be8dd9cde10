/* SPDX-License-Identifier: MIT */
/* pann's options: perf annotate's names and meanings. */
#ifndef REPORT_PANN_PANN_OPTIONS_H
#define REPORT_PANN_PANN_OPTIONS_H

#include "base/pager.h"
#include "report/pann/annotate_view.h"
#include "session/filter.h"
#include "profile/verdict/verdict_text.h"

struct pann_options {
	const char *input;
	const char *symbol; /* NULL: all functions with samples */
	struct annot_style style;
	struct filter filter;
	struct symbols_config symbols;
	struct pager pager;
	const char *why;
	const char *time; /* --time, applied once the file is open */
	double percent_limit;
	u64 max_symbols; /* 0: all */
	u64 nr_threads, max_mem, ignored_number;
	enum verdict_form quality;
	bool stdio2, intel, group, skip_empty, skip_missing, quiet;
	bool demangle, show_samples, show_period, ignored;
};

/*
 * -1: go on. Else the exit status for main: help was printed (0), or a message about a wrong option
 * (129, or 1 for a missing file). Strings are borrowed from argv.
 */
int pann_options_parse(struct pann_options *o, struct diag *diag, int argc, char **argv);
void pann_options_fini(struct pann_options *o);

#endif

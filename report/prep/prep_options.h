/* SPDX-License-Identifier: MIT */
/* prep's options: perf report's names and meanings. */
#ifndef REPORT_PREP_PREP_OPTIONS_H
#define REPORT_PREP_PREP_OPTIONS_H

#include "base/pager.h"
#include "profile/chain_option.h"
#include "report/table/table_config.h"
#include "session/common_options.h"
#include "profile/verdict/verdict_text.h"

struct prep_options {
	const char *input;
	struct table_config table; /* its filter is `filter` below */
	struct chain_option chain;
	struct filter filter;
	struct symbols_config symbols;
	const char *why;       /* --why OBJECT: print only where its files were looked for */
	const char *time;      /* --time, applied once the file is open */
	const char *separator; /* -t */
	const char *switch_on, *switch_off;
	const char *diff_to; /* --diff A B: the second file */
	double percent_limit;
	u64 time_quantum_ns; /* 0: 100 ms */
	u64 nr_threads, max_mem;
	u64 group_sort_idx, socket, ignored_number; /* UINT64_MAX: not given */
	struct stack_options stacks;
	enum verdict_form quality;
	int branch_stack; /* 1: -b, 0: --no-branch-stack, -1: as the file */
	bool children, inverted, relative;
	bool group, force_group, skip_empty;
	bool quiet;
	bool header, header_only, show_info, stats, tasks, mmaps, diff, dump_raw;
	bool thread_table; /* -T */
	bool raw_threads;  /* -T prints a line for each count */
	bool show_on_off;
	bool color;
	struct pager pager;
	bool demangle, mem_mode, ignored;
	char **words;  /* the command line, with -g and its argument as one word */
	char **joined; /* the words that were allocated for that */
	size_t nr_joined, cap_joined;
};

/*
 * -1: go on. Else the exit status for main: help was printed (0), or a message about a wrong option
 * (129, or 1 for a missing file). Strings are borrowed from argv.
 */
int prep_options_parse(struct prep_options *o, struct diag *diag, int argc, char **argv);
void prep_options_fini(struct prep_options *o);

#endif

/* SPDX-License-Identifier: MIT */
/* The options of prep, with perf report's names and meanings. */
#ifndef REPORT_PREP_PREP_OPTIONS_H
#define REPORT_PREP_PREP_OPTIONS_H

#include "base/pager.h"
#include "profile/chain_option.h"
#include "profile/function_name.h"
#include "report/diff/diff_columns.h"
#include "report/diff/diff_table.h"
#include "report/tui/tui_start.h"
#include "report/table/table_config.h"
#include "session/common_options.h"
#include "profile/verdict/verdict_text.h"

/* What --diff compares and shows. */
struct prep_diff_options {
	struct diff_options rows;
	struct diff_column_options columns;
	int interval;       /* 1: --interval, 0: --no-interval, -1: not given */
	const char **files; /* the baseline first; the array is freed by prep_options_fini() */
	size_t nr_files, cap_files;
};

/* The command line, parsed. Strings are borrowed from argv; they are NULL if not given. */
struct prep_options {
	const char *input;         /* the recording; "-": standard input */
	const char *input_given;   /* -i; NULL: not given */
	bool wall;                 /* --wall: times on and off the CPU in one table */
	bool by_cgroup;            /* --cgroup: sorted by cgroup first */
	struct table_config table; /* table.filter points at the member `filter` */
	struct chain_option chain;
	struct filter filter;
	struct symbols_config symbols;
	const char *why;       /* --why: print only where this object's files were looked for */
	const char *time;      /* --time, parsed once the file is open */
	const char *separator; /* -t: what stands between columns */
	const char *switch_on, *switch_off;
	struct prep_diff_options diff_of; /* with `diff` */
	double percent_limit;
	u64 time_quantum_ns; /* 0: 100 ms */
	u64 nr_threads, max_mem;
	u64 group_sort_idx, socket, ignored_number; /* UINT64_MAX: not given */
	struct stack_options stacks;
	enum function_names names;
	enum verdict_form quality;
	int branch_stack; /* 1: -b, 0: --no-branch-stack, -1: as the file */
	bool children, inverted, relative;
	bool group, force_group, skip_empty;
	bool group_given; /* --group or --no-group */
	bool quiet;
	bool header, header_only, show_info, stats, tasks, mmaps, diff, dump_raw;
	const char *html;  /* --html: the file of the page; "-": standard output */
	u64 html_time;     /* ns, the steps of its samples' times; 0: it has none */
	bool thread_table; /* -T */
	bool raw_threads;  /* -T prints a line for each count */
	bool show_on_off;
	bool color;
	bool full_names; /* names are not shortened to fit the terminal */
	struct tui_start ui;
	struct pager pager;
	bool demangle, mem_mode, ignored;
	char **words;  /* argv with the optional argument of -g joined to it: "-g" "x" is "-gx" */
	char **joined; /* words made of -g and its argument, to be freed */
	size_t nr_joined, cap_joined;
};

/*
 * Parses the command line into o, with defaults for what is not given. Returns -1 if the command
 * should go on, else main's exit status: 0 after help was printed, 129 after a message about a
 * wrong option, 1 after a message about a missing file. Call prep_options_fini() in any case.
 */
int prep_options_parse(struct prep_options *o, struct diag *diag, int argc, char **argv);
void prep_options_fini(struct prep_options *o);

#endif

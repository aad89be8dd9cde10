/* SPDX-License-Identifier: MIT */
/* The options of pscript, with perf script's names and meanings. */
#ifndef REPORT_PSCRIPT_PSCRIPT_OPTIONS_H
#define REPORT_PSCRIPT_PSCRIPT_OPTIONS_H

#include "base/pager.h"
#include "report/pscript/debug_unwind.h"
#include "session/common_options.h"
#include "profile/function_name.h"
#include "profile/verdict/verdict_text.h"

/* The command line, parsed. Strings are borrowed from argv; they are NULL if not given. */
struct pscript_options {
	const char *input; /* the recording; "-": standard input */
	struct fields fields;
	struct sample_text_config text;
	struct filter filter;
	const char *time; /* --time, parsed once the file is open */
	struct symbols_config symbols;
	const char *why; /* --why: print only where this object's files were looked for */
	struct debug_unwind debug_unwind; /* if given, print only how one sample was unwound */
	struct stack_options stacks;
	bool quiet, demangle, merge, ignored;
	enum function_names names;
	enum unwinder_kind unwinder;
	bool no_merge;
	struct pager pager;
	bool no_join; /* do not extend truncated stacks */
	bool header, header_only, show_info, dump_raw, per_event_dump;
	bool dump_unsorted; /* dump_raw in the order of the file */
	bool show_task, show_mmap, show_switch, show_namespace, show_lost, show_round, show_bpf,
		show_cgroup, show_text_poke;
	const char *switch_on, *switch_off; /* event names */
	bool show_on_off;
	bool check_order;           /* -d: print only how many samples are out of time order */
	const char *graph_function; /* for AUX traces only: with it no sample is printed */
	int verbose;
	u64 nr_threads;
	enum verdict_form quality;
};

/*
 * Parses the command line into o, with defaults for what is not given. Returns -1 if the command
 * should go on, else main's exit status: 0 after help was printed, 129 after a message about a
 * wrong option, 1 after a message about a missing file. Call pscript_options_fini() in any case.
 */
int pscript_options_parse(struct pscript_options *o, struct diag *diag, int argc, char **argv);
void pscript_options_fini(struct pscript_options *o);

#endif

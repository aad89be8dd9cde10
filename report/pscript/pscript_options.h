/* SPDX-License-Identifier: MIT */
/* pscript's options: perf script's names and meanings. */
#ifndef REPORT_PSCRIPT_PSCRIPT_OPTIONS_H
#define REPORT_PSCRIPT_PSCRIPT_OPTIONS_H

#include "base/pager.h"
#include "report/pscript/debug_unwind.h"
#include "session/common_options.h"
#include "profile/verdict/verdict_text.h"

struct pscript_options {
	const char *input;
	struct fields fields;
	struct sample_text_config text;
	struct filter filter;
	const char *time; /* --time, applied once the file is open */
	struct symbols_config symbols;
	const char *why; /* --why OBJECT: print only where its files were looked for */
	struct debug_unwind debug_unwind; /* if given, only one sample is printed */
	struct stack_options stacks;
	bool demangle, merge, ignored;
	enum unwinder_kind unwinder;
	bool no_merge;
	struct pager pager;
	bool no_join; /* do not extend truncated stacks */
	bool header, header_only, show_info, dump_raw, per_event_dump;
	bool show_task, show_mmap, show_switch, show_namespace, show_lost, show_round, show_bpf,
		show_cgroup, show_text_poke;
	const char *switch_on, *switch_off; /* event names */
	bool show_on_off;
	bool check_order;           /* -d: print only how many samples are out of time order */
	const char *graph_function; /* for AUX traces only: with it no sample is printed */
	int verbose;
	u64 nr_threads;
	bool wants_quality; /* false: report lost records only */
	enum verdict_form quality;
};

/*
 * -1: go on. Else the exit status for main: help was printed (0), or a message about a wrong option
 * (129, or 1 for a missing file). Strings are borrowed from argv.
 */
int pscript_options_parse(struct pscript_options *o, struct diag *diag, int argc, char **argv);
void pscript_options_fini(struct pscript_options *o);

#endif

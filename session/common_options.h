/* SPDX-License-Identifier: MIT */
/*
 * The rows that the option tables of several readers share, and the functions that parse them. A
 * row is a macro for a static table of struct opt; T is the reader's struct of options, whose
 * members have the names that stand here behind "T,".
 */
#ifndef SESSION_COMMON_OPTIONS_H
#define SESSION_COMMON_OPTIONS_H

#include "base/option.h"
#include "fileformat/perfdata.h"
#include "session/filter.h"
#include "machine/machine_modules.h"
#include "symbols/find/debuginfod.h"

/* clang-format off */

/* const char *input */
#define COMMON_INPUT_OPTION(T) \
	{ OPT_STRING, 'i', "input", OPT_AT(T, input), "file", \
	  "read this recording, or standard input for - (perf.data)" }

/* bool ignored: perf's options that change nothing here, so that scripts go on working */
#define COMMON_IGNORED_FLAG(T, letter, name) \
	{ OPT_FLAG, letter, name, OPT_AT(T, ignored), NULL, NULL, NULL, true }
#define COMMON_IGNORED_VALUE(T, letter, name, value) \
	{ OPT_PARSE, letter, name, OPT_AT(T, ignored), value, NULL, .hidden = true, \
	  .parse = common_ignored }
#define COMMON_FORCE_OPTION(T) \
	{ OPT_FLAG, 'f', "force", OPT_AT(T, ignored), NULL, \
	  "accepted for compatibility with perf: files of any owner are read anyway" }

/* bool header, header_only, show_info */
#define COMMON_HEADER_OPTIONS(T) \
	{ OPT_FLAG, 0, "header", OPT_AT(T, header), NULL, "print the file's header first" }, \
	{ OPT_FLAG, 0, "header-only", OPT_AT(T, header_only), NULL, "print only the header" }, \
	{ OPT_FLAG, 'I', "show-info", OPT_AT(T, show_info), NULL, \
	  "print the header with topology sections" }

/* u64 nr_threads */
#define COMMON_THREADS_OPTION(T) \
	{ OPT_U64, 0, "threads", OPT_AT(T, nr_threads), "n", \
	  "use n threads (default: one per CPU)" }

/* u64 max_mem */
#define COMMON_MAX_MEM_OPTION(T) \
	{ OPT_U64, 0, "max-mem", OPT_AT(T, max_mem), "bytes", \
	  "stop with an error rather than use more memory" }

/* enum verdict_form quality, which stays VERDICT_FORMS without the option */
#define COMMON_QUALITY_OPTION(T, when) \
	{ OPT_PARSE, 0, "quality", OPT_AT(T, quality), "form", \
	  "how far to trust the output, on standard error: text, json or none " when, \
	  .parse = verdict_form_option }

/* struct pager pager */
#define COMMON_PAGER_OPTION(T) \
	{ OPT_FLAG, 0, "no-pager", OPT_AT(T, pager.off), NULL, "do not start a pager" }

/* struct filter filter; const char *time. dsos_char: the short name of --dsos, or 0. */
#define COMMON_FILTER_OPTIONS(T, dsos_char) \
	{ OPT_STRING, 0, "time", OPT_AT(T, time), "str", \
	  "start,stop in seconds, or percent slices: 10%/2, 0%-10%,30%-40%" }, \
	{ OPT_PARSE, 'c', "comms", OPT_AT(T, filter.comms), "comm[,comm...]", \
	  "only these comms", .parse = common_names }, \
	{ OPT_PARSE, 0, "pid", OPT_AT(T, filter.pids), "pid[,pid...]", "only these processes", \
	  .parse = common_numbers }, \
	{ OPT_PARSE, 0, "tid", OPT_AT(T, filter.tids), "tid[,tid...]", "only these threads", \
	  .parse = common_numbers }, \
	{ OPT_PARSE, 'C', "cpu", OPT_AT(T, filter), "cpu", "only these CPUs (0-3,8)", \
	  .parse = common_cpus }, \
	{ OPT_PARSE, dsos_char, "dsos", OPT_AT(T, filter.dsos), "dso[,dso...]", \
	  "only samples in these objects", .parse = common_names }, \
	{ OPT_PARSE, 'S', "symbols", OPT_AT(T, filter.symbols), "symbol[,symbol...]", \
	  "only samples in these symbols", .parse = common_names }

/* struct symbols_config symbols; bool demangle; const char *why */
#define COMMON_SYMBOL_OPTIONS(T, demangle_help) \
	{ OPT_STRING, 0, "symfs", OPT_AT(T, symbols.symfs), "directory", \
	  "look for all files below this directory" }, \
	{ OPT_STRING, 'k', "vmlinux", OPT_AT(T, symbols.vmlinux), "file", \
	  "the recorded kernel's vmlinux" }, \
	{ OPT_STRING, 0, "kallsyms", OPT_AT(T, symbols.kallsyms), "file", \
	  "the recorded kernel's kallsyms" }, \
	{ OPT_STRING, 0, "buildid-dir", OPT_AT(T, symbols.buildid_dir), "directory", \
	  "build-id cache (~/.debug)" }, \
	{ OPT_CALL_OPT, 0, "debuginfod", OPT_AT(T, symbols), "urls", \
	  "fetch missing files from these debuginfod servers, or from $DEBUGINFOD_URLS", \
	  debuginfod_option }, \
	{ OPT_STRING, 0, "why", OPT_AT(T, why), "object", \
	  "print only where the files of this object are looked for, and the results" }, \
	{ OPT_FLAG, 0, "demangle", OPT_AT(T, demangle), NULL, demangle_help }, \
	{ OPT_FLAG, 0, "demangle-kernel", OPT_AT(T, symbols.demangle_kernel), NULL, \
	  "demangle kernel symbols as well" }

/* struct stack_options stacks */
#define COMMON_STACK_OPTIONS(T) \
	{ OPT_PARSE, 0, "max-stack", OPT_AT(T, stacks), "n", \
	  "at most n frames of a call chain (default 127; 1024 of a stack copy)", \
	  .parse = common_max_stack }, \
	{ OPT_FLAG, 0, "inline", OPT_AT(T, stacks.inlines), NULL, \
	  "show the functions inlined at each place of a call chain (default)" }, \
	{ OPT_PARSE, 0, "unwinder", OPT_AT(T, stacks.unwinder), "how", \
	  "unwind stack copies by table (default), or for comparison by libdw or libunwind", \
	  .parse = common_unwinder }, \
	{ OPT_FLAG, 0, "join", OPT_AT(T, stacks.join), NULL, \
	  "extend truncated stack copies with the callers of other samples (default)" }

/* clang-format on */

/* How call chains are made of samples. */
struct stack_options {
	u32 max_stack;      /* frames of a recorded chain */
	u32 max_user_stack; /* user frames of a stack copy */
	bool join, inlines;
	enum unwinder_kind unwinder;
};

/* 127 is stock perf's limit (kernel.perf_event_max_stack), which stack copies do not have. */
#define STACK_OPTIONS_DEFAULT    \
	((struct stack_options){ \
		.max_stack = 127, .max_user_stack = 1024, .join = true, .inlines = true })

/* For OPT_PARSE: enum unwinder_kind; struct stack_options. */
int common_unwinder(void *kind, const char *arg, struct perr *e) MUST_CHECK;
int common_max_stack(void *stack_options, const char *arg, struct perr *e) MUST_CHECK;

/* For OPT_PARSE: struct name_list; struct number_list; struct filter. --no-x leaves them alone. */
int common_names(void *list, const char *arg, struct perr *e) MUST_CHECK;
int common_numbers(void *list, const char *arg, struct perr *e) MUST_CHECK;
int common_cpus(void *filter, const char *arg, struct perr *e) MUST_CHECK;
/* For OPT_PARSE: bool, true for colors (always, never, auto: on a terminal that shows them). */
int common_color(void *color, const char *arg, struct perr *e) MUST_CHECK;
/* For OPT_PARSE: double, of "0.5" or "0.5%". */
int common_percent_limit(void *limit, const char *arg, struct perr *e) MUST_CHECK;
/* For OPT_PARSE: accepts any argument and stores nothing. */
int common_ignored(void *value, const char *arg, struct perr *e) MUST_CHECK;

/* The default of -i: "-" if standard input is a pipe, else "perf.data". */
const char *common_input(void);

/* Returns PERR_IO when the file of --vmlinux or --kallsyms cannot be read: without this check the
 * command would print no kernel names and not say why.
 */
int common_check_symbols(const struct symbols_config *s, struct perr *e) MUST_CHECK;

/*
 * Completes the filter for an open file: parses the argument of --time (NULL: not given), which may
 * be relative to the recording. PERR_USAGE: a wrong time, or -C for samples without a CPU.
 */
int common_fit_filter(struct filter *f, const char *time, struct perfdata *pd,
		      struct perr *e) MUST_CHECK;

/* Finds the file's event of this name; *ret is NULL for a NULL name. PERR_USAGE: not found. */
int common_find_event(const struct perfdata *pd, const char *name, const struct pd_event **ret,
		      struct perr *e) MUST_CHECK;

#endif

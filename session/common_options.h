/* SPDX-License-Identifier: MIT */
/*
 * Options that several commands share: rows for their option tables, and the parsers of arguments.
 * Each COMMON_*_OPTION(S) macro expands to rows of a static array of struct opt. T is the command's
 * struct of options; the comment above a macro says which members it must have.
 */
#ifndef SESSION_COMMON_OPTIONS_H
#define SESSION_COMMON_OPTIONS_H

#include "base/option.h"
#include "fileformat/perfdata.h"
#include "session/filter.h"
#include "machine/machine_modules.h"
#include "symbols/find/debuginfod.h"

/* clang-format off */

/* -i. `member` of T is a const char *, by default input. */
#define COMMON_INPUT_OPTION_AT(T, member) \
	{ OPT_STRING, 'i', "input", OPT_AT(T, member), "file", \
	  "read this recording, or standard input for - (perf.data)" }
#define COMMON_INPUT_OPTION(T) COMMON_INPUT_OPTION_AT(T, input)

/* -q of commands whose only messages are verdicts. `member` of T is a bool. */
#define COMMON_QUIET_OPTION(T, member) \
	{ OPT_FLAG, 'q', "quiet", OPT_AT(T, member), NULL, "the same as --quality=none" }

/* A flag of perf that changes nothing here, accepted so that scripts work. T has bool ignored. */
#define COMMON_IGNORED_FLAG(T, letter, name) \
	{ OPT_FLAG, letter, name, OPT_AT(T, ignored), NULL, NULL, NULL, true }
/* An option of perf with an argument that changes nothing here. T has bool ignored. */
#define COMMON_IGNORED_VALUE(T, letter, name, value) \
	{ OPT_PARSE, letter, name, OPT_AT(T, ignored), value, NULL, .hidden = true, \
	  .parse = common_ignored }
/*
 * --itrace, which changes how perf decodes hardware traces. They are not decoded here. T has bool
 * ignored.
 */
#define COMMON_ITRACE_OPTION(T) \
	{ OPT_CALL_OPT, 0, "itrace", OPT_AT(T, ignored), "opts", NULL, common_ignored_call, true }
/* An option of perf that is not supported. why: a part of the message. */
#define COMMON_REFUSED_OPTION(letter, name, why) \
	{ OPT_REFUSED, letter, name, NULL, NULL, why, .hidden = true }
/* -f. `member` of T is a bool. */
#define COMMON_FORCE_OPTION(T, member) \
	{ OPT_FLAG, 'f', "force", OPT_AT(T, member), NULL, \
	  "read recordings and files of JITs that belong to other users" }

/* --header, --header-only, -I. T has bool header, header_only, show_info. */
#define COMMON_HEADER_OPTIONS(T) \
	{ OPT_FLAG, 0, "header", OPT_AT(T, header), NULL, "print the file's header first" }, \
	{ OPT_FLAG, 0, "header-only", OPT_AT(T, header_only), NULL, "print only the header" }, \
	{ OPT_FLAG, 'I', "show-info", OPT_AT(T, show_info), NULL, \
	  "print the header with topology sections" }

/* --threads. T has u64 nr_threads. */
#define COMMON_THREADS_OPTION(T) \
	{ OPT_U64, 0, "threads", OPT_AT(T, nr_threads), "n", \
	  "use n threads (default: one per CPU)" }

/* --max-mem. T has u64 max_mem, in bytes. */
#define COMMON_MAX_MEM_OPTION(T) \
	{ OPT_U64, 0, "max-mem", OPT_AT(T, max_mem), "bytes", \
	  "stop with an error rather than use more memory" }

/*
 * --quality. T has enum verdict_form quality, set to VERDICT_BRIEF before. `when` is the end of
 * the help text.
 */
#define COMMON_QUALITY_OPTION(T, when) \
	{ OPT_PARSE, 0, "quality", OPT_AT(T, quality), "form", \
	  "how far to trust the output, on standard error: text, json or none " when, \
	  .parse = verdict_form_option }

/* --no-pager, --escape. T has struct pager pager. */
#define COMMON_PAGER_OPTION(T) \
	{ OPT_FLAG, 0, "no-pager", OPT_AT(T, pager.off), NULL, "do not start a pager" }, \
	{ OPT_FLAG, 0, "escape", OPT_AT(T, pager.escape), NULL, \
	  "write control characters in names as \\x1b, \\n, ... (default on a terminal)" }

/*
 * The options that select samples: --time, --comms, --pid, --tid, --cpu, --dsos, --symbols. T has
 * struct filter filter and const char *time. dsos_char is the short name of --dsos, or 0.
 */
#define COMMON_FILTER_OPTIONS(T, dsos_char) \
	{ OPT_STRING, 0, "time", OPT_AT(T, time), "str", \
	  "start,stop in seconds, since the start (60s,70s), or slices: 10%/2, 0%-10%" }, \
	{ OPT_PARSE, 'c', "comms", OPT_AT(T, filter.comms), "comm[,comm...]", \
	  "only these comms", .parse = common_names }, \
	{ OPT_PARSE, 0, "pid", OPT_AT(T, filter.pids), "pid[,pid...]", "only these processes", \
	  .parse = common_numbers }, \
	{ OPT_PARSE, 0, "tid", OPT_AT(T, filter.tids), "tid[,tid...]", "only these threads", \
	  .parse = common_numbers }, \
	{ OPT_PARSE, 'C', "cpu", OPT_AT(T, filter.cpus), "cpu", "only these CPUs (0-3,8)", \
	  .parse = common_cpus }, \
	{ OPT_PARSE, dsos_char, "dsos", OPT_AT(T, filter.dsos), "dso[,dso...]", \
	  "only samples in these objects", .parse = common_names }, \
	{ OPT_PARSE, 'S', "symbols", OPT_AT(T, filter.symbols), "symbol[,symbol...]", \
	  "only samples in these symbols", .parse = common_names }

/* --symfs, -k, --kallsyms, --buildid-dir. T has struct symbols_config symbols. */
#define COMMON_SYMBOL_FILE_OPTIONS(T) \
	{ OPT_STRING, 0, "symfs", OPT_AT(T, symbols.symfs), "directory", \
	  "look for all files below this directory" }, \
	{ OPT_STRING, 'k', "vmlinux", OPT_AT(T, symbols.vmlinux), "file", \
	  "the recorded kernel's vmlinux" }, \
	{ OPT_STRING, 0, "kallsyms", OPT_AT(T, symbols.kallsyms), "file", \
	  "the recorded kernel's kallsyms" }, \
	{ OPT_STRING, 0, "buildid-dir", OPT_AT(T, symbols.buildid_dir), "directory", \
	  "build-id cache (~/.debug)" }

/* --max-stack. `member` of T is a struct stack_options. */
#define COMMON_MAX_STACK_OPTION(T, member) \
	{ OPT_PARSE, 0, "max-stack", OPT_AT(T, member), "n", \
	  "at most n frames of a call chain (default 127; 8000 of a stack copy)", \
	  .parse = common_max_stack }

/*
 * The options that say where symbols come from. T has struct symbols_config symbols, bool demangle,
 * and const char *why. demangle_help is the help text of --demangle.
 */
#define COMMON_SYMBOL_OPTIONS(T, demangle_help) \
	COMMON_SYMBOL_FILE_OPTIONS(T), \
	{ OPT_CALL_OPT, 0, "debuginfod", OPT_AT(T, symbols), "urls", \
	  "fetch missing files from these debuginfod servers, or from $DEBUGINFOD_URLS", \
	  debuginfod_option }, \
	{ OPT_STRING, 0, "why", OPT_AT(T, why), "object", \
	  "print only where the files of this object are looked for, and the results" }, \
	{ OPT_FLAG, 0, "demangle", OPT_AT(T, demangle), NULL, demangle_help }, \
	{ OPT_FLAG, 0, "demangle-kernel", OPT_AT(T, symbols.demangle_kernel), NULL, \
	  "demangle kernel symbols as well" }

/* The options about call chains. T has struct stack_options stacks. */
#define COMMON_STACK_OPTIONS(T) \
	{ OPT_PARSE, 0, "max-stack", OPT_AT(T, stacks), "n", \
	  "at most n frames of a call chain (default 127; 8000 of a stack copy)", \
	  .parse = common_max_stack }, \
	{ OPT_FLAG, 0, "inline", OPT_AT(T, stacks.inlines), NULL, \
	  "show the functions inlined at each place of a call chain (default)" }, \
	{ OPT_PARSE, 0, "unwinder", OPT_AT(T, stacks.unwinder), "how", \
	  "unwind stack copies by table (default), or for comparison by libdw or libunwind", \
	  .parse = common_unwinder }, \
	{ OPT_FLAG, 0, "join", OPT_AT(T, stacks.join), NULL, \
	  "extend truncated stack copies with the callers of other samples (default)" }

/* clang-format on */

/* How call chains are made from samples. */
struct stack_options {
	u32 max_stack;      /* most frames of a chain that the kernel recorded */
	u32 max_user_stack; /* most user frames that are unwound from a stack copy */
	bool join;          /* extend truncated stacks with the callers of other samples */
	bool inlines;       /* show inlined functions as frames */
	enum unwinder_kind unwinder;
};

/* The defaults. 127 is perf's limit for recorded chains; perf has none for stack copies. */
#define STACK_OPTIONS_DEFAULT                                         \
	((struct stack_options){ .max_stack = 127,                    \
				 .max_user_stack = UNWIND_MAX_FRAMES, \
				 .join = true,                        \
				 .inlines = true })

/*
 * Parser of --unwinder for OPT_PARSE; kind is an enum unwinder_kind. PERR_USAGE: unknown name.
 * PERR_UNSUPPORTED: this build does not have libunwind.
 */
int common_unwinder(void *kind, const char *arg, struct perr *e) MUST_CHECK;
/* Parser of --max-stack for OPT_PARSE: sets both limits of a struct stack_options. */
int common_max_stack(void *stack_options, const char *arg, struct perr *e) MUST_CHECK;

/* Parser for OPT_PARSE: adds "a,b" to a struct name_list. A NULL arg (--no-...) adds nothing. */
int common_names(void *list, const char *arg, struct perr *e) MUST_CHECK;
/* Parser for OPT_PARSE: adds "1,2" to a struct number_list. A NULL arg adds nothing. */
int common_numbers(void *list, const char *arg, struct perr *e) MUST_CHECK;
/* Parser of -C for OPT_PARSE: sets the CPUs of a struct filter. A NULL arg changes nothing. */
int common_cpus(void *cpus, const char *arg, struct perr *e) MUST_CHECK;
/*
 * Parser of colour options for OPT_PARSE; color is a bool: true for "always", and for "auto" if
 * standard output is a terminal with colours; false for "never" and a NULL arg.
 */
int common_color(void *color, const char *arg, struct perr *e) MUST_CHECK;
/* Parser for OPT_PARSE: stores "0.5" or "0.5%" as a double. A NULL arg stores 0. */
int common_percent_limit(void *limit, const char *arg, struct perr *e) MUST_CHECK;
/* Parser for OPT_PARSE: accepts any argument and stores nothing. */
int common_ignored(void *value, const char *arg, struct perr *e) MUST_CHECK;

/* The same for OPT_CALL_OPT. */
int common_ignored_call(void *value, const char *arg, bool unset) MUST_CHECK;

/* Returns the default of -i: "-" if standard input is a pipe, else "perf.data". */
const char *common_input(void);

/*
 * Returns PERR_IO if the file of --vmlinux or --kallsyms cannot be read, else 0. Without this check
 * the command would show no kernel symbols and not say why.
 */
int common_check_symbols(const struct symbols_config *s, struct perr *e) MUST_CHECK;

/*
 * Completes a filter for an open file: parses the argument of --time (NULL: not given), which may
 * be relative to the recording's first and last sample; finding these reads the file. Returns
 * PERR_USAGE for a wrong time, or for -C if samples have no CPU.
 */
int common_fit_filter(struct filter *f, const char *time, struct perfdata *pd,
		      struct perr *e) MUST_CHECK;

/*
 * Finds an event of the file by name; *ret is borrowed from pd. A NULL name gives a NULL *ret.
 * Returns PERR_USAGE if the file has no such event.
 */
int common_find_event(const struct perfdata *pd, const char *name, const struct pd_event **ret,
		      struct perr *e) MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the option tables of all readers have in common: where samples come from, which of them are
 * wanted, where symbols are looked for, and in which form the verdict is told. Rows stand here
 * once, as macros for a table of struct opt.
 */
#ifndef SESSION_COMMON_OPTIONS_H
#define SESSION_COMMON_OPTIONS_H

#include <stdio.h>

#include "base/option.h"
#include "fileformat/perfdata.h"
#include "session/filter.h"
#include "machine/machine_modules.h"
#include "symbols/find/debuginfod.h"

/* clang-format off */

/* f: struct filter *, time: const char **, dsos_char: the short name of --dsos, or 0. */
#define COMMON_FILTER_OPTIONS(f, time, dsos_char) \
	{ OPT_STRING, 0, "time", time, "str", \
	  "start,stop in seconds, or percent slices: 10%/2, 0%-10%,30%-40%" }, \
	{ OPT_PARSE, 'c', "comms", &(f)->comms, "comm[,comm...]", "only these comms", \
	  .parse = common_names }, \
	{ OPT_PARSE, 0, "pid", &(f)->pids, "pid[,pid...]", "only these processes", \
	  .parse = common_numbers }, \
	{ OPT_PARSE, 0, "tid", &(f)->tids, "tid[,tid...]", "only these threads", \
	  .parse = common_numbers }, \
	{ OPT_PARSE, 'C', "cpu", f, "cpu", "only these CPUs (0-3,8)", .parse = common_cpus }, \
	{ OPT_PARSE, dsos_char, "dsos", &(f)->dsos, "dso[,dso...]", \
	  "only samples in these objects", .parse = common_names }, \
	{ OPT_PARSE, 'S', "symbols", &(f)->symbols, "symbol[,symbol...]", \
	  "only samples in these symbols", .parse = common_names }

/* s: struct symbols_config *, demangle: bool *, why: const char **. */
#define COMMON_SYMBOL_OPTIONS(s, demangle, demangle_help, why) \
	{ OPT_STRING, 0, "symfs", &(s)->symfs, "directory", \
	  "look for all files below this directory" }, \
	{ OPT_STRING, 'k', "vmlinux", &(s)->vmlinux, "file", "the recorded kernel's vmlinux" }, \
	{ OPT_STRING, 0, "kallsyms", &(s)->kallsyms, "file", \
	  "the recorded kernel's kallsyms" }, \
	{ OPT_STRING, 0, "buildid-dir", &(s)->buildid_dir, "directory", \
	  "build-id cache (~/.debug)" }, \
	{ OPT_CALL_OPT, 0, "debuginfod", s, "urls", \
	  "ask debuginfod servers (these, or $DEBUGINFOD_URLS) for what is missing", \
	  debuginfod_option }, \
	{ OPT_STRING, 0, "why", why, "object", \
	  "only tell where the files of this object are looked for, and with what result" }, \
	{ OPT_FLAG, 0, "demangle", demangle, NULL, demangle_help }, \
	{ OPT_FLAG, 0, "demangle-kernel", &(s)->demangle_kernel, NULL, \
	  "of the kernel as well" }

/* kind: enum unwinder_kind *. */
#define COMMON_UNWINDER_OPTION(kind) \
	{ OPT_PARSE, 0, "unwinder", kind, "how", \
	  "unwind stack copies by table (default), or for comparison by libdw or libunwind", \
	  .parse = common_unwinder }

/* o: struct stack_options *. */
#define COMMON_STACK_OPTIONS(o) \
	{ OPT_PARSE, 0, "max-stack", o, "n", \
	  "at most n frames of a call chain (127; of a stack copy 1024)", \
	  .parse = common_max_stack }, \
	{ OPT_FLAG, 0, "inline", &(o)->inlines, NULL, \
	  "show the functions inlined at each place of a call chain (default)" }, \
	COMMON_UNWINDER_OPTION(&(o)->unwinder), \
	{ OPT_FLAG, 0, "join", &(o)->join, NULL, \
	  "where a stack copy was too short, go on with the callers of another sample (default)" }

/* clang-format on */

/* How call chains are made of samples. */
struct stack_options {
	u32 max_stack;      /* frames of a recorded chain */
	u32 max_user_stack; /* user frames of a stack copy */
	bool join, inlines;
	enum unwinder_kind unwinder;
};

/* As stock perf has it (kernel.perf_event_max_stack); copies are not cut at what rings hold. */
#define STACK_OPTIONS_DEFAULT    \
	((struct stack_options){ \
		.max_stack = 127, .max_user_stack = 1024, .join = true, .inlines = true })
int common_unwinder(void *kind, const char *arg, struct perr *e) MUST_CHECK;
int common_max_stack(void *stack_options, const char *arg, struct perr *e) MUST_CHECK;

/* For OPT_PARSE: a struct name_list, a struct number_list, a struct filter. --no-... adds nothing.
 */
int common_names(void *list, const char *arg, struct perr *e) MUST_CHECK;
int common_numbers(void *list, const char *arg, struct perr *e) MUST_CHECK;
int common_cpus(void *filter, const char *arg, struct perr *e) MUST_CHECK;
/* For OPT_CALL: stock options that change nothing here are taken, so that scripts go on working. */
int common_nothing(void *ctx, const char *arg, bool unset);
/* What is read where no file is named: "-" if standard input is a pipe, else "perf.data". */
const char *common_input(void);
/* pd_open with progress of the command of this name on f, standard error. */
int common_open(const char *path, const char *prog, FILE *f, struct diag *diag,
		struct perfdata **ret, struct perr *e) MUST_CHECK;

/*
 * PERR_IO when a file of the kernel's that the user named is not there: without it all kernel names
 * would be lost.
 */
int common_check_symbols(const struct symbols_config *s, struct perr *e) MUST_CHECK;

/* What the filters need of the file: times of --time (NULL: none), CPUs in its samples for -C. */
int common_fit_filter(struct filter *f, const char *time, struct perfdata *pd,
		      struct perr *e) MUST_CHECK;

/* The event of that name, NULL without a name. PERR_USAGE: the file has none. */
int common_find_event(const struct perfdata *pd, const char *name, const struct pd_event **ret,
		      struct perr *e) MUST_CHECK;

#endif

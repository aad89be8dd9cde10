/* SPDX-License-Identifier: MIT */
/*
 * One typed option table per command. It drives parsing, -h (stdout, status 0), misuse (stderr,
 * status 129 as perf; the option that may have been meant is named) and --list-opts, which the
 * man-page check and the completion of shells read. Long options may be abbreviated to any
 * unambiguous prefix, as with perf. --version and --build-options need no rows.
 */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include <stddef.h>

#include "base/err.h"
#include "base/types.h"

enum opt_type {
	OPT_END,
	OPT_FLAG,     /* bool *: --x sets, --no-x clears (and the other way round for "no-x") */
	OPT_COUNT,    /* int *: times given */
	OPT_STRING,   /* const char **: borrowed from argv */
	OPT_U64,      /* u64 *: whole-string number, decimal or 0x */
	OPT_PARSE,    /* with an argument, by `parse` */
	OPT_CALL,     /* int (*)(void *ctx, const char *arg, bool unset): 0, or -1 and a message */
	OPT_CALL_OPT, /* as OPT_CALL with an optional argument (--x or --x=ARG), NULL when absent */
	OPT_CALL_FLAG, /* as OPT_CALL without an argument: arg is NULL */
	OPT_GROUP,     /* heading in the help text */
};

struct opt {
	enum opt_type type;
	char short_name; /* 0 for none */
	const char *long_name;
	void *addr; /* where the value goes; ctx of OPT_CALL */
	const char *arg_name;
	const char *help;
	int (*call)(void *ctx, const char *arg, bool unset);
	bool hidden;
	/*
	 * OPT_PARSE: fills addr; arg is NULL for --no-x. Returns 0, or a code and what is wrong
	 * with arg ("expected a number, got 'x'"), which is printed behind the option's name.
	 */
	int (*parse)(void *addr, const char *arg, struct perr *e);
	/* in place of `call`, for functions that need the row itself; ctx is opt_parser.ctx */
	int (*call_row)(void *ctx, const struct opt *row, bool unset);
	size_t offset; /* in place of addr: of the value in opt_parser.values */
};

struct opt_parser {
	const char *prog;
	const char *usage; /* "pscript [options]" */
	const struct opt *table;
	bool stop_at_operand; /* for commands that take another command's arguments */
	/*
	 * NULL: rows have addresses. Else they have offsets into this struct, so that a table can
	 * be static and const. OPT_CALL functions are called with ctx, or where that is NULL
	 * with the row's value as any other option.
	 */
	void *values;
	void *ctx;
};

/* In place of addr in a row of a static table: the member of the struct that values points to. */
#define OPT_AT(type, member) .offset = offsetof(type, member), .addr = NULL

#define OPT_STATUS_USAGE 129

/*
 * Parses argv[1..]; operands are moved to the front of argv (from argv[1]) and their number is put
 * in *ret_nr. Returns 0; 1 when help, a list or the version was printed (status 0 for main); -1
 * after misuse, or that such a text could not be written, was told on stderr (OPT_STATUS_USAGE for
 * main).
 */
int opt_parse(const struct opt_parser *p, int argc, char **argv, int *ret_nr) MUST_CHECK;

/* The usage line on stderr, for combinations that main finds wrong: what is wrong stays in sight.
 */
void opt_usage(const struct opt_parser *p);

/* Whole-string number in [min, max]; 0 or -1. base 0 takes 0x and octal as strtoull does. */
int parse_u64(const char *s, int base, u64 min, u64 max, u64 *ret) MUST_CHECK;

#endif

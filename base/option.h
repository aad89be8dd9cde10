/* SPDX-License-Identifier: MIT */
/*
 * Parses command lines by a table of options, of which each command has one. The same table gives
 * the text of -h (standard output, status 0), the messages about wrong usage (standard error,
 * status 129 as in perf, with the nearest option names) and --list-opts, which the check of the man
 * pages and the completion of shells read. As in perf, a long option may be abbreviated to any
 * unambiguous prefix. --help, --version and --build-options need no rows.
 */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include <stddef.h>

#include "base/err.h"
#include "base/types.h"

enum opt_type {
	OPT_END,
	OPT_FLAG,  /* bool *: --x sets it, --no-x clears it; for an option named "no-x", --no-x sets
		    * it */
	OPT_COUNT, /* int *: how many times the option was given */
	OPT_STRING,    /* const char **: the argument, borrowed from argv */
	OPT_U64,       /* u64 *: the argument, a decimal number or one with 0x */
	OPT_PARSE,     /* the argument is passed to `parse` */
	OPT_CALL,      /* the argument is passed to `call`, which returns 0, or -1 after printing a
			* message */
	OPT_CALL_OPT,  /* like OPT_CALL, but the argument is optional (--x or --x=ARG): NULL without
			* it */
	OPT_CALL_FLAG, /* like OPT_CALL, but the option has no argument: arg is NULL */
	OPT_REFUSED,   /* an option of perf that the command does not have: help says why, and a
			* message repeats it; with or without an argument */
	OPT_GROUP,     /* a heading in the help text */
};

struct opt {
	enum opt_type type;
	char short_name; /* 0: the option has none */
	const char *long_name;
	void *addr; /* the variable for the value; for OPT_CALL the ctx of `call` */
	const char *arg_name;
	const char *help;
	int (*call)(void *ctx, const char *arg, bool unset);
	bool hidden;
	/*
	 * For OPT_PARSE: stores the value at addr and prints nothing. arg is NULL for --no-x.
	 * Returns 0, or a PERR_* code with what is wrong with arg in *e ("expected a number, got
	 * 'x'"), which is printed after the option's name.
	 */
	int (*parse)(void *addr, const char *arg, struct perr *e);
	/*
	 * Used instead of `call` if not NULL, for functions that need the row. ctx is
	 * opt_parser.ctx.
	 */
	int (*call_row)(void *ctx, const struct opt *row, bool unset);
	size_t offset; /* used instead of addr if opt_parser.values is set: the value's offset in it
			*/
};

struct opt_parser {
	const char *prog;
	const char *usage; /* "pscript [options]" */
	const struct opt *table;
	bool stop_at_operand; /* options end at the first operand, for commands that run another
			       * command */
	/*
	 * NULL: the rows have addresses. Otherwise they have offsets in this struct, so that a
	 * table can be static and const, and OPT_CALL functions are called with ctx or, if that is
	 * NULL, with the address of the row's value.
	 */
	void *values;
	void *ctx;
};

/* In place of addr in a row of a static table: the member of the struct that values points to. */
#define OPT_AT(type, member) .offset = offsetof(type, member), .addr = NULL

#define OPT_STATUS_USAGE 129

/*
 * Parses argv[1..]. Operands are moved to the front of argv, from argv[1] on, and *ret_nr is set to
 * their number. Returns 0; 1 if help, a list or the version was printed, and main should return 0;
 * -1 if the usage is wrong or such a text could not be written: a message was printed on standard
 * error, and main should return OPT_STATUS_USAGE.
 */
int opt_parse(const struct opt_parser *p, int argc, char **argv, int *ret_nr) MUST_CHECK;

/*
 * Prints the usage line and a hint at -h on standard error. Main calls it after its message about
 * options that cannot be combined. It is short, so that the message stays visible.
 */
void opt_usage(const struct opt_parser *p);

/*
 * Converts all of s to a number in [min, max]. Returns 0, or -1 if it is not such a number. With
 * base 0, numbers with 0x and octal ones are accepted, as in strtoull().
 */
int parse_u64(const char *s, int base, u64 min, u64 max, u64 *ret) MUST_CHECK;

/*
 * For the function of an OPT_PARSE row: sets *ret to the place of arg among nr words; 0 for NULL,
 * as with --no-x. Returns 0, or PERR_USAGE with a text that lists the words.
 */
int parse_choice(const char *const *words, size_t nr, const char *arg, int *ret,
		 struct perr *e) MUST_CHECK;

#endif

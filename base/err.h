/* SPDX-License-Identifier: MIT */
/*
 * Errors as values. A library function returns 0 or a negative code of enum perr_code, and on
 * failure it fills the caller's struct perr with a message. The function that finds the error
 * writes the message; its callers may put a prefix in front. Only the main of a command prints it.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdio.h>

#include "base/types.h"

enum perr_code {
	PERR_IO = -1,          /* a system call failed; sys_errno holds its errno */
	PERR_FORMAT = -2,      /* the bytes contradict the file format */
	PERR_TRUNCATED = -3,   /* the input ends in the middle of a record or section */
	PERR_UNSUPPORTED = -4, /* the input is valid, but this build or version cannot read it */
	PERR_LIMIT = -5,       /* a limit was reached that keeps memory, time or size in bounds */
	PERR_NOTFOUND = -6,    /* the file, symbol or name was not found */
	PERR_KERNEL = -7,      /* the kernel refused the request; sys_errno holds its errno */
	PERR_USAGE = -8,       /* the options or arguments contradict each other or are invalid */
};

struct perr {
	int code;
	int sys_errno;  /* errno of a PERR_IO or PERR_KERNEL error, else 0 */
	s64 off;        /* byte offset of the error in the input file, -1 when none applies */
	char text[640]; /* the message, without program name and newline */
};

/*
 * Writes code and message to *e and returns code, so that a function can end with
 * `return perr_set(e, ...)`. e may be NULL. A message longer than perr.text is cut.
 */
int perr_set(struct perr *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Like perr_set(), and stores `off`, the byte offset of the error in the input file. */
int perr_at(struct perr *e, int code, u64 off, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* Like perr_set() with code PERR_IO, for a failed system call: stores errno in e->sys_errno and
 * appends ": " and the text of errno to the message. */
int perr_io(struct perr *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Puts "prefix: " in front of the message of *e. e may be NULL. */
void perr_prefix(struct perr *e, const char *prefix);

/*
 * Prints an error on f as every command does: "PROG: WHAT: TEXT", and " (offset 0x...)" where it
 * has one. what: the file that the error is about.
 */
void perr_print(const struct perr *e, const char *prog, const char *what, FILE *f);

/* Ends the process when an invariant of this program is broken. No input can cause it. */
#define BUG() __builtin_trap()

#endif

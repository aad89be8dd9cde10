/* SPDX-License-Identifier: MIT */
/*
 * Errors as values. A library function returns 0 or a negative code of enum perr_code and, on
 * failure only, fills the caller's struct perr. The innermost function that knows the place fills
 * it; outer ones prefix it. Only main prints it.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/types.h"

enum perr_code {
	PERR_IO = -1,          /* a system call failed; sys_errno says how */
	PERR_FORMAT = -2,      /* the bytes contradict the format */
	PERR_TRUNCATED = -3,   /* the bytes end too early */
	PERR_UNSUPPORTED = -4, /* well-formed, but not for this build or version */
	PERR_LIMIT = -5,       /* would take memory or time out of proportion */
	PERR_NOTFOUND = -6,
	PERR_KERNEL = -7, /* the kernel refused */
	PERR_USAGE = -8,  /* the user's request makes no sense */
};

struct perr {
	int code;
	int sys_errno; /* errno of a PERR_IO or PERR_KERNEL error, else 0 */
	s64 off;       /* byte offset in the file, -1 when none applies */
	char text[480];
};

/* Fills *e (NULL allowed) and returns code, so that `return perr_set(e, ...)` reads well. */
int perr_set(struct perr *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* As perr_set, with the file offset of what was wrong. */
int perr_at(struct perr *e, int code, u64 off, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* As perr_set with PERR_IO; keeps errno and appends its text. */
int perr_io(struct perr *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Puts "prefix: " in front of the text of *e. */
void perr_prefix(struct perr *e, const char *prefix);

/* A broken invariant of our own; input never reaches it. */
#define BUG() __builtin_trap()

#endif

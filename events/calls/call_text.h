/* SPDX-License-Identifier: MIT */
/* The arguments and the result of a system call as text. */
#ifndef EVENTS_CALLS_CALL_TEXT_H
#define EVENTS_CALLS_CALL_TEXT_H

#include "events/calls/call_values.h"

enum call_style {
	CALL_AS_STRACE, /* openat(AT_FDCWD, 0x7ffe0dd4, O_RDONLY|O_CLOEXEC) */
	CALL_AS_PERF,   /* openat(dfd: CWD, filename: 0x7ffe0dd4, flags: RDONLY|CLOEXEC) */
};

/* Finds the names of threads for CALL_AS_PERF. */
struct call_namer {
	const char *(*comm_of)(void *ctx, u32 tid); /* NULL: not known */
	void *ctx;
};

/* Writes "openat(...": without the bracket that closes it. */
void call_text_put(const struct call_values *v, enum call_style style,
		   const struct call_namer *namer, struct out *o);

/*
 * Writes what follows the "= ". An error is -1, its name and its text. args: as far as they say
 * what the result is; NULL: not known.
 */
void call_text_put_result(const struct call_shape *shape, const u64 *args, s64 result,
			  enum call_style style, const struct call_namer *namer, struct out *o);

#endif

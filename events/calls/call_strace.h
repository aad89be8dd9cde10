/* SPDX-License-Identifier: MIT */
/* Where strace writes a call otherwise than the plain rules of call_text.h. */
#ifndef EVENTS_CALLS_CALL_STRACE_H
#define EVENTS_CALLS_CALL_STRACE_H

#include "events/calls/call_values.h"

/* Writes argument i, which is `a`, as strace does. Returns false, and writes nothing, where the
 * plain rules say how. */
bool call_strace_put_arg(const struct call_values *v, u32 i, const struct call_arg *a,
			 struct out *o);

/* Writes all arguments of clone(), in strace's order and with its names. */
void call_strace_put_clone(const struct call_values *v, struct out *o);

/* Writes the result of fcntl(F_GETFD) and fcntl(F_GETFL). */
void call_strace_put_fcntl(bool are_open_flags, u64 result, struct out *o);

#endif

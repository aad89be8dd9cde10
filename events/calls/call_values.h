/* SPDX-License-Identifier: MIT */
/* The values of the arguments of a system call. */
#ifndef EVENTS_CALLS_CALL_VALUES_H
#define EVENTS_CALLS_CALL_VALUES_H

#include "events/calls/call_shapes.h"

/* The values of a call. */
struct call_values {
	const struct call_shape *shape;
	u64 args[MAX_CALL_ARGS];
	u32 nr_args; /* that the recording has */
	/* Texts of arguments where the recording has them; empty: it has none. Borrowed. */
	struct span texts[MAX_CALL_ARGS];
	u8 late;  /* bits of arguments: the text was read later than the call, see call_memory.h */
	u8 ready; /* the same: the text is written as it is; else it is the name of a file */
};

#endif

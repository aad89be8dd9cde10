/* SPDX-License-Identifier: MIT */
/*
 * How a frame is written in collapsed stacks. Stacks are counted by these names, so frames with the
 * same name are one.
 */
#ifndef FOLD_FOLD_NAMES_H
#define FOLD_FOLD_NAMES_H

#include "profile/function_name.h"
#include "session/frames.h"

struct fold_name_config {
	enum function_names names;
	bool mark_kernel; /* append _[k] to functions of the kernel */
	bool mark_jit;    /* append _[j] to functions of JIT maps */
	bool inlines;     /* functions inlined at a place are frames of their own */
};

/* Appends the name of a function, escaped. */
void fold_name_function(struct out *o, const char *name, size_t n, enum function_names names);

/*
 * Appends a frame, escaped: its function, or its object in brackets where no function is known
 * ("[libc.so.6]", "[unknown]"), and the marks. JIT maps write functions inlined into each other as
 * "outer->inner"; these become several names with ';' between them, and _[i] after each inner one.
 */
void fold_name_frame(struct out *o, const struct frame *fr, const struct fold_name_config *cfg);

#endif

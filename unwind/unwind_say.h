/* SPDX-License-Identifier: MIT */
/* Formats the lines about each step that unwind_explain() passes to its caller. */
#ifndef UNWIND_UNWIND_SAY_H
#define UNWIND_UNWIND_SAY_H

#include "unwind/unwind_look.h"

/* Formats a line and passes it to w->tell, which must be set. */
void walk_say(const struct walk *w, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Passes the row at info's pc to w->tell, a line for each register. w->tell must be set. */
void walk_say_row(const struct walk *w, const struct pc_info *info);

/* Calls walk_say() if w->tell is set; else the arguments are not evaluated. For hot code. */
#define SAY(w, ...)                                   \
	do {                                          \
		if (__builtin_expect(!!(w)->tell, 0)) \
			walk_say(w, __VA_ARGS__);     \
	} while (0)

#endif

/* SPDX-License-Identifier: MIT */
/* How the structs that system calls point to are written: one row for each. */
#ifndef EVENTS_CALLS_STRUCT_TABLE_H
#define EVENTS_CALLS_STRUCT_TABLE_H

#include "base/types.h"

struct struct_row {
	const char *name;   /* in the call table */
	const char *kernel; /* the kernel's name of the struct */
	/*
	 * Its members in the order in which they are written, with blanks between them: NAME, or
	 * NAME:HOW where HOW is a name of struct_formats or of call_words; a ? behind them leaves
	 * out a member that is 0; ... stands for itself. NULL: all members, each as its type says.
	 */
	const char *members;
};

/* Returns the row of this name of n bytes; NULL: there is none. */
const struct struct_row *struct_row_find(const char *name, size_t n);

#endif

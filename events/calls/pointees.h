/* SPDX-License-Identifier: MIT */
/*
 * What the pointers among the arguments of a system call point to, as text: names of files, bytes,
 * structs, arrays of them. All of it comes from struct call_memory. It may be anything: what is
 * read and written has limits, whatever counts say.
 */
#ifndef EVENTS_CALLS_POINTEES_H
#define EVENTS_CALLS_POINTEES_H

#include "events/calls/call_memory.h"
#include "events/calls/call_values.h"
#include "events/calls/struct_text.h"

/* What one argument points to, when its call begins or when it has ended. */
struct pointee_job {
	const struct call_values *v;
	u32 i; /* the argument */
	struct call_memory *memory;
	struct kernel_types *types;
	bool is_end;
	s64 result;       /* with is_end */
	struct out *o;    /* gets the text of the argument */
	struct out *note; /* gets what the result has behind it, without brackets */
};

/*
 * Adds the texts of what a call that begins passes, to v->texts and to texts, which owns them, with
 * MAX_CALL_ARGS entries. Those that are there stay.
 */
void pointees_begin(struct kernel_types *types, struct call_memory *memory, struct call_values *v,
		    char **texts);
/* Adds those of what the call wrote, when it has ended with this result. Sets *note to a text that
 * belongs behind the result; NULL: none. The caller frees it. */
void pointees_end(struct kernel_types *types, struct call_memory *memory, struct call_values *v,
		  char **texts, s64 result, char **note);

#endif

/* SPDX-License-Identifier: MIT */
/* The stacks at which pairs begin, weighted by the time until they end. */
#ifndef EVENTS_SINKS_TIME_STACKS_H
#define EVENTS_SINKS_TIME_STACKS_H

#include "base/tuple_table.h"
#include "events/pairs.h"
#include "events/stacks/stack_texts.h"

struct time_stacks {
	struct stack_texts texts;
	struct tuple_table keys; /* thread name, stack */
	u64 *ns;                 /* by key */
	size_t nr, cap;
	/* keys added to lately, and their numbers + 1; 0: free */
	struct recent_key {
		const char *comm;
		u32 stack, nr_plus_1;
	} recent[256];
};

/* s is borrowed until time_stacks_fini(). max_stack, max_user: as of stack_texts_init(). */
void time_stacks_init(struct time_stacks *t, struct session *s, u32 max_stack, u32 max_user);
void time_stacks_fini(struct time_stacks *t);

/* Adds a pair that began at this stack, a number of t->texts. */
void time_stacks_add(struct time_stacks *t, const struct pair *pair, u32 stack);

/* Writes a line for each name and stack: "comm;outermost;...;innermost ns", in the order in which
 * they were first seen. */
void time_stacks_put(const struct time_stacks *t, struct out *o);

#endif

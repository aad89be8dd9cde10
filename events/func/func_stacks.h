/* SPDX-License-Identifier: MIT */
/* Calls by the whole call stack at their entry, callers without probes included. */
#ifndef EVENTS_FUNC_FUNC_STACKS_H
#define EVENTS_FUNC_FUNC_STACKS_H

#include "base/tuple_table.h"
#include "events/func/func_tree.h"
#include "events/stacks/stack_texts.h"

struct func_stacks {
	struct stack_texts texts;
	struct tuple_table keys; /* stack, function */
	struct {
		u64 calls, ns, self;
	} * sums; /* by key */
	size_t cap_sums;
	u64 nr_without; /* calls whose samples have no stack */
};

/* s is borrowed until func_stacks_fini(). */
void func_stacks_init(struct func_stacks *t, struct session *s, u32 max_stack, u32 max_user);
void func_stacks_fini(struct func_stacks *t);
/* Forgets the calls; stacks keep their numbers. */
void func_stacks_restart(struct func_stacks *t);

/* A call that has returned. stack: of its entry, a number of t->texts; 0: it has none. */
void func_stacks_add(struct func_stacks *t, u32 stack, u32 func, u64 ns, u64 self);

/* Writes a tree as func_nodes_put() does. Callers without probes have 0 calls, and the time of the
 * calls in them. name: of functions, for calls without a stack. */
void func_stacks_put(struct func_stacks *t, struct out *o, bool in_ns, func_name_fn *name,
		     void *ctx);
/* Writes a line for each stack with the self times in ns, as flame graphs read it. */
void func_stacks_put_folded(struct func_stacks *t, struct out *o, func_name_fn *name, void *ctx);

#endif

/* SPDX-License-Identifier: MIT */
/* What is measured of threads' states: times by row, and by stack; and how it is printed. */
#ifndef EVENTS_STATE_STATE_TABLE_H
#define EVENTS_STATE_STATE_TABLE_H

#include "events/rows.h"
#include "events/state/state_options.h"
#include "events/state/state_source.h"

/* The times of one stack in one state, of threads of one name. */
struct stack_time {
	u64 n, sum, max; /* ns */
};

struct state_table {
	const struct state_options *opt;
	struct out *o;
	struct stack_texts *stacks;    /* NULL: they are not wanted */
	struct rows rows;              /* {name, state, tid}; tid 0: all threads of the name */
	struct tuple_table stack_keys; /* {stack, stack of the waker, name, state} */
	struct stack_time *stack_times;
	size_t nr_stacks, cap_stacks;
	struct stack_time other_stacks; /* what came when there was no memory for more */
	bool full;                      /* the caller's: there is no memory for more rows */
	/* where times counted lately; row_plus_1 0: free */
	struct recent_time {
		const char *comm; /* by its address; NULL: none */
		u64 stacks;       /* {stack, stack of the waker} */
		u32 tid;
		u8 state;
		bool has_stack;
		u32 row_plus_1, stack; /* numbers in rows and in stack_times */
	} recent[256];
};

void state_table_init(struct state_table *t, const struct state_options *opt, struct out *o,
		      struct stack_texts *stacks);
void state_table_fini(struct state_table *t);

/* Bytes of memory of all rows and of the times of stacks, not of their texts. */
size_t state_table_bytes(const struct state_table *t);

/* Forgets all times: the next table begins. */
void state_table_restart(struct state_table *t);

/* Counts an interval, and prints it if it is longer than --than. */
void state_table_add(struct state_table *t, const struct state_interval *i);

/* Prints all that is printed at the end. */
void state_table_put(struct state_table *t, const struct thread_states *states,
		     const struct state_source *src);
/* Writes the stacks as flame graphs read them: name;functions;[state] time, in units of unit_ns. */
void state_table_put_folded(struct state_table *t, struct out *o, u64 unit_ns);

#endif

/* SPDX-License-Identifier: MIT */
/* Sets the part of an attr that makes the kernel record call graphs (FORMAT.md 5.4). */
#ifndef RECORD_OPEN_EVENT_CALLGRAPH_H
#define RECORD_OPEN_EVENT_CALLGRAPH_H

#include "record/model/rec_opts.h"

struct event_callgraph {
	enum rec_callgraph mode; /* any mode but REC_CG_NONE */
	u32 stack_size;          /* bytes, for REC_CG_DWARF and _UNWIND; 0: REC_STACK_MAX */
	u16 max_stack;           /* frames; 0: kernel.perf_event_max_stack */
};

/* Returns true for the tracepoint ftrace:function, whose call graphs cannot include user space. */
bool event_is_function_trace(const struct rec_event *ev);

/* Sets ev->attr for call graphs. Warns in o->diag if the options conflict with the mode. */
void event_callgraph_set(const struct rec_opts *o, struct rec_event *ev,
			 const struct event_callgraph *g);

/*
 * Removes from ev what event_callgraph_set did for o's call graphs, so that a term of the event can
 * set other ones. Registers of --user-regs stay.
 */
void event_callgraph_reset(const struct rec_opts *o, struct rec_event *ev);

/* Call it when all events are configured: unwinding needs the times of all records. */
void event_callgraph_settle(struct rec_evlist *l);

/* True if the options or the terms of an event ask for stacks that prec unwinds. */
bool event_callgraph_unwinds(const struct rec_opts *o, const struct rec_evlist *l);

#endif

/* SPDX-License-Identifier: MIT */
/* The part of an attr that makes the kernel record call graphs (FORMAT.md 5.4). */
#ifndef RECORD_OPEN_EVENT_CALLGRAPH_H
#define RECORD_OPEN_EVENT_CALLGRAPH_H

#include "record/model/rec_opts.h"

struct event_callgraph {
	enum rec_callgraph mode; /* not REC_CG_NONE */
	u32 stack_size;          /* bytes, of REC_CG_DWARF; 0: REC_STACK_MAX */
	u16 max_stack;           /* frames; 0: as many as the kernel allows */
};

/* ftrace:function, whose call graphs cannot go into user space. */
bool event_is_function_trace(const struct rec_event *ev);

/* Sets ev->attr for call graphs. Warns in o->diag where the options ask for more than is possible.
 */
void event_callgraph_set(const struct rec_opts *o, struct rec_event *ev,
			 const struct event_callgraph *g);

/* Takes back what event_callgraph_set did for o's own call graphs, before a term sets others. */
void event_callgraph_reset(const struct rec_opts *o, struct pd_attr *a);

#endif

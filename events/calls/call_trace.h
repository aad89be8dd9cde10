/* SPDX-License-Identifier: MIT */
/*
 * System calls as lines: given their begins and ends, oldest first, in ns of the recording's clock.
 */
#ifndef EVENTS_CALLS_CALL_TRACE_H
#define EVENTS_CALLS_CALL_TRACE_H

#include "events/calls/call_text.h"
#include "events/calls/pointees.h"
#include "events/task_ids.h"

struct call_trace_config {
	enum call_style style;
	struct out *o; /* borrowed */
	/* Only calls that take at least so many ns, that fail, whose names match one of `names`
	 * (with
	 * *, ? and [...]). 0, false, NULL: all. Not with CALL_AS_PERF. */
	u64 than;
	bool failed;
	const char *const *names;
	size_t nr_names;
	struct kernel_types *types; /* of what arguments point to; NULL: that is not written */
};

struct begun_call;
struct known_call;

struct call_trace {
	struct call_trace_config cfg;
	struct call_namer namer;
	struct task_ids tasks;
	struct begun_call **begun; /* by the numbers of threads in tasks; NULL: none yet */
	size_t nr_begun, cap_begun;
	struct known_call *known; /* by the numbers of calls; NULL: none yet */
	const char *arch;
	u64 first_time; /* ns, of the first event; UINT64_MAX: none yet */
	u32 current;    /* CALL_AS_PERF: the thread whose call began last + 1; 0: none */
	u64 nr_calls, nr_lines;
};

/* arch: as uname -m prints it; borrowed, as all of cfg. */
void call_trace_init(struct call_trace *t, const struct call_trace_config *cfg, const char *arch);
/* Frees it. Calls that have not ended are written before, but with CALL_AS_PERF. */
void call_trace_end_all(struct call_trace *t);
void call_trace_fini(struct call_trace *t);

/* The shape of a system call by its number; NULL: there is no such call. Borrowed until fini. */
const struct call_shape *call_trace_shape(struct call_trace *t, u64 id);

/* An event: the thread of a call, and its memory then (NULL: not known). */
struct call_at {
	u32 tid;
	u64 time;
	struct call_memory *memory;
};

/* Whether what arguments point to is written for this call, so that memory is of use. */
bool call_trace_wants_memory(const struct call_trace *t, const struct call_shape *shape);

/*
 * A thread begins a system call. v->shape: what the call is; it must live until call_trace_fini().
 * Texts are copied. id tells calls apart.
 */
void call_trace_begin(struct call_trace *t, const struct call_at *at, u64 id,
		      const struct call_values *v);
/* A thread ends a system call. */
void call_trace_end(struct call_trace *t, const struct call_at *at, u64 id, s64 result);
/* Thread tid has exited. */
void call_trace_exit(struct call_trace *t, u32 tid);
/* Records are missing here: nr of them. */
void call_trace_lose(struct call_trace *t, u64 nr, u64 time);

#endif

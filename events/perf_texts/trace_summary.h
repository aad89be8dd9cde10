/* SPDX-License-Identifier: MIT */
/*
 * What `perf trace -s` counts: the system calls of each thread, their times and errors. Given
 * begins and ends, oldest first, in ns of the recording's clock. It counts as perf 7.2 does, so
 * that its text is perf's: an end is measured from the last begin of its thread, or counts with 0
 * where the thread had none, as in a new process.
 */
#ifndef EVENTS_PERF_TEXTS_TRACE_SUMMARY_H
#define EVENTS_PERF_TEXTS_TRACE_SUMMARY_H

#include "base/out.h"
#include "events/task_ids.h"

/* The calls of one number by one thread. */
struct call_sums {
	u32 thread;
	const char *name; /* static */
	u64 nr, errors;
	u64 min, max;         /* ns */
	double mean, squares; /* ns; sum of the squares of the distances from the mean */
};

/* How often calls of one number by one thread failed with one error. */
struct call_error {
	u32 call; /* index in struct trace_summary's calls */
	u32 err;
	u64 nr;
};

struct trace_thread {
	u64 begin; /* of its last call, ns; 0: none yet */
	u64 nr_events;
	/* calls that ended lately, by the low bits of their numbers: number, index + 1; 0: none */
	struct recent_call {
		u32 id, call;
	} recent[4];
};

struct trace_summary {
	struct task_ids tasks;
	struct trace_thread *threads; /* by their numbers in tasks */
	size_t nr_threads, cap_threads;
	struct call_sums *calls;
	size_t nr_calls, cap_calls;
	struct idmap call_of; /* thread, number of the call */
	struct call_error *errors;
	size_t nr_errors, cap_errors;
	struct idmap error_of; /* call, error */
	u64 nr_events;         /* of all threads, and with numbers of calls that do not exist */
};

void trace_summary_init(struct trace_summary *s);
void trace_summary_fini(struct trace_summary *s);

/* A system call of thread tid begins, or ends with `result`. name is static; NULL: there is no call
 * of this number. */
void trace_summary_begin(struct trace_summary *s, u32 tid, const char *name, u64 time);
void trace_summary_end(struct trace_summary *s, u32 tid, u64 id, const char *name, s64 result,
		       u64 time);

/* Writes a table for each thread in perf's layout, those with the most events last. */
void trace_summary_put(const struct trace_summary *s, bool with_errors, struct out *o);

#endif

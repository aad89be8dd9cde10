/* SPDX-License-Identifier: MIT */
/*
 * Threads that decode and count samples. The caller reads the records and keeps track of tasks and
 * maps; it hands over each sample undecoded, and each thread counts into a counter of its own.
 */
#ifndef COUNT_COUNT_WORKERS_H
#define COUNT_COUNT_WORKERS_H

#include "count/batch_order.h"
#include "count/counter.h"

struct count_workers;

/*
 * counters: nr of them. The calling thread counts into counters[0], a new thread into each other;
 * they may be read after count_workers_finish(). batches: collects unwound stacks for joining; NULL
 * when stacks are not joined.
 */
struct count_workers *count_workers_new(struct perfdata *pd, struct counter *counters,
					unsigned int nr, struct batch_order *batches);
/*
 * Counts the samples that wait and ends the threads. The maps of samples that were put aside are
 * kept until count_workers_free(). NULL allowed.
 */
void count_workers_finish(struct count_workers *w);
void count_workers_free(struct count_workers *w);

/* Hands over an undecoded sample of event ev. References to its maps and record are taken. */
void count_workers_add(struct count_workers *w, const struct pd_event *ev,
		       const struct pd_record *rec, const struct count_task *task, u64 rank);

/*
 * Bracket a sample that the caller counts into counters[0] itself. Whatever waits in the current
 * job is counted first, so that rows keep file order and joins see stacks in recording order.
 */
void count_workers_begin_other(struct count_workers *w);
void count_workers_end_other(struct count_workers *w, const struct count_task *task);

/* Bytes that all counters use; of other threads' counters as of the last job that they finished. */
size_t count_workers_bytes(struct count_workers *w);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Samples decoded and counted by several threads. The caller goes through the file, keeps track of
 * tasks and maps, and hands over each sample as it lies there; each thread counts into a counter of
 * its own.
 */
#ifndef COUNT_COUNT_WORKERS_H
#define COUNT_COUNT_WORKERS_H

#include "count/batch_order.h"
#include "count/counter.h"

struct count_workers;

/*
 * counters: nr of them, counters[0] is used by the calling thread, the others by threads that are
 * started here. They can be looked at after count_workers_finish. batches: where the stacks of
 * counters that join go; NULL when none does.
 */
struct count_workers *count_workers_new(struct perfdata *pd, struct counter *counters,
					unsigned int nr, struct batch_order *batches);
/* Counts what is still waiting and ends the threads; NULL allowed. Maps are kept until the free. */
void count_workers_finish(struct count_workers *w);
void count_workers_free(struct count_workers *w);

/* Hands over a sample of event ev, not yet decoded. Maps and record are held as long as needed. */
void count_workers_add(struct count_workers *w, const struct pd_event *ev,
		       const struct pd_record *rec, const struct count_task *task, u64 rank);

/*
 * counters[0] is given a sample between these two in another way, which keeps its place: with one
 * thread rows stay in the order in which they were made, and joins depend on the order of stacks.
 */
void count_workers_begin_other(struct count_workers *w);
void count_workers_end_other(struct count_workers *w, const struct count_task *task);

/* Bytes that all counters took when they were last looked at. */
size_t count_workers_bytes(struct count_workers *w);

#endif

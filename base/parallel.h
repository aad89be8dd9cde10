/* SPDX-License-Identifier: MIT */
/* Work that falls into pieces, done by several threads. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <pthread.h>

#include "base/types.h"

/* Number of CPUs that this process may run on. */
unsigned int parallel_nr_cpus(void);

/*
 * Calls fn(ctx, i) once for each i below n, in up to nr_threads threads, of which the caller's is
 * one; pieces are taken in order. Returns when all are done.
 */
void parallel_run(unsigned int nr_threads, size_t n, void (*fn)(void *ctx, size_t i), void *ctx);

/* One piece of work beside the caller's own. */
struct parallel_task {
	void (*fn)(void *ctx);
	void *ctx;
	pthread_t thread;
	bool has_thread;
};

/*
 * Calls fn(ctx), which ends before parallel_task_join returns: in a thread of its own, but at once
 * where nr_threads is 1 or no thread can be had. Where nothing was started there is nothing to
 * join.
 */
void parallel_task_start(struct parallel_task *t, unsigned int nr_threads, void (*fn)(void *ctx),
			 void *ctx);
void parallel_task_join(struct parallel_task *t);

#endif

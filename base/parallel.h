/* SPDX-License-Identifier: MIT */
/* Runs independent pieces of work in several threads. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <pthread.h>

#include "base/types.h"

/* Returns the number of CPUs that this process may run on, at least 1. */
unsigned int parallel_nr_cpus(void);

/*
 * Calls fn(ctx, i) once for each i below n, in the calling thread and up to nr_threads - 1 others
 * (64 at most in all). Calls start in ascending order of i. Returns when all calls have returned.
 */
void parallel_run(unsigned int nr_threads, size_t n, void (*fn)(void *ctx, size_t i), void *ctx);

/* A function that runs in a thread of its own while the caller goes on. */
struct parallel_task {
	void (*fn)(void *ctx);
	void *ctx;
	pthread_t thread;
	bool has_thread;
};

/*
 * Starts fn(ctx) in a new thread. If nr_threads is 1 or no thread can be created, it calls fn(ctx)
 * itself before it returns. *t must stay in place until parallel_task_join().
 */
void parallel_task_start(struct parallel_task *t, unsigned int nr_threads, void (*fn)(void *ctx),
			 void *ctx);
/* Waits until the function of parallel_task_start() has returned. A task that is all zero was never
 * started: the call then returns at once. */
void parallel_task_join(struct parallel_task *t);

#endif

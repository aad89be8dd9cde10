/* SPDX-License-Identifier: MIT */
/* Threads that each do the work of one lane, again and again, while the owner waits for them. */
#ifndef RECORD_LIVE_LANE_THREADS_H
#define RECORD_LIVE_LANE_THREADS_H

#include <pthread.h>

#include "base/err.h"
#include "base/types.h"

struct lane_thread;

struct lane_threads {
	void (*begin)(void *ctx, size_t lane); /* called first in each thread; NULL: nothing */
	void *begin_ctx;
	void (*work)(void *ctx, size_t lane);
	void *work_ctx;
	/* private */
	struct lane_thread *threads;
	size_t nr;
	pthread_mutex_t lock;
	pthread_cond_t asked, done;
	size_t nr_at_work; /* protected by lock, as is stop */
	bool stop;
};

/* Starts nr threads; the four members above are set. Signals go to other threads. Fails with
 * PERR_IO; stop it all the same. */
int lane_threads_start(struct lane_threads *t, size_t nr, struct perr *e) MUST_CHECK;
/* Ends and frees the threads. Nothing is done where none were started. */
void lane_threads_stop(struct lane_threads *t);
/* Lets the thread of each lane for which has_work() is true work, and waits until all are done. */
void lane_threads_run(struct lane_threads *t, bool (*has_work)(const void *ctx, size_t lane));

#endif

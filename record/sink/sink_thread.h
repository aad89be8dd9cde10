/* SPDX-License-Identifier: MIT */
/*
 * A queue of jobs with buffers and the thread that processes them in order. Processed buffers are
 * returned empty to later callers, so that recording allocates and faults in no new memory.
 */
#ifndef RECORD_SINK_SINK_THREAD_H
#define RECORD_SINK_SINK_THREAD_H

#include "base/err.h"
#include "base/wbuf.h"

enum sink_job_kind { SINK_JOB_RAW, SINK_JOB_PACK, SINK_JOB_COMMIT, SINK_JOB_IDLE };

struct sink_job {
	enum sink_job_kind kind;
	struct wbuf b;
};

/*
 * Processes one job, in the thread. SINK_JOB_IDLE is called when the queue has been empty for
 * idle_ms. An error is returned to the next caller; further jobs are still processed.
 */
typedef int sink_work_fn(void *ctx, struct sink_job *job, struct perr *e);

struct sink_thread;

/*
 * Returns a new queue with its thread, or NULL if the thread cannot be created. The thread blocks
 * all signals. max_queued: limit of queued bytes; idle_ms: see sink_work_fn. The caller ends with
 * sink_thread_free. The functions below are for one calling thread.
 */
struct sink_thread *sink_thread_new(sink_work_fn *work, void *ctx, size_t max_queued,
				    unsigned int idle_ms);

/*
 * Queues a job with the bytes of b (NULL: without bytes) and leaves an empty buffer in *b. Waits
 * while more than max_queued bytes would be queued; a larger buffer waits for an empty queue.
 * Returns the first error of an earlier job, else 0; PERR_LIMIT is returned once, other errors
 * every time.
 */
int sink_thread_put(struct sink_thread *t, enum sink_job_kind kind, struct wbuf *b,
		    struct perr *e) MUST_CHECK;

/*
 * Waits until all jobs are done. No SINK_JOB_IDLE is called then until another job is queued.
 * Returns as sink_thread_put.
 */
int sink_thread_drain(struct sink_thread *t, struct perr *e) MUST_CHECK;

/* Returns the largest number of bytes that were queued at once. */
u64 sink_thread_queued_max(struct sink_thread *t);

/* Processes all queued jobs, then ends the thread and frees t, which may be NULL. */
void sink_thread_free(struct sink_thread *t);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A queue of buffers and the thread that works them off, in order. Buffers go round: those that are
 * worked off come back empty with the next that are put in, so that nothing is allocated or faulted
 * in anew while recording.
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
 * Works off one job, in the thread. IDLE: the queue has been empty for sink_thread_new's idle_ms.
 * The first error is handed to the next callers; jobs go on being given.
 */
typedef int sink_work_fn(void *ctx, struct sink_job *job, struct perr *e);

struct sink_thread;

/* NULL when no thread can be had. All signals are blocked in it. */
struct sink_thread *sink_thread_new(sink_work_fn *work, void *ctx, size_t max_queued,
				    unsigned int idle_ms);

/*
 * Queues the bytes of b (NULL for a job without) and leaves an empty buffer in its place. Waits
 * while more than max_queued bytes are queued; a buffer larger than that waits for an empty queue.
 * The first error of an earlier job, else 0; a PERR_LIMIT is given once, others each time.
 */
int sink_thread_put(struct sink_thread *t, enum sink_job_kind kind, struct wbuf *b,
		    struct perr *e) MUST_CHECK;

/* Waits until every job is done. Until the next one is put in, no IDLE is given. */
int sink_thread_drain(struct sink_thread *t, struct perr *e) MUST_CHECK;

/* Most bytes that were queued at once. */
u64 sink_thread_queued_max(struct sink_thread *t);

/* Carries out all queued jobs, then ends the thread. */
void sink_thread_free(struct sink_thread *t);

#endif

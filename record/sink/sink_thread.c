/* SPDX-License-Identifier: MIT */
#include "record/sink/sink_thread.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "base/mem.h"
#include "record/sink/urgency.h"

#define NR_JOBS 256u
/* Limit of spare buffers: as many as may be queued, so that a burst faults in no memory twice. */
#define NR_SPARE 64u

struct sink_thread {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work_there, room_there;
	sink_work_fn *work;
	void *ctx;
	unsigned int idle_ms;
	struct sink_job jobs[NR_JOBS]; /* ring of nr jobs, starting at `first` */
	size_t first, nr;
	size_t queued, max_queued, queued_max;
	struct wbuf spare[NR_SPARE];
	size_t nr_spare, spare_bytes;
	bool busy, stop, asleep, waiting;
	bool idle_done;  /* IDLE has been called since the last job, or the queue was drained */
	struct perr err; /* code 0: no error */
};

static void keep_spare(struct sink_thread *t, struct wbuf *b)
{
	if (b->p && t->nr_spare < NR_SPARE && t->spare_bytes + b->cap <= t->max_queued) {
		b->n = 0;
		t->spare_bytes += b->cap;
		t->spare[t->nr_spare++] = *b;
		*b = (struct wbuf){ 0 };
		return;
	}
	wb_fini(b);
}

static struct timespec deadline_after(unsigned int ms)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	ts.tv_sec += ms / 1000;
	ts.tv_nsec += (long)(ms % 1000) * 1000000;
	if (ts.tv_nsec >= 1000000000) {
		ts.tv_sec++;
		ts.tv_nsec -= 1000000000;
	}
	return ts;
}

/* Waits for a job, with the lock held. Returns false if none came within idle_ms. */
static bool wait_for_work(struct sink_thread *t, bool with_deadline)
{
	struct timespec until = deadline_after(t->idle_ms);
	int err = 0;

	t->asleep = true;
	while (!t->nr && !t->stop && !err) {
		if (with_deadline)
			err = pthread_cond_timedwait(&t->work_there, &t->lock, &until);
		else
			pthread_cond_wait(&t->work_there, &t->lock);
	}
	t->asleep = false;
	return t->nr || t->stop;
}

static void do_job(struct sink_thread *t, struct sink_job *job)
{
	struct perr e = { 0 };
	size_t bytes = job->b.n;
	int err;

	t->busy = true;
	pthread_mutex_unlock(&t->lock);
	err = t->work(t->ctx, job, &e);
	pthread_mutex_lock(&t->lock);
	t->busy = false;
	if (err && (!t->err.code || t->err.code == PERR_LIMIT))
		t->err = e;
	t->queued -= bytes;
	keep_spare(t, &job->b);
	if (t->waiting)
		pthread_cond_broadcast(&t->room_there);
}

static void *thread_main(void *arg)
{
	struct sink_thread *t = arg;

	urgency_raise(URGENCY_WORKER);
	pthread_mutex_lock(&t->lock);
	for (;;) {
		struct sink_job job = { .kind = SINK_JOB_IDLE };

		if (wait_for_work(t, !t->idle_done)) {
			if (!t->nr)
				break;
			job = t->jobs[t->first];
			t->first = (t->first + 1) % NR_JOBS;
			t->nr--;
			t->idle_done = false;
		} else if (t->idle_done) {
			continue; /* sink_thread_drain was called meanwhile */
		} else {
			t->idle_done = true;
		}
		do_job(t, &job);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

struct sink_thread *sink_thread_new(sink_work_fn *work, void *ctx, size_t max_queued,
				    unsigned int idle_ms)
{
	struct sink_thread *t = xcalloc(1, sizeof(*t));
	pthread_mutexattr_t mutex_attr;
	pthread_condattr_t attr;
	sigset_t all, old;
	int err;

	t->work = work;
	t->ctx = ctx;
	t->max_queued = max_queued;
	t->idle_done = true;
	t->idle_ms = idle_ms;
	/*
	 * the reader may have real-time priority and must not wait for a worker that does not get a
	 * CPU
	 */
	pthread_mutexattr_init(&mutex_attr);
	pthread_mutexattr_setprotocol(&mutex_attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&t->lock, &mutex_attr);
	pthread_mutexattr_destroy(&mutex_attr);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&t->work_there, &attr);
	pthread_cond_init(&t->room_there, &attr);
	pthread_condattr_destroy(&attr);
	/* signals must reach the main thread, to wake its poll */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&t->thread, NULL, thread_main, t);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (err) {
		pthread_cond_destroy(&t->work_there);
		pthread_cond_destroy(&t->room_there);
		pthread_mutex_destroy(&t->lock);
		free(t);
		return NULL;
	}
	return t;
}

static int take_error(struct sink_thread *t, struct perr *e)
{
	int err = t->err.code;

	if (err && e)
		*e = t->err;
	/* a limit only requests a stop, so it is returned once; other errors stay */
	if (err == PERR_LIMIT)
		t->err.code = 0;
	return err;
}

int sink_thread_put(struct sink_thread *t, enum sink_job_kind kind, struct wbuf *b, struct perr *e)
{
	struct sink_job job = { .kind = kind };
	size_t n = b ? b->n : 0;
	bool wake;
	int err;

	pthread_mutex_lock(&t->lock);
	t->waiting = true;
	while (t->nr == NR_JOBS || (t->queued && t->queued + n > t->max_queued))
		pthread_cond_wait(&t->room_there, &t->lock);
	t->waiting = false;
	if (b) {
		job.b = *b;
		*b = t->nr_spare ? t->spare[--t->nr_spare] : (struct wbuf){ 0 };
		t->spare_bytes -= b->cap;
	}
	t->queued += n;
	if (t->queued > t->queued_max)
		t->queued_max = t->queued;
	t->jobs[(t->first + t->nr++) % NR_JOBS] = job;
	wake = t->asleep;
	err = take_error(t, e);
	pthread_mutex_unlock(&t->lock);
	if (wake)
		pthread_cond_signal(&t->work_there);
	return err;
}

int sink_thread_drain(struct sink_thread *t, struct perr *e)
{
	int err;

	pthread_mutex_lock(&t->lock);
	t->waiting = true;
	while (t->nr || t->busy)
		pthread_cond_wait(&t->room_there, &t->lock);
	t->waiting = false;
	t->idle_done = true;
	err = take_error(t, e);
	pthread_mutex_unlock(&t->lock);
	return err;
}

u64 sink_thread_queued_max(struct sink_thread *t)
{
	u64 n;

	pthread_mutex_lock(&t->lock);
	n = t->queued_max;
	pthread_mutex_unlock(&t->lock);
	return n;
}

void sink_thread_free(struct sink_thread *t)
{
	size_t i;

	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_mutex_unlock(&t->lock);
	pthread_cond_signal(&t->work_there);
	pthread_join(t->thread, NULL);
	for (i = 0; i < t->nr_spare; i++)
		wb_fini(&t->spare[i]);
	pthread_cond_destroy(&t->work_there);
	pthread_cond_destroy(&t->room_there);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

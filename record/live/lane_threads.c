/* SPDX-License-Identifier: MIT */
#include "record/live/lane_threads.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "base/mem.h"

struct lane_thread {
	struct lane_threads *all;
	size_t lane;
	pthread_t thread;
	bool runs;
	bool has_work; /* protected by lane_threads.lock */
};

static void *thread_main(void *arg)
{
	struct lane_thread *own = arg;
	struct lane_threads *t = own->all;

	if (t->begin)
		t->begin(t->begin_ctx, own->lane);
	pthread_mutex_lock(&t->lock);
	while (!t->stop) {
		if (!own->has_work) {
			pthread_cond_wait(&t->asked, &t->lock);
			continue;
		}
		pthread_mutex_unlock(&t->lock);
		t->work(t->work_ctx, own->lane);
		pthread_mutex_lock(&t->lock);
		own->has_work = false;
		if (!--t->nr_at_work)
			pthread_cond_signal(&t->done);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

int lane_threads_start(struct lane_threads *t, size_t nr, struct perr *e)
{
	sigset_t every, old;
	int err = 0;

	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->asked, NULL);
	pthread_cond_init(&t->done, NULL);
	t->threads = xcalloc(nr, sizeof(*t->threads));
	t->nr = nr;
	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &old);
	for (size_t i = 0; i < nr && !err; i++) {
		struct lane_thread *own = &t->threads[i];

		*own = (struct lane_thread){ .all = t, .lane = i };
		err = pthread_create(&own->thread, NULL, thread_main, own);
		own->runs = !err;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!err)
		return 0;
	errno = err;
	return perr_io(e, "cannot create %zu threads for --threads", nr);
}

void lane_threads_stop(struct lane_threads *t)
{
	if (!t->threads)
		return;
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_broadcast(&t->asked);
	pthread_mutex_unlock(&t->lock);
	for (size_t i = 0; i < t->nr; i++)
		if (t->threads[i].runs)
			pthread_join(t->threads[i].thread, NULL);
	free(t->threads);
	t->threads = NULL;
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->asked);
	pthread_cond_destroy(&t->done);
}

void lane_threads_run(struct lane_threads *t, bool (*has_work)(const void *ctx, size_t lane))
{
	pthread_mutex_lock(&t->lock);
	for (size_t i = 0; i < t->nr; i++) {
		t->threads[i].has_work = has_work(t->work_ctx, i);
		t->nr_at_work += t->threads[i].has_work;
	}
	pthread_cond_broadcast(&t->asked);
	while (t->nr_at_work)
		pthread_cond_wait(&t->done, &t->lock);
	pthread_mutex_unlock(&t->lock);
}

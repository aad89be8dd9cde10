/* SPDX-License-Identifier: MIT */
#include "base/parallel.h"

#include <sched.h>
#include <stdatomic.h>

#define MAX_THREADS 64

struct pieces {
	void (*fn)(void *ctx, size_t i);
	void *ctx;
	size_t n;
	atomic_size_t next;
};

unsigned int parallel_nr_cpus(void)
{
	cpu_set_t set;
	int nr = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return nr < 1 ? 1 : (unsigned int)nr;
}

static void *work(void *arg)
{
	struct pieces *p = arg;
	size_t i;

	while ((i = atomic_fetch_add(&p->next, 1)) < p->n)
		p->fn(p->ctx, i);
	return NULL;
}

void parallel_run(unsigned int nr_threads, size_t n, void (*fn)(void *ctx, size_t i), void *ctx)
{
	struct pieces p = { .fn = fn, .ctx = ctx, .n = n };
	pthread_t threads[MAX_THREADS];
	unsigned int nr = 0;

	if (nr_threads > MAX_THREADS)
		nr_threads = MAX_THREADS;
	while (nr + 1 < nr_threads && nr + 1 < n) {
		if (pthread_create(&threads[nr], NULL, work, &p))
			break;
		nr++;
	}
	work(&p);
	while (nr--)
		pthread_join(threads[nr], NULL);
}

static void *run_task(void *arg)
{
	struct parallel_task *t = arg;

	t->fn(t->ctx);
	return NULL;
}

void parallel_task_start(struct parallel_task *t, unsigned int nr_threads, void (*fn)(void *ctx),
			 void *ctx)
{
	*t = (struct parallel_task){ .fn = fn, .ctx = ctx };
	t->has_thread = nr_threads != 1 && !pthread_create(&t->thread, NULL, run_task, t);
	if (!t->has_thread)
		fn(ctx);
}

void parallel_task_join(struct parallel_task *t)
{
	if (t->has_thread)
		pthread_join(t->thread, NULL);
	t->has_thread = false;
}

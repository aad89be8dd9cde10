/* SPDX-License-Identifier: MIT */
#include "count/count_workers.h"

#include <pthread.h>

#include "base/mem.h"
#include "count/count_passage.h"
#include "count/kept_maps.h"

#define JOB_ITEMS 1024 /* about 0.4 ms of work: much more than handing the job over costs */

/*
 * Bytes of records in all jobs together. With less, a job would hold only a few large samples, and
 * threads would be woken for each. Unwinding stack copies is slow, and the reading thread unwinds a
 * job itself when all jobs are filled: enough filled ones must be left for the other threads then.
 */
#define BYTES_IN_FLIGHT ((size_t)12 << 20)
#define STACKS_IN_FLIGHT ((size_t)24 << 20)

struct item {
	struct pd_record rec;
	u64 rank;
	u32 task, event;
};

struct job {
	struct job *next;
	size_t nr, nr_tasks, nr_blocks, nr_events, bytes;
	u32 batch;       /* its number */
	bool keeps_maps; /* samples were put aside that need those of the tasks */
	struct item items[JOB_ITEMS];
	struct count_task tasks[JOB_ITEMS];
	struct pd_block *blocks[JOB_ITEMS];
	const struct pd_event *events[JOB_ITEMS];
};

struct worker {
	struct count_workers *w;
	struct counter *counter;
	struct count_passage passage;
	size_t bytes; /* under lock */
	pthread_t thread;
};

struct count_workers {
	const struct perfdata *pd;
	struct batch_order *batches; /* NULL: nothing is joined */
	size_t nr_pending;           /* of counters[0], before another sample */
	/* By pd_event.idx. Names and ids may be added to the file's own; attrs stay as they are. */
	struct pd_event **copies;
	size_t nr_copies, cap_copies;
	struct job *filling, *spare; /* the caller's */
	struct kept_maps kept;       /* of samples that were put aside */
	size_t job_bytes;            /* at which a job is full */
	unsigned int nr;             /* workers, of which the first is the caller */
	unsigned int nr_threads;     /* that were started */
	pthread_mutex_t lock;
	pthread_cond_t queued, done_one;
	/* under lock: */
	struct job *first, **last; /* waiting, oldest first */
	struct job *done;
	bool ending;
	struct worker workers[];
};

/* The samples of a job, for count_passage_run(). */
struct job_samples {
	const struct job *j;
	size_t i;
};

static bool next_of_job(void *ctx, struct count_passing *ret)
{
	struct job_samples *s = ctx;
	const struct item *it = &s->j->items[s->i];

	if (s->i++ == s->j->nr)
		return false;
	*ret = (struct count_passing){ .rec = it->rec,
				       .ev = s->j->events[it->event],
				       .task = &s->j->tasks[it->task],
				       .rank = it->rank };
	return true;
}

static void count_job(struct worker *me, struct job *j)
{
	struct counter *c = me->counter;
	struct job_samples samples = { .j = j };
	size_t pending = c->pending.nr;

	counter_begin_batch(c, me->w->batches, j->batch);
	count_passage_run(&me->passage, c, me->w->pd->swap, next_of_job, &samples);
	j->keeps_maps = c->pending.nr > pending;
	counter_end_batch(c, me->w->batches);
}

/* Takes the oldest job that waits; lock is held. */
static struct job *take(struct count_workers *w)
{
	struct job *j = w->first;

	w->first = j->next;
	if (!w->first)
		w->last = &w->first;
	return j;
}

static void *work(void *arg)
{
	struct worker *me = arg;
	struct count_workers *w = me->w;
	struct job *j;
	size_t bytes;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		while (!w->first && !w->ending)
			pthread_cond_wait(&w->queued, &w->lock);
		if (!w->first)
			break;
		j = take(w);
		pthread_mutex_unlock(&w->lock);
		count_job(me, j);
		bytes = counter_bytes(me->counter);
		pthread_mutex_lock(&w->lock);
		me->bytes = bytes;
		j->next = w->done;
		w->done = j;
		pthread_cond_signal(&w->done_one);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static struct job *new_job(struct job *next)
{
	struct job *j = xmalloc(sizeof(*j));

	j->next = next;
	j->nr = j->nr_tasks = j->nr_blocks = j->nr_events = j->bytes = 0;
	return j;
}

/* Drops the references of a counted job, or keeps them. By the calling thread. */
static void recycle(struct count_workers *w, struct job *j)
{
	for (size_t i = 0; i < j->nr_tasks; i++) {
		if (j->keeps_maps) {
			kept_maps_add(&w->kept, j->tasks[i].user_maps);
			kept_maps_add(&w->kept, j->tasks[i].kernel_maps);
			continue;
		}
		mapset_put(j->tasks[i].user_maps);
		mapset_put(j->tasks[i].kernel_maps);
	}
	for (size_t i = 0; i < j->nr_blocks; i++)
		pd_block_put(j->blocks[i]);
	j->nr = j->nr_tasks = j->nr_blocks = j->nr_events = j->bytes = 0;
	j->next = w->spare;
	w->spare = j;
}

struct count_workers *count_workers_new(struct perfdata *pd, struct counter *counters,
					unsigned int nr, struct batch_order *batches)
{
	struct count_workers *w = xcalloc(1, sizeof(*w) + nr * sizeof(*w->workers));
	bool stacks = nr > 1 && counters[0].user;
	size_t bytes = stacks ? STACKS_IN_FLIGHT : BYTES_IN_FLIGHT;
	unsigned int nr_jobs = stacks ? 4 * nr + 10 : nr > 1 ? 2 * nr + 2 : 1, i;

	w->pd = pd;
	w->batches = batches;
	w->last = &w->first;
	w->job_bytes = bytes / nr_jobs;
	pd_keep_behind(pd, bytes + bytes / 8);
	for (i = 0; i < nr_jobs; i++)
		w->spare = new_job(w->spare);
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->queued, NULL);
	pthread_cond_init(&w->done_one, NULL);
	w->nr = nr;
	for (i = 0; i < nr; i++) {
		struct worker *me = &w->workers[i];

		me->w = w;
		me->counter = &counters[i];
		count_passage_init(&me->passage, me->counter);
	}
	for (i = 1; i < nr; i++) {
		if (pthread_create(&w->workers[i].thread, NULL, work, &w->workers[i]))
			break;
		w->nr_threads++;
	}
	return w;
}

/* An empty job to fill. When all jobs are in use it counts the oldest waiting one itself. */
static struct job *get_job(struct count_workers *w)
{
	struct job *j, *done;

	if (!w->spare) {
		pthread_mutex_lock(&w->lock);
		j = NULL;
		while (!w->done && !w->first)
			pthread_cond_wait(&w->done_one, &w->lock);
		if (!w->done)
			j = take(w);
		done = w->done;
		w->done = NULL;
		pthread_mutex_unlock(&w->lock);
		if (j) {
			count_job(&w->workers[0], j);
			recycle(w, j);
		}
		for (; done; done = j) {
			j = done->next;
			recycle(w, done);
		}
	}
	j = w->spare;
	w->spare = j->next;
	j->next = NULL;
	return j;
}

static void submit(struct count_workers *w)
{
	struct job *j = w->filling;

	w->filling = NULL;
	if (w->batches)
		j->batch = batch_order_number(w->batches);
	if (!w->nr_threads) {
		count_job(&w->workers[0], j);
		recycle(w, j);
		return;
	}
	pthread_mutex_lock(&w->lock);
	*w->last = j;
	w->last = &j->next;
	pthread_mutex_unlock(&w->lock);
	/* Signal after unlocking: the woken thread takes this lock first. */
	pthread_cond_signal(&w->queued);
}

static const struct pd_event *copy_event(struct count_workers *w, const struct pd_event *ev)
{
	struct pd_event **c;

	while (w->nr_copies <= ev->idx)
		vec_push(w->copies, w->nr_copies, w->cap_copies, NULL);
	c = &w->copies[ev->idx];
	if (!*c) {
		*c = xmalloc(sizeof(**c));
		**c = *ev;
	}
	return *c;
}

static bool is_same_task(const struct count_task *a, const struct count_task *b)
{
	return a->comm == b->comm && a->pid == b->pid && a->tid == b->tid &&
	       a->user_maps == b->user_maps && a->user_maps->id == b->user_maps->id &&
	       a->kernel_maps == b->kernel_maps && a->cgroup_ns == b->cgroup_ns &&
	       a->parallelism == b->parallelism;
}

void count_workers_add(struct count_workers *w, const struct pd_event *ev,
		       const struct pd_record *rec, const struct count_task *task, u64 rank)
{
	struct job *j = w->filling;
	struct item *it;

	if (j && (j->nr == JOB_ITEMS || j->bytes >= w->job_bytes)) {
		submit(w);
		j = NULL;
	}
	if (!j)
		j = w->filling = get_job(w);
	if (!j->nr_tasks || !is_same_task(&j->tasks[j->nr_tasks - 1], task)) {
		mapset_get(task->user_maps);
		mapset_get(task->kernel_maps);
		j->tasks[j->nr_tasks++] = *task;
	}
	if (!j->nr_events || j->events[j->nr_events - 1]->idx != ev->idx)
		j->events[j->nr_events++] = copy_event(w, ev);
	if (rec->block && (!j->nr_blocks || j->blocks[j->nr_blocks - 1] != rec->block))
		j->blocks[j->nr_blocks++] = pd_block_get(rec->block);
	it = &j->items[j->nr++];
	j->bytes += rec->size;
	it->rec = *rec;
	it->rank = rank;
	it->task = (u32)j->nr_tasks - 1;
	it->event = (u32)j->nr_events - 1;
}

void count_workers_begin_other(struct count_workers *w)
{
	struct counter *c = w->workers[0].counter;

	if (w->filling && (!w->nr_threads || w->batches))
		submit(w);
	w->nr_pending = c->pending.nr;
	if (w->batches)
		counter_begin_batch(c, w->batches, batch_order_number(w->batches));
}

void count_workers_end_other(struct count_workers *w, const struct count_task *task)
{
	struct counter *c = w->workers[0].counter;

	if (w->batches)
		counter_end_batch(c, w->batches);
	if (c->pending.nr == w->nr_pending)
		return;
	kept_maps_add(&w->kept, mapset_get(task->user_maps));
	kept_maps_add(&w->kept, mapset_get(task->kernel_maps));
}

size_t count_workers_bytes(struct count_workers *w)
{
	size_t bytes = counter_bytes(w->workers[0].counter);

	if (w->batches)
		bytes += batch_order_bytes(w->batches);

	pthread_mutex_lock(&w->lock);
	for (unsigned int i = 1; i <= w->nr_threads; i++)
		bytes += w->workers[i].bytes;
	pthread_mutex_unlock(&w->lock);
	return bytes;
}

static void free_jobs(struct job *j)
{
	struct job *next;

	for (; j; j = next) {
		next = j->next;
		free(j);
	}
}

void count_workers_finish(struct count_workers *w)
{
	struct job *j, *next;

	if (!w)
		return;
	if (w->filling)
		submit(w);
	pthread_mutex_lock(&w->lock);
	w->ending = true;
	pthread_cond_broadcast(&w->queued);
	while (w->first) {
		j = take(w);
		pthread_mutex_unlock(&w->lock);
		count_job(&w->workers[0], j);
		recycle(w, j);
		pthread_mutex_lock(&w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	for (unsigned int i = 1; i <= w->nr_threads; i++)
		pthread_join(w->workers[i].thread, NULL);
	for (j = w->done; j; j = next) {
		next = j->next;
		recycle(w, j);
	}
	for (size_t i = 0; i < w->nr; i++)
		count_passage_fini(&w->workers[i].passage);
	for (size_t i = 0; i < w->nr_copies; i++)
		free(w->copies[i]);
	free(w->copies);
	w->copies = NULL;
	w->nr_copies = 0;
	free_jobs(w->spare);
	w->spare = NULL;
}

void count_workers_free(struct count_workers *w)
{
	if (!w)
		return;
	kept_maps_fini(&w->kept);
	pthread_cond_destroy(&w->queued);
	pthread_cond_destroy(&w->done_one);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

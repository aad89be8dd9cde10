/* SPDX-License-Identifier: MIT */
#include "record/keep/keeper.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "record/sink/urgency.h"

#define LOOK_AGAIN_MS 100 /* how often JIT maps are looked for that are not written yet */
/*
 * A thread that does nothing for so long hangs, on a file system whose server is gone: the end of a
 * recording does not wait for it.
 */
#define HANG_MS 3000
#define END_LIMIT_MS 2000
#define MAX_QUEUED 1000000

enum message_kind { MSG_ADD, MSG_MAPPED, MSG_FORKED };

struct message {
	enum message_kind kind;
	u32 object; /* MSG_MAPPED */
	s32 pid, parent;
	u64 start, end;
	struct keep_file *file; /* MSG_ADD: malloc'd */
};

struct queue {
	struct message *items;
	size_t nr, cap;
};

struct keeper {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work, done;
	struct keep_limits limits;
	struct task_hits hits; /* of the caller */
	u32 nr_added;
	struct idmap memory_of; /* pid -> object of its JIT map */
	s32 last_memory_pid;
	struct queue filling; /* of the caller */
	bool hangs;           /* keeper_store has given up waiting */
	/* behind the lock: */
	struct queue queued;
	bool stop, store, ended;
	struct task_hits counted; /* the counts when the caller called keeper_store */
	struct keep_report report;
	/* of the thread: */
	struct queue taken;
	struct keep_objects objects;
};

static void handle(struct keep_objects *o, struct message *m)
{
	o->progress++;
	switch (m->kind) {
	case MSG_ADD:
		keep_objects_add(o, m->file);
		free(m->file);
		break;
	case MSG_MAPPED: keep_objects_mapped(o, m->object, m->pid, m->start, m->end); break;
	case MSG_FORKED: keep_objects_forked(o, m->pid, m->parent); break;
	}
}

static struct timespec deadline_after_ms(u64 ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += (time_t)(ms / 1000);
	t.tv_nsec += (long)(ms % 1000) * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

/* Waits for messages, with the lock held. Returns false when it is time to look for JIT maps. */
static bool wait_for_work(struct keeper *k)
{
	struct timespec until = deadline_after_ms(LOOK_AGAIN_MS);
	int err = 0;

	while (!k->queued.nr && !k->stop && !k->store && !err)
		err = k->objects.nr_wanted ? pthread_cond_timedwait(&k->work, &k->lock, &until)
					   : pthread_cond_wait(&k->work, &k->lock);
	return !err;
}

static void swap_queues(struct queue *a, struct queue *b)
{
	struct queue t = *a;

	*a = *b;
	*b = t;
}

/* Handles all queued messages, with the lock held at the start and the end. */
static void handle_queued(struct keeper *k)
{
	swap_queues(&k->queued, &k->taken);
	pthread_mutex_unlock(&k->lock);
	for (size_t i = 0; i < k->taken.nr; i++)
		handle(&k->objects, &k->taken.items[i]);
	k->taken.nr = 0;
	pthread_mutex_lock(&k->lock);
}

static void *thread_main(void *arg)
{
	struct keeper *k = arg;

	/* a process may have ended, and its container with it, when an ordinary thread runs next */
	urgency_raise(URGENCY_WORKER);
	pthread_mutex_lock(&k->lock);
	for (;;) {
		bool worked = wait_for_work(k), store;

		if (k->queued.nr) {
			handle_queued(k);
			continue;
		}
		if (k->stop)
			break;
		store = k->store;
		pthread_mutex_unlock(&k->lock);
		if (!worked || store)
			keep_objects_look_again(&k->objects);
		if (store)
			keep_objects_store(&k->objects, &k->counted, &k->limits, &k->report);
		pthread_mutex_lock(&k->lock);
		if (store) {
			k->store = false;
			pthread_cond_broadcast(&k->done);
		}
	}
	k->ended = true;
	pthread_cond_broadcast(&k->done);
	pthread_mutex_unlock(&k->lock);
	return NULL;
}

static bool start_thread(struct keeper *k)
{
	pthread_condattr_t attr;
	sigset_t all, old;
	int err;

	pthread_mutex_init(&k->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&k->work, &attr);
	pthread_cond_init(&k->done, &attr);
	pthread_condattr_destroy(&attr);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&k->thread, NULL, thread_main, k);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return !err;
}

static void queue_free(struct queue *q)
{
	for (size_t i = 0; i < q->nr; i++)
		if (q->items[i].kind == MSG_ADD)
			free(q->items[i].file);
	free(q->items);
}

static void free_memory(struct keeper *k)
{
	queue_free(&k->filling);
	queue_free(&k->queued);
	queue_free(&k->taken);
	keep_objects_fini(&k->objects);
	task_hits_fini(&k->hits);
	task_hits_fini(&k->counted);
	idmap_fini(&k->memory_of);
	pthread_mutex_destroy(&k->lock);
	pthread_cond_destroy(&k->work);
	pthread_cond_destroy(&k->done);
	free(k);
}

struct keeper *keeper_new(const char *procfs, size_t max_held, const struct keep_limits *limits)
{
	struct keeper *k = xcalloc(1, sizeof(*k));

	k->limits = *limits;
	k->last_memory_pid = -1;
	keep_objects_init(&k->objects, procfs, max_held);
	if (start_thread(k))
		return k;
	free_memory(k);
	return NULL;
}

void keeper_free(struct keeper *k)
{
	struct timespec until = deadline_after_ms(END_LIMIT_MS);
	bool ended;

	if (!k)
		return;
	pthread_mutex_lock(&k->lock);
	k->stop = true;
	pthread_cond_signal(&k->work);
	while (!k->hangs && !k->ended && !pthread_cond_timedwait(&k->done, &k->lock, &until))
		;
	ended = k->ended;
	pthread_mutex_unlock(&k->lock);
	if (!ended) {
		pthread_detach(k->thread);
		return;
	}
	pthread_join(k->thread, NULL);
	free_memory(k);
}

static void queue_push(struct keeper *k, struct message m)
{
	vec_push(k->filling.items, k->filling.nr, k->filling.cap, m);
}

u32 keeper_add(struct keeper *k, const struct keep_file *f)
{
	struct keep_file *copy = xmalloc(sizeof(*copy));

	*copy = *f;
	queue_push(k, (struct message){ .kind = MSG_ADD, .file = copy });
	return k->nr_added++;
}

void keeper_mapped(struct keeper *k, u32 i, s32 pid, u64 start, u64 end)
{
	if (i != KEEP_NOTHING && k->filling.nr < MAX_QUEUED)
		queue_push(k, (struct message){ .kind = MSG_MAPPED,
						.object = i,
						.pid = pid,
						.start = start,
						.end = end });
}

void keeper_mapped_memory(struct keeper *k, s32 pid)
{
	u32 i;

	if (pid == k->last_memory_pid)
		return;
	k->last_memory_pid = pid;
	i = idmap_get(&k->memory_of, (u32)pid, 0);
	if (i == IDMAP_NONE) {
		i = keeper_add(k, &(struct keep_file){ .kind = KEEP_JIT_MAP, .pid = pid });
		idmap_put(&k->memory_of, (u32)pid, 0, i);
		keeper_mapped(k, i, pid, 0, 0);
	}
}

void keeper_forked(struct keeper *k, s32 pid, s32 parent)
{
	if (k->filling.nr < MAX_QUEUED)
		queue_push(k, (struct message){ .kind = MSG_FORKED, .pid = pid, .parent = parent });
}

struct task_hits *keeper_hits(struct keeper *k)
{
	return &k->hits;
}

/* Moves the caller's messages to the queue, with the lock held. */
static void hand_over(struct keeper *k)
{
	if (!k->queued.nr) {
		swap_queues(&k->queued, &k->filling);
		return;
	}
	for (size_t i = 0; i < k->filling.nr; i++)
		vec_push(k->queued.items, k->queued.nr, k->queued.cap, k->filling.items[i]);
	k->filling.nr = 0;
}

void keeper_wake(struct keeper *k)
{
	if (!k->filling.nr)
		return;
	pthread_mutex_lock(&k->lock);
	hand_over(k);
	pthread_cond_signal(&k->work);
	pthread_mutex_unlock(&k->lock);
}

static void copy_counts(struct task_hits *to, const struct task_hits *from)
{
	to->nr = 0;
	for (size_t i = 0; i < from->nr; i++)
		vec_push(to->items, to->nr, to->cap, from->items[i]);
}

bool keeper_store(struct keeper *k, struct keep_report *ret)
{
	u64 seen;

	*ret = (struct keep_report){ 0 };
	if (k->hangs)
		return false;
	pthread_mutex_lock(&k->lock);
	hand_over(k);
	copy_counts(&k->counted, &k->hits);
	k->store = true;
	pthread_cond_signal(&k->work);
	do {
		struct timespec until = deadline_after_ms(HANG_MS);

		seen = k->objects.progress;
		while (k->store && !pthread_cond_timedwait(&k->done, &k->lock, &until))
			;
	} while (k->store && seen != k->objects.progress);
	k->hangs = k->store;
	if (!k->hangs)
		*ret = k->report;
	pthread_mutex_unlock(&k->lock);
	return !k->hangs;
}

bool keeper_build_id(const struct keeper *k, u32 i, struct pd_build_id *ret)
{
	if (k->hangs || i >= k->objects.nr || !k->objects.items[i].id.size)
		return false;
	*ret = k->objects.items[i].id;
	return true;
}

size_t keeper_entries(const struct keeper *k, const struct keep_entry **ret)
{
	*ret = k->objects.entries;
	return k->hangs ? 0 : k->objects.nr_entries;
}

/* SPDX-License-Identifier: MIT */
#include "record/readers/readers.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/keep/keeper.h"
#include "record/ring/ring_poll.h"
#include "record/sink/urgency.h"

/* Records are collected in batches of this size before they are passed to a sink's thread. */
#define BATCH_BYTES (1u << 20)

struct reader {
	struct readers *all;
	const struct cpu_list *runs_on;
	struct rec_ring *rings; /* copies: each reader moves the positions of its own */
	size_t nr, cap;
	struct rec_copier *copier;
	struct rec_sink *sink;     /* NULL when it is closed */
	struct rec_sink_stat stat; /* of the sink, when it was closed */
	struct wbuf batch;
	struct pollfd *polls; /* of the rings, then of wake_fd */
	int wake_fd;          /* an eventfd, written to end a wait */
	pthread_t thread;
	bool has_thread;
	u64 wakeups;     /* atomic */
	bool ended;      /* atomic: no event that ends with the target is left */
	bool failed;     /* atomic: err is set */
	struct perr err; /* written before `failed` */
};

struct readers {
	struct readers_config cfg;
	struct reader *readers;
	size_t nr;
	struct stack_changes changes;
	pthread_mutex_t notes_lock; /* keeper and build-ids */
	int news_fd;                /* an eventfd for the thread that made the readers */
	bool stop;                  /* atomic */
};

static void eventfd_raise(int fd)
{
	(void)!write(fd, &(u64){ 1 }, sizeof(u64));
}

static void eventfd_clear(int fd)
{
	u64 n;

	(void)!read(fd, &n, sizeof(n));
}

static int pass_ring(struct reader *r, const struct span *parts, int nr, struct perr *e)
{
	int err = copier_pass(r->copier, parts, nr, r->all->cfg.copies ? &r->batch : NULL, e);

	if (err)
		return err;
	if (!r->all->cfg.copies)
		return sink_write_parts(r->sink, parts, nr, e);
	return r->batch.n < BATCH_BYTES ? 0 : sink_write(r->sink, &r->batch, false, e);
}

/* Writes all records that are in the reader's rings now. last: no record comes after these. */
static int sweep(struct reader *r, bool last, struct perr *e)
{
	struct readers *all = r->all;
	struct span parts[2];
	int err = 0;

	for (size_t i = 0; i < r->nr && !err; i++) {
		int nr = ring_peek(&r->rings[i], parts);

		if (!nr)
			continue;
		err = pass_ring(r, parts, nr, e);
		ring_consume(&r->rings[i]);
	}
	if (all->cfg.copies)
		copier_end_sweep(r->copier, &r->batch, last);
	if (!err && r->batch.n)
		err = sink_write(r->sink, &r->batch, false, e);
	if (all->cfg.keeper) {
		pthread_mutex_lock(&all->notes_lock);
		keeper_wake(all->cfg.keeper);
		pthread_mutex_unlock(&all->notes_lock);
	}
	return err;
}

static void wait_for_records(struct reader *r)
{
	bool live = ring_polls_set(r->rings, r->nr, r->polls);

	if (!live && !__atomic_exchange_n(&r->ended, true, __ATOMIC_ACQ_REL))
		eventfd_raise(r->all->news_fd);
	r->polls[r->nr] = (struct pollfd){ .fd = r->wake_fd, .events = POLLIN };
	if (poll(r->polls, r->nr + 1, r->all->cfg.sweep_ms) > 0 &&
	    ring_polls_take(r->rings, r->nr, r->polls))
		__atomic_add_fetch(&r->wakeups, 1, __ATOMIC_RELAXED);
}

void readers_run_on(const struct cpu_list *cpus)
{
	size_t size = CPU_ALLOC_SIZE(65536);
	cpu_set_t *set;

	if (!cpus->nr)
		return;
	set = xcalloc(1, size);
	for (size_t i = 0; i < cpus->nr; i++)
		CPU_SET_S(cpus->cpus[i], size, set);
	/* a container may not permit these CPUs: then the kernel places the thread */
	(void)!sched_setaffinity(0, size, set);
	free(set);
}

static void *reader_main(void *arg)
{
	struct reader *r = arg;
	bool last = false;

	readers_run_on(r->runs_on);
	if (!r->all->cfg.keeps_priority)
		urgency_raise(URGENCY_READER);
	while (!last) {
		wait_for_records(r);
		/* read before the sweep, which then finds all that was recorded until the stop */
		last = __atomic_load_n(&r->all->stop, __ATOMIC_ACQUIRE);
		if (sweep(r, last, &r->err)) {
			__atomic_store_n(&r->failed, true, __ATOMIC_RELEASE);
			eventfd_raise(r->all->news_fd);
			break;
		}
	}
	return NULL;
}

struct readers *readers_new(const struct readers_config *cfg)
{
	struct readers *all = xcalloc(1, sizeof(*all));

	all->cfg = *cfg;
	all->nr = cfg->layout->nr;
	all->readers = xcalloc(all->nr, sizeof(*all->readers));
	all->news_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pthread_mutex_init(&all->notes_lock, NULL);
	for (size_t i = 0; i < all->nr; i++) {
		struct reader *r = &all->readers[i];

		r->all = all;
		r->runs_on = &cfg->layout->places[i].runs_on;
		r->copier = copier_new(cfg->l, cfg->ids);
		copier_share(r->copier, cfg->keeper, &all->notes_lock, &all->changes);
		r->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	}
	for (size_t i = 0; i < cfg->rings->nr; i++) {
		const struct rec_ring *ring = &cfg->rings->rings[i];
		size_t at = ring->cpu < 0 ? 0 : reader_layout_place_of(cfg->layout, (u32)ring->cpu);
		struct reader *r = &all->readers[at];

		vec_push(r->rings, r->nr, r->cap, *ring);
	}
	for (size_t i = 0; i < all->nr; i++)
		all->readers[i].polls =
			xcalloc(all->readers[i].nr + 1, sizeof(*all->readers[i].polls));
	return all;
}

size_t readers_nr(const struct readers *r)
{
	return r->nr;
}

void readers_set_sink(struct readers *r, size_t i, struct rec_sink *sink)
{
	r->readers[i].sink = sink;
}

struct rec_copier *readers_copier(struct readers *r, size_t i)
{
	return r->readers[i].copier;
}

pthread_mutex_t *readers_lock(struct readers *r)
{
	return &r->notes_lock;
}

int readers_start(struct readers *all, struct perr *e)
{
	sigset_t every, old;
	int err = 0;

	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &old);
	for (size_t i = 0; i < all->nr && !err; i++) {
		struct reader *r = &all->readers[i];

		err = pthread_create(&r->thread, NULL, reader_main, r);
		r->has_thread = !err;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!err)
		return 0;
	errno = err;
	return perr_io(e, "cannot create %zu threads for --threads", all->nr);
}

int readers_fd(const struct readers *r)
{
	return r->news_fd;
}

int readers_error(struct readers *all, struct perr *e)
{
	eventfd_clear(all->news_fd);
	for (size_t i = 0; i < all->nr; i++) {
		const struct reader *r = &all->readers[i];

		if (!__atomic_load_n(&r->failed, __ATOMIC_ACQUIRE))
			continue;
		if (e)
			*e = r->err;
		return r->err.code;
	}
	return 0;
}

bool readers_ended(struct readers *all)
{
	for (size_t i = 0; i < all->nr; i++)
		if (!__atomic_load_n(&all->readers[i].ended, __ATOMIC_ACQUIRE))
			return false;
	return true;
}

/* Ends the thread of a reader and closes its sink. */
static int reader_end(struct reader *r, struct perr *e)
{
	int err = 0;

	if (r->has_thread) {
		pthread_join(r->thread, NULL);
		r->has_thread = false;
		if (r->failed) {
			err = r->err.code;
			if (e)
				*e = r->err;
		}
	}
	if (r->sink) {
		int drained = sink_drain(r->sink, err ? NULL : e), closed;

		sink_stat(r->sink, &r->stat);
		closed = sink_close(r->sink, NULL, 0, !err, NULL, err || drained ? NULL : e);
		r->sink = NULL;
		if (!err)
			err = drained ? drained : closed;
	}
	return err;
}

int readers_stop(struct readers *all, struct perr *e)
{
	int err = 0;

	__atomic_store_n(&all->stop, true, __ATOMIC_RELEASE);
	for (size_t i = 0; i < all->nr; i++)
		eventfd_raise(all->readers[i].wake_fd);
	for (size_t i = 0; i < all->nr; i++) {
		int one = reader_end(&all->readers[i], err ? NULL : e);

		if (!err)
			err = one;
	}
	return err;
}

void readers_add_counts(struct readers *all, struct rec_copier *to)
{
	for (size_t i = 0; i < all->nr; i++)
		copier_add_counts(to, all->readers[i].copier);
}

void readers_add_stat(struct readers *all, struct rec_sink_stat *stat)
{
	for (size_t i = 0; i < all->nr; i++) {
		struct reader *r = &all->readers[i];
		struct rec_sink_stat s = r->stat;

		if (r->sink)
			sink_stat(r->sink, &s);
		rec_sink_stat_add(stat, &s);
	}
}

u64 readers_wakeups(struct readers *all)
{
	u64 n = 0;

	for (size_t i = 0; i < all->nr; i++)
		n += __atomic_load_n(&all->readers[i].wakeups, __ATOMIC_RELAXED);
	return n;
}

void readers_free(struct readers *all)
{
	if (!all)
		return;
	(void)!readers_stop(all, NULL);
	for (size_t i = 0; i < all->nr; i++) {
		struct reader *r = &all->readers[i];

		copier_free(r->copier);
		wb_fini(&r->batch);
		free(r->rings);
		free(r->polls);
		if (r->wake_fd >= 0)
			close(r->wake_fd);
	}
	if (all->news_fd >= 0)
		close(all->news_fd);
	pthread_mutex_destroy(&all->notes_lock);
	free(all->readers);
	free(all);
}

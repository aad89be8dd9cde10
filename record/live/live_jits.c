/* SPDX-License-Identifier: MIT */
#include "record/live/live_jits.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/live/live_opener.h"
#include "record/sink/urgency.h"
#include "symbols/jit/jitdump_tail.h"

/* How long reading is waited for: mostly it takes a few microseconds. */
#define WAIT_MS 200
/* What is kept of all dumps. */
#define MAX_BYTES ((size_t)128 << 20)
#define MAX_DUMPS 1024u

/* One dump. The thread alone uses what stands above `news`. */
struct dump {
	struct open_identity id;
	struct open_place places[3];
	u32 pid;
	struct jitdump_tail *tail; /* NULL: not open */
	bool tried;
	/* under the lock: */
	struct jitdump *news; /* not taken yet */
	bool closed, used;    /* by the thread; a number that is not used is given again */
};

struct live_jits {
	struct jit_source source;
	const char *procfs;
	pthread_mutex_t lock;
	pthread_cond_t asked, answered;
	struct dump **dumps; /* by number */
	size_t nr, cap, nr_open;
	u64 wanted, done; /* rounds of reading */
	bool has_thread, stop, late;
	bool has_new; /* the owner's */
};

static void dump_free(struct dump *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(d->places); i++) {
		free(d->places[i].path);
		free(d->places[i].root);
	}
	jitdump_tail_free(d->tail);
	jitdump_copy_free(d->news);
	free(d);
}

/* Called with the lock held, which is given up. */
static void destroy(struct live_jits *j)
{
	pthread_mutex_unlock(&j->lock);
	for (size_t i = 0; i < j->nr; i++)
		dump_free(j->dumps[i]);
	free(j->dumps);
	pthread_mutex_destroy(&j->lock);
	pthread_cond_destroy(&j->asked);
	pthread_cond_destroy(&j->answered);
	free(j);
}

/* --- the thread ------------------------------------------------------------------------------- */

static void open_dump(struct dump *d)
{
	d->tried = true;
	for (size_t i = 0; !d->tail && i < ARRAY_SIZE(d->places); i++) {
		int fd = open_place_fd(&d->places[i]);

		if (fd < 0)
			continue;
		if (open_identity_is(&d->id, fd))
			d->tail = jitdump_tail_new(fd, d->pid);
		else
			close(fd);
	}
}

/* Returns the dump as it is now if there is something new. */
static struct jitdump *read_dump(struct dump *d, size_t room)
{
	if (!d->tried)
		open_dump(d);
	return d->tail && jitdump_tail_read(d->tail, room) ? jitdump_tail_copy(d->tail) : NULL;
}

static size_t room_left(const struct live_jits *j)
{
	size_t kept = 0;

	for (size_t i = 0; i < j->nr; i++)
		if (j->dumps[i] && j->dumps[i]->tail)
			kept += jitdump_tail_bytes(j->dumps[i]->tail);
	return kept < MAX_BYTES ? MAX_BYTES - kept : 0;
}

/* Reads all dumps. Called with the lock held, which is given up meanwhile. */
static void read_all(struct live_jits *j)
{
	for (size_t i = 0; i < j->nr && !j->stop; i++) {
		struct dump *d = j->dumps[i];
		struct jitdump *news;
		size_t room = room_left(j);

		if (!d || d->closed)
			continue;
		d->used = true;
		pthread_mutex_unlock(&j->lock);
		news = read_dump(d, room);
		pthread_mutex_lock(&j->lock);
		d->used = false;
		if (news) {
			jitdump_copy_free(d->news);
			d->news = news;
		}
		if (d->closed) {
			j->dumps[i] = NULL;
			dump_free(d);
		}
	}
}

static void *read_dumps(void *arg)
{
	struct live_jits *j = arg;

	/* the reader of the rings waits for it */
	urgency_raise(URGENCY_READER);
	pthread_mutex_lock(&j->lock);
	while (!j->stop) {
		u64 round = j->wanted;

		if (j->done == round) {
			pthread_cond_wait(&j->asked, &j->lock);
			continue;
		}
		read_all(j);
		j->done = round;
		j->late = false;
		pthread_cond_signal(&j->answered);
	}
	destroy(j);
	return NULL;
}

static void start_thread(struct live_jits *j)
{
	pthread_attr_t attr;
	sigset_t every, old;
	pthread_t thread;

	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &old);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	j->has_thread = !pthread_create(&thread, &attr, read_dumps, j);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* --- the owner -------------------------------------------------------------------------------- */

static struct dump *dump_of(const struct live_jits *j, const struct jit_mapping *m)
{
	struct dump *d = xcalloc(1, sizeof(*d));
	char *root = xasprintf("%s/%u/root", j->procfs, m->pid);

	d->id = (struct open_identity){ .ino = m->ino,
					.dev_maj = m->dev_maj,
					.dev_min = m->dev_min };
	d->pid = m->dump_pid;
	d->places[0].path = xasprintf("%s/%u/map_files/%" PRIx64 "-%" PRIx64, j->procfs, m->pid,
				      m->start, m->end);
	d->places[1].path = xasprintf("%s%s", root, m->name);
	d->places[1].root = root;
	d->places[2].path = xstrdup(m->name);
	return d;
}

static u32 open_it(void *ctx, const struct jit_mapping *m)
{
	struct live_jits *j = ctx;
	u32 number = 0;

	if (recorded_path_check(m->name) != FILE_FINE || !m->ino || j->nr_open >= MAX_DUMPS)
		return UINT32_MAX;
	pthread_mutex_lock(&j->lock);
	if (!j->has_thread)
		start_thread(j);
	while (number < j->nr && j->dumps[number])
		number++;
	if (number == j->nr)
		vec_push(j->dumps, j->nr, j->cap, NULL);
	j->dumps[number] = dump_of(j, m);
	j->nr_open++;
	j->has_new = true;
	pthread_mutex_unlock(&j->lock);
	return number;
}

static struct jitdump *take(void *ctx, u32 number)
{
	struct live_jits *j = ctx;
	struct jitdump *d = NULL;

	if (number == UINT32_MAX)
		return NULL;
	pthread_mutex_lock(&j->lock);
	d = j->dumps[number]->news;
	j->dumps[number]->news = NULL;
	pthread_mutex_unlock(&j->lock);
	return d;
}

static void close_it(void *ctx, u32 number)
{
	struct live_jits *j = ctx;
	struct dump *d;

	if (number == UINT32_MAX)
		return;
	pthread_mutex_lock(&j->lock);
	d = j->dumps[number];
	d->closed = true;
	j->nr_open--;
	if (!d->used) {
		j->dumps[number] = NULL;
		dump_free(d);
	}
	pthread_mutex_unlock(&j->lock);
}

struct live_jits *live_jits_new(const char *procfs)
{
	struct live_jits *j = xcalloc(1, sizeof(*j));
	pthread_condattr_t attr;

	j->source = (struct jit_source){ j, open_it, take, close_it };
	j->procfs = procfs;
	pthread_mutex_init(&j->lock, NULL);
	pthread_cond_init(&j->asked, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&j->answered, &attr);
	pthread_condattr_destroy(&attr);
	return j;
}

void live_jits_free(struct live_jits *j)
{
	if (!j)
		return;
	pthread_mutex_lock(&j->lock);
	j->stop = true;
	pthread_cond_signal(&j->asked);
	if (j->has_thread)
		pthread_mutex_unlock(&j->lock);
	else
		destroy(j);
}

const struct jit_source *live_jits_source(const struct live_jits *j)
{
	return &j->source;
}

void live_jits_read(struct live_jits *j)
{
	struct timespec end;
	u64 round;

	j->has_new = false;
	pthread_mutex_lock(&j->lock);
	if (!j->nr_open || !j->has_thread) {
		pthread_mutex_unlock(&j->lock);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += WAIT_MS * 1000000l;
	end.tv_sec += end.tv_nsec / 1000000000l;
	end.tv_nsec %= 1000000000l;
	round = ++j->wanted;
	pthread_cond_signal(&j->asked);
	while (!j->late && j->done < round)
		j->late = pthread_cond_timedwait(&j->answered, &j->lock, &end) == ETIMEDOUT;
	pthread_mutex_unlock(&j->lock);
}

bool live_jits_has_new(const struct live_jits *j)
{
	return j->has_new;
}

/* SPDX-License-Identifier: MIT */
#include "record/live/live_opener.h"

#include <errno.h>
#include <linux/magic.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "record/sink/urgency.h"

/* How long a file is waited for: mostly it takes a millisecond, seldom the whole time. */
#define WAIT_MS 1000
/* After these milliseconds, and again after each, the rings are looked at: see live_hurry. */
#define LOOK_MS 20
/* Each dead file system may keep some of them for ever. */
#define MAX_THREADS 16
#define READ_BYTES (64u << 10)

struct request {
	struct request *next;
	u32 number;
	struct open_identity id;
	struct open_place *places;
	size_t nr;
	bool taken, done;
	u64 asked_ns; /* of now_ns() */
	bool late;    /* was waited for as long as that */
	bool unknown; /* live_opener_forget(): nobody will take the result */
	bool no_elf;
	struct object *object;
};

struct live_opener {
	pthread_mutex_t lock;
	pthread_cond_t asked, answered;
	struct request *requests; /* those that nobody has taken the result of */
	unsigned int nr_threads, nr_idle;
	bool stop;
	bool news; /* a file that was late is there */
	struct live_hurry hurry;
};

struct live_opener *live_opener_new(void)
{
	struct live_opener *o = xcalloc(1, sizeof(*o));
	pthread_condattr_t attr;

	pthread_mutex_init(&o->lock, NULL);
	pthread_cond_init(&o->asked, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&o->answered, &attr);
	pthread_condattr_destroy(&attr);
	return o;
}

static void request_free(struct request *r)
{
	for (size_t i = 0; i < r->nr; i++) {
		free(r->places[i].path);
		free(r->places[i].root);
	}
	free(r->places);
	free(r);
}

/* Takes a request out of the list, with the lock held, and frees it with its result. */
static void drop(struct live_opener *o, struct request *r)
{
	struct request **at = &o->requests;

	while (*at != r)
		at = &(*at)->next;
	*at = r->next;
	object_close(r->object);
	request_free(r);
}

/* The last one that uses it: the owner, or the last thread. Called with the lock held. */
static void opener_destroy(struct live_opener *o)
{
	while (o->requests)
		drop(o, o->requests);
	pthread_mutex_unlock(&o->lock);
	pthread_mutex_destroy(&o->lock);
	pthread_cond_destroy(&o->asked);
	pthread_cond_destroy(&o->answered);
	free(o);
}

/* --- one file, in a thread -------------------------------------------------------------------- */

/*
 * Devices with the major number 0 belong to no disk. Of btrfs and overlayfs, stat() shows another
 * one than the kernel records.
 */
static bool same_device(const struct open_identity *id, dev_t dev)
{
	if (!id->dev_maj || !major(dev))
		return true;
	return major(dev) == id->dev_maj && minor(dev) == id->dev_min;
}

static bool is_remote(int fd)
{
	static const u32 types[] = { FUSE_SUPER_MAGIC, NFS_SUPER_MAGIC,  CIFS_SUPER_MAGIC,
				     SMB2_SUPER_MAGIC, CEPH_SUPER_MAGIC, AFS_SUPER_MAGIC,
				     V9FS_MAGIC };
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if ((u32)fs.f_type == types[i])
			return true;
	return false;
}

/* What will be read of the mapped file is in the page cache then. */
static void read_section(int fd, const struct object *o, const char *name)
{
	const struct obj_section *s = object_section(o, name);
	u64 end = s && s->off + s->size >= s->off ? s->off + s->size : 0;
	u8 *buf = xmalloc(READ_BYTES);
	ssize_t n = 1;

	for (u64 at = s ? s->off : 0; at < end && n > 0; at += (u64)n)
		n = pread(fd, buf, READ_BYTES, (off_t)at);
	free(buf);
}

bool open_identity_is(const struct open_identity *id, int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_ino == id->ino && same_device(id, st.st_dev);
}

/*
 * Takes the descriptor. Returns the file if it is the wanted one. *ret_no_elf: it is that, and an
 * image of another kind than ELF.
 */
static struct object *take_fd(int fd, const struct open_identity *id, bool *ret_no_elf)
{
	struct object *o = NULL;
	char path[40];
	struct perr e;
	bool same = id->build_id_size || open_identity_is(id, fd);
	int err = 0;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (same)
		err = object_open(path, &o, &e);
	if (!same || err)
		o = NULL;
	*ret_no_elf = !id->build_id_size && err == PERR_FORMAT;
	if (o && id->build_id_size &&
	    !build_id_equal(id->build_id, id->build_id_size, o->build_id, o->build_id_size)) {
		object_close(o);
		o = NULL;
	}
	if (o && is_remote(fd)) {
		read_section(fd, o, ".eh_frame_hdr");
		read_section(fd, o, ".eh_frame");
	}
	close(fd);
	return o;
}

int open_place_fd(const struct open_place *p)
{
	const struct file_rules rules = { .root = p->root };
	int fd;

	if (regular_file_open(p->path, rules.root ? &rules : NULL, &fd) != FILE_FINE)
		return -1;
	return fd;
}

static struct object *open_places(const struct request *r, bool *ret_no_elf)
{
	struct object *o = NULL;

	for (size_t i = 0; !o && !*ret_no_elf && i < r->nr; i++) {
		int fd = open_place_fd(&r->places[i]);

		if (fd >= 0)
			o = take_fd(fd, &r->id, ret_no_elf);
	}
	return o;
}

static struct request *next_request(struct live_opener *o)
{
	struct request *r;

	for (r = o->requests; r && r->taken; r = r->next)
		;
	return r;
}

static void *open_files(void *arg)
{
	struct live_opener *o = arg;
	struct request *r;

	/* the reader may wait for it */
	urgency_raise(URGENCY_READER);
	pthread_mutex_lock(&o->lock);
	while (!o->stop) {
		struct object *object;
		bool no_elf = false;

		r = next_request(o);
		if (!r) {
			o->nr_idle++;
			pthread_cond_wait(&o->asked, &o->lock);
			o->nr_idle--;
			continue;
		}
		r->taken = true;
		pthread_mutex_unlock(&o->lock);
		object = open_places(r, &no_elf);
		pthread_mutex_lock(&o->lock);
		r->no_elf = no_elf;
		r->object = object;
		r->done = true;
		o->news |= r->late && !r->unknown;
		if (r->unknown)
			drop(o, r);
		pthread_cond_broadcast(&o->answered);
	}
	if (--o->nr_threads == 0)
		opener_destroy(o);
	else
		pthread_mutex_unlock(&o->lock);
	return NULL;
}

/* --- the owner -------------------------------------------------------------------------------- */

void live_opener_free(struct live_opener *o)
{
	if (!o)
		return;
	pthread_mutex_lock(&o->lock);
	o->stop = true;
	pthread_cond_broadcast(&o->asked);
	if (o->nr_threads)
		pthread_mutex_unlock(&o->lock);
	else
		opener_destroy(o);
}

static void add_thread(struct live_opener *o)
{
	pthread_attr_t attr;
	sigset_t every, old;
	pthread_t thread;

	if (o->nr_idle || o->nr_threads >= MAX_THREADS)
		return;
	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &old);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	o->nr_threads += !pthread_create(&thread, &attr, open_files, o);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static enum open_state take(struct live_opener *o, u32 number, struct object **ret)
{
	for (struct request **at = &o->requests; *at; at = &(*at)->next) {
		struct request *r = *at;
		enum open_state state = r->no_elf ? OPEN_NO_ELF : OPEN_DONE;

		if (r->number != number || r->unknown)
			continue;
		if (!r->done)
			return OPEN_WAITS;
		*ret = r->object;
		*at = r->next;
		request_free(r);
		return state;
	}
	return OPEN_UNKNOWN;
}

enum open_state live_opener_take(struct live_opener *o, u32 number, struct object **ret)
{
	enum open_state state;

	*ret = NULL;
	pthread_mutex_lock(&o->lock);
	state = take(o, number, ret);
	pthread_mutex_unlock(&o->lock);
	return state;
}

void live_opener_forget(struct live_opener *o, u32 number)
{
	struct request *r;

	pthread_mutex_lock(&o->lock);
	for (r = o->requests; r && (r->number != number || r->unknown); r = r->next)
		;
	if (r && (r->done || !r->taken))
		drop(o, r);
	else if (r)
		r->unknown = true;
	pthread_mutex_unlock(&o->lock);
}

bool live_opener_has_news(struct live_opener *o)
{
	bool news;

	pthread_mutex_lock(&o->lock);
	news = o->news;
	o->news = false;
	pthread_mutex_unlock(&o->lock);
	return news;
}

/* Called with the lock held. */
static bool some_wait(const struct live_opener *o)
{
	u64 now = now_ns();

	for (const struct request *r = o->requests; r; r = r->next)
		if (r->late && !r->done && now - r->asked_ns <= WAIT_MS * 1000000ull)
			return true;
	return false;
}

bool live_opener_waits(struct live_opener *o)
{
	bool waits;

	pthread_mutex_lock(&o->lock);
	waits = some_wait(o);
	pthread_mutex_unlock(&o->lock);
	return waits;
}

bool live_opener_will_have_news(struct live_opener *o)
{
	bool will;

	pthread_mutex_lock(&o->lock);
	will = o->news || some_wait(o);
	pthread_mutex_unlock(&o->lock);
	return will;
}

void live_opener_set_hurry(struct live_opener *o, struct live_hurry hurry)
{
	o->hurry = hurry;
}

static struct timespec after_ms(int ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += ms % 1000 * 1000000l;
	t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000l;
	t.tv_nsec %= 1000000000l;
	return t;
}

/* Waits for the file of a number until it is there, the time is over, or the rings fill: *late. */
static enum open_state wait_for(struct live_opener *o, u32 number, struct object **ret, bool *late)
{
	enum open_state state = OPEN_WAITS;
	struct timespec look = after_ms(LOOK_MS);
	int ms = 0;

	while (!*late && (state = take(o, number, ret)) == OPEN_WAITS) {
		if (pthread_cond_timedwait(&o->answered, &o->lock, &look) != ETIMEDOUT)
			continue;
		ms += LOOK_MS;
		*late = ms >= WAIT_MS || (o->hurry.asked && o->hurry.asked(o->hurry.ctx));
		look = after_ms(LOOK_MS);
	}
	return state;
}

/* True if a file of the same file system, as far as is known, has not been opened in time. */
static bool is_dead(const struct live_opener *o, const struct open_identity *id)
{
	for (const struct request *r = o->requests; r; r = r->next) {
		bool known = (r->id.dev_maj | r->id.dev_min) && (id->dev_maj | id->dev_min);

		if (r->late && !r->done &&
		    (!known || (r->id.dev_maj == id->dev_maj && r->id.dev_min == id->dev_min)))
			return true;
	}
	return false;
}

enum open_state live_opener_ask(struct live_opener *o, u32 number, const struct open_identity *id,
				const struct open_place *places, size_t nr, struct object **ret)
{
	struct request *r = xcalloc(1, sizeof(*r)), **at;
	enum open_state state;

	*ret = NULL;
	r->number = number;
	r->asked_ns = now_ns();
	r->id = *id;
	r->places = xcalloc(nr + 1, sizeof(*r->places));
	memcpy(r->places, places, nr * sizeof(*places));
	r->nr = nr;
	pthread_mutex_lock(&o->lock);
	r->late = is_dead(o, id);
	for (at = &o->requests; *at; at = &(*at)->next)
		;
	*at = r;
	add_thread(o);
	pthread_cond_signal(&o->asked);
	state = wait_for(o, number, ret, &r->late);
	o->news |= state == OPEN_WAITS && r->done;
	pthread_mutex_unlock(&o->lock);
	return state;
}

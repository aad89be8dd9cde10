/* SPDX-License-Identifier: MIT */
#include "symbols/find/debuginfod_query.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/elf/build_id.h"

/* Below this, the count that libdebuginfod reports may be its polls and not bytes. */
#define ANSWERED_BYTES 100000

struct debuginfod_query {
	/* these do not change while the query runs */
	struct debuginfod_lib lib;
	debuginfod_client *client;
	enum debuginfod_kind kind;
	u8 id[BUILD_ID_MAX];
	size_t size;

	pthread_mutex_t lock; /* protects the members below */
	pthread_cond_t changed;
	bool over, stop;
	bool left; /* the caller does not wait any more: the query's thread frees it */
	bool answered;
	u64 bytes;
	char *path;
	int err;
};

static void free_query(struct debuginfod_query *q)
{
	pthread_cond_destroy(&q->changed);
	pthread_mutex_destroy(&q->lock);
	free(q->path);
	free(q);
}

/* Called by libdebuginfod while it waits. Any result but 0 ends the query. */
static int on_progress(debuginfod_client *cl, long a, long b)
{
	struct debuginfod_lib lib;
	struct debuginfod_query *q;
	bool stop;

	/*
	 * libdebuginfod is loaded already, so this only returns its functions: one of them is
	 * needed to find q.
	 */
	if (debuginfod_lib_load(&lib))
		return 1;
	q = lib.get_user_data(cl);
	pthread_mutex_lock(&q->lock);
	if (b > 0 || a > ANSWERED_BYTES)
		q->answered = true;
	q->bytes = q->answered && a > 0 ? (u64)a : 0;
	stop = q->stop;
	pthread_mutex_unlock(&q->lock);
	return stop;
}

/*
 * Returns the folder of libdebuginfod's cache, malloc'd, by the rules of
 * debuginfod_find_debuginfo(3); NULL if there is none.
 */
static char *cache_dir(void)
{
	const char *dir = getenv("DEBUGINFOD_CACHE_PATH"), *home = getenv("HOME");
	char *old;

	if (dir)
		return xstrdup(dir);
	if (home) {
		old = xasprintf("%s/.debuginfod_client_cache", home);
		if (!access(old, F_OK))
			return old;
		free(old);
	}
	dir = getenv("XDG_CACHE_HOME");
	if (dir)
		return xasprintf("%s/debuginfod_client", dir);
	return home ? xasprintf("%s/.cache/debuginfod_client", home) : NULL;
}

/*
 * Removes the empty file by which libdebuginfod remembers, for ten minutes, that a query found
 * nothing. It writes that file for stopped queries too, although the server may answer the next
 * one.
 */
static void forget_miss(const struct debuginfod_query *q)
{
	static const char *const names[] = { "debuginfo", "executable" };
	char hex[BUILD_ID_HEX], *dir = cache_dir(), *path;
	struct stat st;

	if (!dir)
		return;
	build_id_hex(q->id, q->size, hex);
	path = xasprintf("%s/%s/%s", dir, hex, names[q->kind]);
	if (!lstat(path, &st) && S_ISREG(st.st_mode) && !st.st_size)
		(void)unlink(path);
	free(path);
	free(dir);
}

static void *ask(void *arg)
{
	struct debuginfod_query *q = arg;
	char *path = NULL;
	bool stopped, left;
	int fd;

	q->lib.set_user_data(q->client, q);
	q->lib.set_progressfn(q->client, on_progress);
	fd = q->lib.find[q->kind](q->client, q->id, (int)q->size, &path);
	if (fd >= 0)
		close(fd);
	pthread_mutex_lock(&q->lock);
	stopped = q->stop;
	pthread_mutex_unlock(&q->lock);
	if (stopped && fd < 0)
		forget_miss(q);

	pthread_mutex_lock(&q->lock);
	q->path = path;
	q->err = fd < 0 ? fd : 0;
	q->over = true;
	left = q->left;
	pthread_cond_signal(&q->changed);
	pthread_mutex_unlock(&q->lock);
	if (left) {
		q->lib.end(q->client);
		free_query(q);
	}
	return NULL;
}

/*
 * Starts the query's thread with all signals blocked, so that the command's own threads get them.
 */
static int start_thread(struct debuginfod_query *q)
{
	sigset_t all, old;
	pthread_t thread;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&thread, NULL, ask, q);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!err)
		pthread_detach(thread);
	return err;
}

struct debuginfod_query *debuginfod_query_start(const struct debuginfod_lib *lib,
						debuginfod_client *client,
						enum debuginfod_kind kind, const u8 *build_id,
						size_t size)
{
	struct debuginfod_query *q = xcalloc(1, sizeof(*q));
	pthread_condattr_t attr;

	q->lib = *lib;
	q->client = client;
	q->kind = kind;
	q->size = size < BUILD_ID_MAX ? size : BUILD_ID_MAX;
	memcpy(q->id, build_id, q->size);
	pthread_mutex_init(&q->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&q->changed, &attr);
	pthread_condattr_destroy(&attr);
	if (start_thread(q)) {
		free_query(q);
		return NULL;
	}
	return q;
}

bool debuginfod_query_wait(struct debuginfod_query *q, u64 ms, bool *ret_answered, u64 *ret_bytes)
{
	struct timespec until;
	bool over;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += (time_t)(ms / 1000);
	until.tv_nsec += (long)(ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_mutex_lock(&q->lock);
	while (!q->over && !pthread_cond_timedwait(&q->changed, &q->lock, &until))
		;
	over = q->over;
	*ret_answered = q->answered;
	*ret_bytes = q->bytes;
	pthread_mutex_unlock(&q->lock);
	return over;
}

void debuginfod_query_stop(struct debuginfod_query *q)
{
	pthread_mutex_lock(&q->lock);
	q->stop = true;
	pthread_mutex_unlock(&q->lock);
}

bool debuginfod_query_end(struct debuginfod_query *q, char **ret_path, int *ret_err)
{
	bool over;

	pthread_mutex_lock(&q->lock);
	over = q->over;
	q->left = !over;
	*ret_path = q->path;
	q->path = NULL;
	*ret_err = q->err;
	pthread_mutex_unlock(&q->lock);
	if (over)
		free_query(q);
	return over;
}

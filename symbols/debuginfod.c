/* SPDX-License-Identifier: MIT */
#include "symbols/debuginfod.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/option.h"
#include "base/progress.h"
#include "symbols/debugfile.h"
#include "symbols/debuginfod_lib.h"

#define LIMIT_MS 30000        /* of all queries together; $DEBUGINFOD_MAXTIME seconds where set */
#define NO_ANSWER_SHARE 3     /* a first answer has to come within a third of it */
#define MAX_FAILURES 2        /* other failures in a row, after which servers are left alone */
#define ANSWERED_BYTES 100000 /* below it, what libdebuginfod counts may be its own turns */

/* What was asked for in vain. */
struct miss {
	u8 id[BUILD_ID_MAX];
	u8 id_size, kind;
	const char *why;
};

struct debuginfod {
	pthread_mutex_t lock;
	char *urls;       /* NULL: as the environment says */
	const char *prog; /* for the line that says what is waited for */
	FILE *talk;       /* NULL: no such line */
	u64 limit_ms, used_ms;
	bool opened; /* lib was looked for */
	debuginfod_client *client;
	struct debuginfod_lib lib;
	const char *dead; /* why no server is asked any more, NULL: they are */
	unsigned int failures;
	struct miss *misses;
	size_t nr_misses, cap_misses;
	struct idmap wanted; /* hashes of objects' names; empty: all are */
	/* the query that runs */
	u64 start_ms;
	bool answered, gave_up;
	struct progress progress;
};

static u64 now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
}

struct debuginfod *debuginfod_new(const struct symbols_config *cfg)
{
	const char *max = getenv("DEBUGINFOD_MAXTIME");
	struct debuginfod *c;
	u64 seconds;

	if (!cfg->debuginfod)
		return NULL;
	c = xcalloc(1, sizeof(*c));
	pthread_mutex_init(&c->lock, NULL);
	c->prog = cfg->prog;
	c->talk = cfg->prog ? cfg->talk : NULL;
	c->limit_ms = cfg->debuginfod_ms ? cfg->debuginfod_ms : LIMIT_MS;
	if (!cfg->debuginfod_ms && max && !parse_u64(max, 10, 1, 86400, &seconds))
		c->limit_ms = seconds * 1000;
	if (*cfg->debuginfod) {
		c->urls = xstrdup(cfg->debuginfod);
		for (char *p = c->urls; *p; p++)
			if (*p == ',')
				*p = ' ';
		setenv("DEBUGINFOD_URLS", c->urls, 1);
	}
	return c;
}

void debuginfod_free(struct debuginfod *c)
{
	if (!c)
		return;
	if (c->client)
		c->lib.end(c->client);
	pthread_mutex_destroy(&c->lock);
	free(c->misses);
	idmap_fini(&c->wanted);
	free(c->urls);
	free(c);
}

void debuginfod_want(struct debuginfod *c, const char *object)
{
	idmap_put(&c->wanted, hash_bytes(object, strlen(object)), strlen(object), 1);
}

bool debuginfod_wants(const struct debuginfod *c, const char *object)
{
	return !c->wanted.nr || idmap_get(&c->wanted, hash_bytes(object, strlen(object)),
					  strlen(object)) != IDMAP_NONE;
}

/* Called by libdebuginfod at least once a second while it waits; other than 0 ends the query. */
static int on_progress(debuginfod_client *cl, long a, long b)
{
	struct debuginfod_lib lib;
	struct debuginfod *c;
	u64 took;

	/* It is loaded already; c, which has the functions too, is behind one of them. */
	if (debuginfod_lib_load(&lib))
		return 1;
	c = lib.get_user_data(cl);
	took = now_ms() - c->start_ms;
	if (b > 0 || a > ANSWERED_BYTES)
		c->answered = true;
	progress_say(&c->progress, "asking debuginfod", c->answered && a > 0 ? (u64)a : 0);
	c->gave_up = c->used_ms + took >= c->limit_ms ||
		     (!c->answered && took >= c->limit_ms / NO_ANSWER_SHARE);
	return c->gave_up;
}

static void open_client(struct debuginfod *c)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	c->opened = true;
	if (!urls || !*urls) {
		c->dead = "no debuginfod server: DEBUGINFOD_URLS is not set";
		return;
	}
	c->dead = debuginfod_lib_load(&c->lib);
	if (c->dead)
		return;
	c->client = c->lib.begin();
	if (!c->client) {
		c->dead = "libdebuginfod does not start";
		return;
	}
	c->lib.set_user_data(c->client, c);
	c->lib.set_progressfn(c->client, on_progress);
}

static const char *why_of(struct debuginfod *c, int err)
{
	if (c->gave_up && !c->answered) {
		c->dead = "debuginfod servers that did not answer are not asked again";
		return "no answer from the debuginfod servers";
	}
	if (c->gave_up)
		return "the time for debuginfod was used up";
	/* also how libdebuginfod calls a query that was given up */
	if (err == -ENOENT) {
		c->failures = 0;
		return "the debuginfod servers have none";
	}
	if (++c->failures >= MAX_FAILURES)
		c->dead = "debuginfod servers that failed twice are not asked again";
	return err == -ECONNREFUSED || err == -EHOSTUNREACH || err == -ENETUNREACH
		       ? "no debuginfod server can be reached"
		       : "debuginfod failed";
}

/* libdebuginfod's folder, malloc'd, by the rules of debuginfod_find_debuginfo(3); NULL: none. */
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
 * libdebuginfod takes a query that was given up for one that found nothing, which it remembers by
 * an empty file: in ten minutes' time the server may answer again, so that is undone.
 */
static void forget_miss(enum debuginfod_kind kind, const u8 *build_id, size_t size)
{
	static const char *const names[] = { "debuginfo", "executable" };
	char hex[BUILD_ID_HEX], *dir = cache_dir(), *path;
	struct stat st;

	if (!dir)
		return;
	build_id_hex(build_id, size, hex);
	path = xasprintf("%s/%s/%s", dir, hex, names[kind]);
	if (!lstat(path, &st) && S_ISREG(st.st_mode) && !st.st_size)
		(void)unlink(path);
	free(path);
	free(dir);
}

static char *query(struct debuginfod *c, enum debuginfod_kind kind, const u8 *build_id, size_t size,
		   const char **ret_why)
{
	char *path = NULL, *ret = NULL;
	int fd;

	if (!c->opened)
		open_client(c);
	if (c->dead || c->used_ms >= c->limit_ms) {
		*ret_why = c->dead ? c->dead : "the time for debuginfod is used up";
		return NULL;
	}
	c->start_ms = now_ms();
	c->answered = c->gave_up = false;
	if (c->talk)
		progress_init(&c->progress, c->prog, 0, c->talk);
	fd = c->lib.find[kind](c->client, build_id, (int)size, &path);
	progress_end(&c->progress);
	c->used_ms += now_ms() - c->start_ms;
	if (fd >= 0 && path) {
		c->failures = 0;
		ret = xstrdup(path);
	} else {
		*ret_why = why_of(c, fd);
		if (c->gave_up)
			forget_miss(kind, build_id, size);
	}
	if (fd >= 0)
		close(fd);
	free(path);
	return ret;
}

static const struct miss *find_miss(const struct debuginfod *c, enum debuginfod_kind kind,
				    const u8 *build_id, size_t size)
{
	for (size_t i = 0; i < c->nr_misses; i++)
		if (c->misses[i].kind == kind && c->misses[i].id_size == size &&
		    !memcmp(c->misses[i].id, build_id, size))
			return &c->misses[i];
	return NULL;
}

char *debuginfod_fetch(struct debuginfod *c, enum debuginfod_kind kind, const u8 *build_id,
		       size_t size, const char **ret_why)
{
	const struct miss *known;
	char *ret = NULL;

	if (!size || size > BUILD_ID_MAX) {
		*ret_why = "no build-id to ask debuginfod for";
		return NULL;
	}
	pthread_mutex_lock(&c->lock);
	known = find_miss(c, kind, build_id, size);
	if (known) {
		*ret_why = known->why;
	} else {
		ret = query(c, kind, build_id, size, ret_why);
		if (!ret) {
			struct miss m = { .id_size = (u8)size, .kind = (u8)kind, .why = *ret_why };

			memcpy(m.id, build_id, size);
			vec_push(c->misses, c->nr_misses, c->cap_misses, m);
		}
	}
	pthread_mutex_unlock(&c->lock);
	return ret;
}

int debuginfod_option(void *ctx, const char *arg, bool unset)
{
	struct symbols_config *cfg = ctx;

	cfg->debuginfod = unset ? NULL : arg ? arg : "";
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "symbols/find/debuginfod.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/option.h"
#include "base/progress.h"
#include "symbols/elf/build_id.h"
#include "symbols/find/debuginfod_lib.h"
#include "symbols/find/debuginfod_query.h"

#define LIMIT_MS 30000 /* for all queries together, unless $DEBUGINFOD_MAXTIME (seconds) is set */
#define NO_ANSWER_SHARE 3 /* the first answer must come within a third of the time limit */
#define MAX_FAILURES 2    /* after this many other failures in a row, no more queries are sent */
#define TURN_MS 100       /* the interval at which the time limit is checked */
/* How long a stopped query is waited for: libdebuginfod calls back about once a second. */
#define STOP_MS 1200

/* A query without success, which is not repeated. */
struct miss {
	u8 id[BUILD_ID_MAX];
	u8 id_size, kind;
	const char *why;
};

struct debuginfod {
	pthread_mutex_t lock;
	char *urls;       /* NULL: from the environment */
	const char *prog; /* name of the command, for progress lines */
	FILE *talk;       /* receives progress lines; NULL: none are printed */
	u64 limit_ms, used_ms;
	bool opened; /* lib has been loaded, or loading failed */
	debuginfod_client *client;
	struct debuginfod_lib lib;
	const char *dead;    /* why no more queries are sent; NULL: they are */
	const char *problem; /* why the first query without an answer had none; NULL: all had one */
	unsigned int failures;
	struct miss *misses;
	size_t nr_misses, cap_misses;
	struct idmap wanted; /* hashes of the names of objects to query for; empty: all objects */
	/* state of the running query */
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
	if (!c->client)
		c->dead = "libdebuginfod does not start";
}

static const char *why_of(struct debuginfod *c, int err)
{
	if (c->gave_up && !c->answered) {
		c->dead = "debuginfod servers that did not answer are not asked again";
		return "no answer from the debuginfod servers";
	}
	if (c->gave_up)
		return "the time for debuginfod was used up";
	/* libdebuginfod also returns this for a query that was stopped, which was handled above */
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

/*
 * Waits until the query ends. When the time is up, asks its thread to stop, and leaves it running
 * if it does not: the thread uses nothing that the command needs.
 */
static void wait_for(struct debuginfod *c, struct debuginfod_query *q)
{
	u64 took = 0, bytes = 0;

	while (!debuginfod_query_wait(q, TURN_MS, &c->answered, &bytes)) {
		took = now_ms() - c->start_ms;
		if (c->talk)
			progress_say(&c->progress, "asking debuginfod", bytes);
		c->gave_up = c->used_ms + took >= c->limit_ms ||
			     (!c->answered && took >= c->limit_ms / NO_ANSWER_SHARE);
		if (!c->gave_up)
			continue;
		debuginfod_query_stop(q);
		debuginfod_query_wait(q, STOP_MS, &c->answered, &bytes);
		break;
	}
}

static void note_problem(struct debuginfod *c, const char *why)
{
	if (!c->problem)
		c->problem = why;
}

static char *query(struct debuginfod *c, enum debuginfod_kind kind, const u8 *build_id, size_t size,
		   const char **ret_why)
{
	struct debuginfod_query *q;
	char *path = NULL;
	int err = 0;

	if (!c->opened)
		open_client(c);
	if (c->dead || c->used_ms >= c->limit_ms) {
		*ret_why = c->dead ? c->dead : "the time for debuginfod is used up";
		note_problem(c, *ret_why);
		return NULL;
	}
	c->start_ms = now_ms();
	c->answered = c->gave_up = false;
	q = debuginfod_query_start(&c->lib, c->client, kind, build_id, size);
	if (!q) {
		*ret_why = c->dead = "no thread can be started to ask debuginfod";
		note_problem(c, *ret_why);
		return NULL;
	}
	if (c->talk)
		progress_init(&c->progress, c->prog, 0, c->talk);
	wait_for(c, q);
	if (c->talk)
		progress_end(&c->progress);
	if (!debuginfod_query_end(q, &path, &err)) {
		c->client = NULL;
		c->dead = "a query of debuginfod that was given up still runs";
	}
	c->used_ms += now_ms() - c->start_ms;
	if (path) {
		c->failures = 0;
		return path;
	}
	*ret_why = why_of(c, err);
	if (err != -ENOENT || c->gave_up)
		note_problem(c, *ret_why);
	return NULL;
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

const char *debuginfod_get_problem(struct debuginfod *c)
{
	const char *ret;

	if (!c)
		return NULL;
	pthread_mutex_lock(&c->lock);
	ret = c->problem;
	pthread_mutex_unlock(&c->lock);
	return ret;
}

int debuginfod_option(void *ctx, const char *arg, bool unset)
{
	struct symbols_config *cfg = ctx;

	cfg->debuginfod = unset ? NULL : arg ? arg : "";
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "base/files/path_walk.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#define MAX_LINKS 40 /* as in the kernel */

struct walk {
	char done[PATH_MAX];   /* where the walk is; "" stands for "/" */
	char behind[PATH_MAX]; /* the names that follow */
	size_t floor;          /* bytes of done that ".." does not remove: the root */
	unsigned int nr_links;
};

static bool too_long(void)
{
	errno = ENAMETOOLONG;
	return false;
}

/* Takes the first name off w->behind. False if there is none. */
static bool next_name(struct walk *w, char name[NAME_MAX + 1])
{
	const char *p = w->behind + strspn(w->behind, "/");
	size_t n = strcspn(p, "/");

	if (!n || n > NAME_MAX)
		return false;
	memcpy(name, p, n);
	name[n] = 0;
	memmove(w->behind, p + n, strlen(p + n) + 1);
	return true;
}

static void go_up(struct walk *w)
{
	char *slash = strrchr(w->done, '/');

	if (slash && (size_t)(slash - w->done) >= w->floor)
		*slash = 0;
}

static bool go_down(struct walk *w, const char *name)
{
	size_t len = strlen(w->done), n = strlen(name);

	if (len + n + 2 > sizeof(w->done))
		return too_long();
	w->done[len] = '/';
	memcpy(w->done + len + 1, name, n + 1);
	return true;
}

/* Puts the link at w->done in front of w->behind, if there is one. */
static bool follow(struct walk *w)
{
	char target[PATH_MAX];
	ssize_t n = readlink(w->done, target, sizeof(target));
	size_t rest = strlen(w->behind);

	if (n <= 0)
		return true;
	if (++w->nr_links > MAX_LINKS) {
		errno = ELOOP;
		return false;
	}
	if ((size_t)n + 1 + rest + 1 > sizeof(w->behind))
		return too_long();
	memmove(w->behind + n + 1, w->behind, rest + 1);
	w->behind[n] = '/';
	memcpy(w->behind, target, (size_t)n);
	go_up(w);
	if (*target == '/')
		w->done[w->floor] = 0;
	return true;
}

static bool walk_names(struct walk *w, path_stop_fn *stop, void *ctx)
{
	char name[NAME_MAX + 1];

	while (next_name(w, name)) {
		if (!strcmp(name, "."))
			continue;
		if (!strcmp(name, "..")) {
			go_up(w);
			continue;
		}
		if (!go_down(w, name))
			return false;
		if (stop && stop(ctx, w->done))
			return true;
		if (!follow(w))
			return false;
	}
	return !w->behind[strspn(w->behind, "/")] || too_long();
}

/* Walks `path` from where w is; a relative path that begins a walk begins in the current folder. */
static bool walk_path(struct walk *w, const char *path, path_stop_fn *stop, void *ctx)
{
	size_t n = strlen(path);

	if (n >= sizeof(w->behind))
		return too_long();
	memcpy(w->behind, path, n + 1);
	w->nr_links = 0;
	return walk_names(w, stop, ctx);
}

static bool begin_here(struct walk *w, const char *path)
{
	if (*path == '/')
		return true;
	if (!getcwd(w->done, sizeof(w->done)))
		return false;
	if (!strcmp(w->done, "/"))
		*w->done = 0;
	return true;
}

char *path_walk(const char *root, const char *path, path_stop_fn *stop, void *ctx)
{
	struct walk *w = xcalloc(1, sizeof(*w));
	char *ret = NULL;

	if (!begin_here(w, root ? root : path))
		goto out;
	if (root) {
		if (!walk_path(w, root, NULL, NULL))
			goto out;
		w->floor = strlen(w->done);
	}
	if (walk_path(w, path, stop, ctx))
		ret = xstrdup(*w->done ? w->done : "/");
out:
	free(w);
	return ret;
}

bool path_has_parent(const char *path)
{
	for (const char *p = path; (p = strstr(p, "..")); p += 2)
		if ((p == path || p[-1] == '/') && (!p[2] || p[2] == '/'))
			return true;
	return false;
}

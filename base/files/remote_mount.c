/* SPDX-License-Identifier: MIT */
#include "base/files/remote_mount.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/path_walk.h"
#include "base/mem.h"

#define LIMIT_MS 2000
#define MAX_FD_CLOSED 4096 /* where the kernel has no close_range() */

enum answer { ANSWER_UNKNOWN, ANSWER_CAME, ANSWER_NONE };

struct remote_mount {
	char *point;
	bool is_map; /* an autofs folder: each name in it is a file system, mounted on demand */
	enum answer answer;
};

/* The remote file systems of this process's mount namespace, read at the first use. */
static struct {
	pthread_mutex_t lock;
	bool is_read;
	struct remote_mount *mounts;
	size_t nr, cap;
} remote = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool is_remote_type(const char *type)
{
	static const char *const types[] = { "9p",    "afs",     "autofs",  "ceph",     "cifs",
					     "coda",  "fuse",    "fuseblk", "gfs2",     "lustre",
					     "ncpfs", "nfs",     "nfs4",    "orangefs", "smb3",
					     "smbfs", "virtiofs" };

	if (!strncmp(type, "fuse.", 5))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(type, types[i]))
			return true;
	return false;
}

/* Replaces "\040" and the like by the characters that they stand for, proc(5). */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0'));
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = 0;
}

static void add_mount(const char *point, bool is_map)
{
	vec_push(remote.mounts, remote.nr, remote.cap,
		 ((struct remote_mount){ xstrdup(point), is_map, ANSWER_UNKNOWN }));
}

/* "ID PARENT DEV ROOT POINT OPTIONS [TAGS] - TYPE SOURCE OPTIONS", proc(5) */
static void take_line(char *line)
{
	char *dash = strstr(line, " - "), *point = line, *end, *type;
	bool is_map;

	for (int field = 0; point && field < 4; field++) {
		point = strchr(point, ' ');
		point = point ? point + 1 : NULL;
	}
	end = point ? strchr(point, ' ') : NULL;
	if (!dash || !end || end > dash)
		return;
	*end = 0;
	type = dash + 3;
	is_map = !strncmp(type, "autofs ", 7) && !strstr(type, ",direct");
	type[strcspn(type, " \n")] = 0;
	unescape(point);
	/* this program itself came from the root */
	if (is_remote_type(type) && strcmp(point, "/"))
		add_mount(point, is_map);
}

static void read_mounts(void)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t cap = 0;

	remote.is_read = true;
	if (!f)
		return;
	while (getline(&line, &cap, f) > 0)
		take_line(line);
	free(line);
	fclose(f);
}

/* Of several mounts at one point the last hides the others. */
static struct remote_mount *mount_at(const char *point)
{
	for (size_t i = remote.nr; i-- > 0;)
		if (!strcmp(remote.mounts[i].point, point))
			return &remote.mounts[i];
	return NULL;
}

static bool is_remote_point(void *ctx, const char *place)
{
	const struct remote_mount *m = mount_at(place);
	const char *slash = strrchr(place, '/');
	char *parent;

	(void)ctx;
	if (m)
		return !m->is_map;
	parent = xstrndup(place, (size_t)(slash - place));
	m = mount_at(parent);
	free(parent);
	if (!m || !m->is_map)
		return false;
	add_mount(place, false);
	return true;
}

/*
 * Closes all descriptors but `keep`: who waits for the end of this process's output must not wait
 * for a child that hangs.
 */
static void close_others(int keep)
{
#ifdef SYS_close_range
	if ((!keep || !syscall(SYS_close_range, 0u, (unsigned int)keep - 1, 0u)) &&
	    !syscall(SYS_close_range, (unsigned int)keep + 1, ~0u, 0u))
		return;
#endif
	for (int fd = 0; fd < MAX_FD_CLOSED; fd++)
		if (fd != keep)
			close(fd);
}

/* Looks at path in a child. Returns true if the child has ended within the limit. */
static bool answers(const char *path)
{
	struct pollfd end = { .events = POLLIN };
	int ends[2];
	struct stat st;
	pid_t pid;
	bool came;
	int got;

	if (pipe2(ends, O_CLOEXEC))
		return true;
	pid = fork();
	if (!pid) {
		close_others(ends[1]);
		(void)!stat(path, &st);
		/* a library does not exit, and this child must not run what main does at exit */
		kill(getpid(), SIGKILL);
	}
	close(ends[1]);
	end.fd = ends[0];
	do
		got = pid < 0 ? 1 : poll(&end, 1, LIMIT_MS);
	while (got < 0 && errno == EINTR);
	came = got != 0;
	close(ends[0]);
	if (pid > 0 && !came)
		kill(pid, SIGKILL);
	else if (pid > 0)
		waitpid(pid, NULL, 0);
	return came;
}

/* The remote mount that path leads to; NULL: none. */
static struct remote_mount *mount_of(const char *root, const char *path)
{
	char *place = path_walk(root, path, is_remote_point, NULL);
	struct remote_mount *m = place ? mount_at(place) : NULL;

	free(place);
	return m;
}

bool remote_mount_is_silent(const char *root, const char *path)
{
	struct remote_mount *m;
	char *full;
	bool ret;

	if (!root && (!strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5)))
		return false;
	pthread_mutex_lock(&remote.lock);
	if (!remote.is_read)
		read_mounts();
	m = remote.nr ? mount_of(root, path) : NULL;
	if (m && m->answer == ANSWER_UNKNOWN) {
		full = xasprintf("%s%s%s", root ? root : "", root && *path != '/' ? "/" : "", path);
		m->answer = answers(full) ? ANSWER_CAME : ANSWER_NONE;
		free(full);
	}
	ret = m && m->answer == ANSWER_NONE;
	pthread_mutex_unlock(&remote.lock);
	return ret;
}

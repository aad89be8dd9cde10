/* SPDX-License-Identifier: MIT */
#include "record/probe/tracefs_probes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

#define MAX_NAMES 1000   /* that have a number at their end */
#define MAX_LIST 1048576 /* bytes that the remover reads */
#define TRIES 50         /* to remove a probe whose event is still being closed: 5 s */
#define TRY_US 100000

struct tracefs_probes {
	char *root;
	pid_t remover; /* 0: none yet */
	int to_remover;
	char **made; /* "group/name" */
	size_t nr, cap;
};

struct tracefs_probes *tracefs_probes_new(const char *root)
{
	struct tracefs_probes *p = xcalloc(1, sizeof(*p));

	p->root = xstrdup(root);
	p->to_remover = -1;
	return p;
}

static int append(const char *root, const char *line, size_t n)
{
	char *path = xasprintf("%s/uprobe_events", root);
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC), err = fd < 0 ? errno : 0;

	if (!err && write(fd, line, n) != (ssize_t)n)
		err = errno;
	if (fd >= 0)
		close(fd);
	free(path);
	return err;
}

/* Removes the probes of a list "-:group/name\n...". */
static void remove_all(const char *root, const char *list)
{
	while (*list) {
		size_t n = strcspn(list, "\n") + 1;

		for (int i = 0; i < TRIES && append(root, list, n) == EBUSY; i++)
			usleep(TRY_US);
		list += n;
	}
}

/* The process that removes the probes: it reads their names until nobody can write more. */
static void run_remover(const struct tracefs_probes *p, int from)
{
	char *list = xcalloc(1, MAX_LIST + 1);
	size_t n = 0;
	ssize_t got;

	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	(void)setsid();
	/* what prec has open must not stay open because of this process */
	if (dup2(from, 0) < 0 || syscall(SYS_close_range, 1u, ~0u, 0u))
		_exit(1);
	while (n < MAX_LIST &&
	       ((got = read(0, list + n, MAX_LIST - n)) > 0 || (got < 0 && errno == EINTR)))
		n += got > 0 ? (size_t)got : 0;
	/* a line that was cut is no name */
	while (n && list[n - 1] != '\n')
		list[--n] = '\0';
	remove_all(p->root, list);
	_exit(0);
}

static int start_remover(struct tracefs_probes *p, struct perr *e)
{
	int fds[2];

	if (p->remover)
		return 0;
	if (pipe2(fds, O_CLOEXEC))
		return perr_io(e, "cannot make a pipe");
	p->remover = fork();
	if (!p->remover)
		run_remover(p, fds[0]);
	close(fds[0]);
	if (p->remover < 0) {
		p->remover = 0;
		close(fds[1]);
		return perr_io(e, "cannot start a process");
	}
	p->to_remover = fds[1];
	return 0;
}

void tracefs_probes_free(struct tracefs_probes *p)
{
	if (!p)
		return;
	if (p->remover) {
		close(p->to_remover);
		while (waitpid(p->remover, NULL, 0) < 0 && errno == EINTR)
			;
	}
	for (size_t i = 0; i < p->nr; i++)
		free(p->made[i]);
	free(p->made);
	free(p->root);
	free(p);
}

/* Adds a place to an event that was made here. Returns false if it cannot have it: its arguments
 * are of other types, or the kernel is older than Linux 5.5. */
static bool add_place(const struct tracefs_probes *p, const char *group, const char *name,
		      const char *what)
{
	char *full = xasprintf("%s/%s", group, name), *line = xasprintf("p:%s %s\n", full, what);
	bool ret = false;

	for (size_t i = 0; i < p->nr && !ret; i++)
		ret = !strcmp(p->made[i], full) && !append(p->root, line, strlen(line));
	free(full);
	free(line);
	return ret;
}

static char *free_name(const struct tracefs_probes *p, const char *group, const char *name)
{
	for (int i = 0; i < MAX_NAMES; i++) {
		char *candidate = i ? xasprintf("%s_%d", name, i) : xstrdup(name);
		char *path = xasprintf("%s/events/%s/%s", p->root, group, candidate);
		bool taken = !access(path, F_OK);

		free(path);
		if (!taken)
			return candidate;
		free(candidate);
	}
	return xstrdup(name);
}

int tracefs_probes_add(struct tracefs_probes *p, const char *group, const char *name,
		       const char *what, char **ret_name, bool *ret_is_new, struct perr *e)
{
	char *free_one, *line;
	int err = start_remover(p, e);

	if (err)
		return err;
	*ret_is_new = !add_place(p, group, name, what);
	if (!*ret_is_new) {
		*ret_name = xstrdup(name);
		return 0;
	}
	free_one = free_name(p, group, name);
	line = xasprintf("p:%s/%s %s\n", group, free_one, what);
	errno = append(p->root, line, strlen(line));
	if (errno)
		err = perr_io(e, "%s/uprobe_events: cannot make the probe %s:%s at %s", p->root,
			      group, free_one, what);
	free(line);
	if (!err) {
		line = xasprintf("-:%s/%s\n", group, free_one);
		/* shorter than PIPE_BUF: it is written whole */
		if (write(p->to_remover, line, strlen(line)) != (ssize_t)strlen(line)) {
			(void)append(p->root, line, strlen(line));
			err = perr_io(e, "cannot tell another process what to remove");
		}
		free(line);
	}
	if (err) {
		free(free_one);
		return err;
	}
	line = xasprintf("%s/%s", group, free_one);
	vec_push(p->made, p->nr, p->cap, line);
	*ret_name = free_one;
	return 0;
}

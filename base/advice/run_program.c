/* SPDX-License-Identifier: MIT */
#include "base/advice/run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

extern char **environ;

/* The environment with LC_ALL=C; the strings are borrowed, the array is malloc'd. */
static char **plain_environment(void)
{
	static char plain[] = "LC_ALL=C";
	size_t nr = 0, kept = 0;
	char **env;

	while (environ[nr])
		nr++;
	env = xcalloc(nr + 2, sizeof(*env));
	for (size_t i = 0; i < nr; i++)
		if (strncmp(environ[i], "LC_ALL=", 7))
			env[kept++] = environ[i];
	env[kept] = plain;
	return env;
}

static bool start(const char *const *argv, int out, pid_t *ret)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	char **env = plain_environment();
	sigset_t none;
	int err;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawnattr_init(&attr);
	sigemptyset(&none);
	posix_spawnattr_setsigmask(&attr, &none);
	/* a group of its own, so that its children end with it */
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	err = posix_spawnp(ret, argv[0], &files, &attr, (char *const *)argv, env);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	free(env);
	return !err;
}

/* Reads to the end or to the deadline, keeping the first `max` bytes. False: the time is up. */
static bool read_all(int fd, u64 deadline_ms, size_t max, char *buf, size_t *ret_n)
{
	char rest[4096];

	*ret_n = 0;
	for (;;) {
		u64 now = now_ms();
		struct pollfd p = { .fd = fd, .events = POLLIN };
		bool keep = *ret_n < max;
		ssize_t n;

		if (now >= deadline_ms)
			return false;
		if (poll(&p, 1, (int)(deadline_ms - now)) <= 0)
			continue;
		n = keep ? read(fd, buf + *ret_n, max - *ret_n) : read(fd, rest, sizeof(rest));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return true;
		if (keep)
			*ret_n += (size_t)n;
	}
}

/* Waits for the program, which is killed at the deadline. False: it did not exit by itself. */
static bool wait_for(pid_t pid, u64 deadline_ms, int *ret_status)
{
	const struct timespec turn = { .tv_nsec = 2000000 };
	bool in_time = true;
	pid_t got;

	do {
		if (in_time && now_ms() >= deadline_ms) {
			in_time = false;
			kill(-pid, SIGKILL);
		}
		got = waitpid(pid, ret_status, in_time ? WNOHANG : 0);
		if (!got)
			nanosleep(&turn, NULL);
	} while (!got || (got < 0 && errno == EINTR));
	return in_time && got == pid && WIFEXITED(*ret_status);
}

char *run_program(const char *const *argv, u64 limit_ms, size_t max)
{
	u64 deadline_ms = now_ms() + limit_ms;
	int pipe_fds[2], status = -1;
	char *buf;
	bool whole;
	pid_t pid;
	size_t n;

	if (pipe2(pipe_fds, O_CLOEXEC))
		return NULL;
	if (!start(argv, pipe_fds[1], &pid)) {
		close(pipe_fds[0]);
		close(pipe_fds[1]);
		return NULL;
	}
	close(pipe_fds[1]);
	buf = xmalloc(max + 1);
	whole = read_all(pipe_fds[0], deadline_ms, max, buf, &n);
	close(pipe_fds[0]);
	if (!wait_for(pid, whole ? deadline_ms : 0, &status)) {
		free(buf);
		return NULL;
	}
	buf[n] = 0;
	return buf;
}

char *program_beside(const char *name)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const char *slash;
	char *path;

	self[n > 0 ? n : 0] = 0;
	slash = strrchr(self, '/');
	path = slash ? xasprintf("%.*s/%s", (int)(slash - self), self, name) : xstrdup(name);
	if (slash && access(path, X_OK)) {
		free(path);
		path = xstrdup(name);
	}
	return path;
}

/* SPDX-License-Identifier: MIT */
#include "events/live.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

#define PIPE_BYTES (1 << 20)
#define COPY_BYTES (256u << 10)

extern char **environ;

static volatile pid_t recorder; /* for the signal handler; 0: none */

static void stop_recorder(int sig)
{
	int saved = errno;

	(void)sig;
	if (recorder)
		kill(recorder, SIGINT);
	errno = saved;
}

static void forward_signals(pid_t pid)
{
	struct sigaction a = { .sa_handler = stop_recorder, .sa_flags = SA_RESTART };

	recorder = pid;
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
}

/* The path of prec in the folder of this program; "prec", which is looked for in PATH, if it is not
 * there. */
static const char *prec_path(char *buf, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", buf, size - sizeof("prec"));
	char *slash;

	if (n <= 0)
		return "prec";
	buf[n] = '\0';
	slash = strrchr(buf, '/');
	if (!slash)
		return "prec";
	memcpy(slash + 1, "prec", sizeof("prec"));
	return access(buf, X_OK) ? "prec" : buf;
}

static int make_pipe(int ret[2], struct perr *e)
{
	if (pipe2(ret, O_CLOEXEC))
		return perr_io(e, "cannot make a pipe");
	/* a larger pipe lets prec go on while a table is printed; an ordinary one will do as well
	 */
	(void)fcntl(ret[1], F_SETPIPE_SZ, PIPE_BYTES);
	return 0;
}

static int spawn_prec(struct live *l, char **argv, int out, struct perr *e)
{
	posix_spawn_file_actions_t actions;
	char buf[4096];
	int err;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, LIVE_STDOUT);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	err = posix_spawnp(&l->prec, prec_path(buf, sizeof(buf)), &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (!err)
		return 0;
	l->prec = 0;
	errno = err;
	return perr_io(e, "cannot start prec");
}

static bool write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

static void *copy_stream(void *arg)
{
	struct live *l = arg;
	char *buf = xmalloc(COPY_BYTES);
	ssize_t n = 0;

	while ((n = read(l->from, buf, COPY_BYTES)) > 0 || (n < 0 && errno == EINTR)) {
		if (n < 0)
			continue;
		if (!l->file_errno && !write_all(l->file, buf, (size_t)n))
			l->file_errno = errno;
		if (!write_all(l->to, buf, (size_t)n))
			break;
	}
	if (n < 0)
		l->file_errno = errno;
	close(l->to);
	close(l->from);
	free(buf);
	return NULL;
}

static int start_copier(struct live *l, struct perr *e)
{
	int err = pthread_create(&l->copier, NULL, copy_stream, l);

	l->copies = !err;
	if (!err)
		return 0;
	close(l->from);
	close(l->to);
	errno = err;
	return perr_io(e, "cannot start a thread");
}

/*
 * Starts prec, of whose recording nothing stays: what it would keep of files for the build-id cache
 * (-N) nothing would read.
 */
static int spawn_without_cache(struct live *l, char **argv, int out, struct perr *e)
{
	char no_cache[] = "-N", **words;
	size_t nr = 0;
	int err;

	while (argv[nr])
		nr++;
	words = xcalloc(nr + 2, sizeof(*words));
	words[0] = argv[0];
	words[1] = no_cache;
	memcpy(words + 2, argv + 1, (nr - 1) * sizeof(*words));
	err = spawn_prec(l, words, out, e);
	free(words);
	return err;
}

int live_start(struct live *l, char **argv, const char *record, struct perr *e)
{
	int to_us[2], from_prec[2], err;

	*l = (struct live){ .from = -1, .to = -1, .file = -1 };
	if (record) {
		l->file = open(record, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		if (l->file < 0)
			return perr_io(e, "cannot write %s", record);
	}
	if (make_pipe(to_us, e))
		return PERR_IO;
	if (record && make_pipe(from_prec, e)) {
		close(to_us[0]);
		close(to_us[1]);
		return PERR_IO;
	}
	err = record ? spawn_prec(l, argv, from_prec[1], e)
		     : spawn_without_cache(l, argv, to_us[1], e);
	/* the recorded command keeps the standard input that this process had */
	if (!err && dup2(to_us[0], STDIN_FILENO) < 0)
		err = perr_io(e, "cannot read from a pipe");
	close(to_us[0]);
	if (!record) {
		close(to_us[1]);
	} else {
		close(from_prec[1]);
		l->from = from_prec[0];
		l->to = to_us[1];
		if (!err)
			err = start_copier(l, e);
	}
	if (!err)
		forward_signals(l->prec);
	return err;
}

int live_end(struct live *l, int *ret_status, struct perr *e)
{
	*ret_status = 0;
	close(STDIN_FILENO);
	if (l->prec) {
		while (waitpid(l->prec, ret_status, 0) < 0 && errno == EINTR)
			;
		recorder = 0;
	}
	if (l->copies)
		pthread_join(l->copier, NULL);
	if (l->file >= 0 && close(l->file) && !l->file_errno)
		l->file_errno = errno;
	l->prec = 0;
	l->file = -1;
	if (!l->file_errno)
		return 0;
	errno = l->file_errno;
	return perr_io(e, "cannot write the file of --record");
}

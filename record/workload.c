/* SPDX-License-Identifier: MIT */
#include "record/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_COULD_NOT_EXEC 127

static _Noreturn void run_child(char **argv, int go, int why, const sigset_t *mask, int stdout_fd)
{
	char byte;
	ssize_t n;
	int saved;

	prctl(PR_SET_NAME, "perf-exec");
	do
		n = read(go, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(CHILD_COULD_NOT_EXEC); /* the recorder failed to start, or was killed */
	if (stdout_fd >= 0)
		dup2(stdout_fd, STDOUT_FILENO);
	if (stdout_fd > STDERR_FILENO)
		close(stdout_fd);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	saved = errno;
	n = write(why, &saved, sizeof(saved));
	_exit(CHILD_COULD_NOT_EXEC);
}

int workload_prepare(struct workload *w, char **argv, int stdout_fd, const void *child_mask,
		     struct perr *e)
{
	int go[2] = { -1, -1 }, why[2] = { -1, -1 };
	pid_t pid;

	if (pipe2(go, O_CLOEXEC) || pipe2(why, O_CLOEXEC))
		goto failed;
	pid = fork();
	if (pid < 0)
		goto failed;
	if (!pid) {
		close(go[1]);
		close(why[0]);
		run_child(argv, go[0], why[1], child_mask, stdout_fd);
	}
	close(go[0]);
	close(why[1]);
	*w = (struct workload){ .pid = pid, .go_fd = go[1], .why_fd = why[0] };
	return 0;

failed:
	perr_io(e, "cannot create a process for '%s'", argv[0]);
	for (int i = 0; i < 2; i++) {
		if (go[i] >= 0)
			close(go[i]);
		if (why[i] >= 0)
			close(why[i]);
	}
	return PERR_IO;
}

int workload_start(struct workload *w, const char *name, const char *events, struct perr *e)
{
	int child_errno = 0;
	ssize_t n;

	n = write(w->go_fd, "", 1);
	close(w->go_fd);
	w->go_fd = -1;
	if (n == 1) {
		do
			n = read(w->why_fd, &child_errno, sizeof(child_errno));
		while (n < 0 && errno == EINTR);
	} else {
		child_errno = errno;
		n = sizeof(child_errno);
	}
	close(w->why_fd);
	w->why_fd = -1;
	if (n != sizeof(child_errno))
		return 0;

	workload_end(w);
	perr_set(e, PERR_KERNEL, "Failed to collect '%s' for the '%s' workload: %s", events, name,
		 strerror(child_errno));
	if (e)
		e->sys_errno = child_errno;
	return PERR_KERNEL;
}

bool workload_poll(struct workload *w)
{
	if (w->pid > 0 && !w->exited && waitpid(w->pid, &w->status, WNOHANG) == w->pid)
		w->exited = true;
	return w->exited;
}

void workload_end(struct workload *w)
{
	if (w->pid <= 0)
		return;
	if (w->go_fd >= 0) {
		close(w->go_fd); /* the child reads end of file and exits */
		w->go_fd = -1;
	} else if (!w->exited) {
		kill(w->pid, SIGTERM);
	}
	if (w->why_fd >= 0) {
		close(w->why_fd);
		w->why_fd = -1;
	}
	while (!w->exited) {
		if (waitpid(w->pid, &w->status, 0) == w->pid || errno != EINTR)
			w->exited = true;
	}
}

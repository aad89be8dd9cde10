/* SPDX-License-Identifier: MIT */
#include "base/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

#define COLUMNS_UNKNOWN 80 /* of a terminal that does not tell its size */

static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

/* State for the signal handler, which has no argument for it: the pid of the running pager, and a
 * descriptor of /dev/null or -1. */
static volatile pid_t running;
static volatile int nowhere = -1;

static void wait_for(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Signal handler: closes the pipe to the pager, waits until the user leaves the pager, and then
 * lets the signal end the process. */
static void end_after_pager(int sig)
{
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		/* point the descriptor at /dev/null: other threads may still write, and a file
		 * opened later could get a closed descriptor's number */
		if (nowhere < 0 || dup2(nowhere, fd) < 0)
			close(fd);
	}
	wait_for(running);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Sets the handler of signals that end the command. Ignored signals stay ignored (nohup). */
static void on_deadly(void (*handler)(int))
{
	struct sigaction old, sa = { .sa_handler = handler };

	for (size_t i = 0; i < ARRAY_SIZE(deadly); i++)
		if (!sigaction(deadly[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(deadly[i], &sa, NULL);
}

/* True if the terminal can neither move the cursor nor show colours. */
static bool terminal_is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !strcmp(term, "dumb");
}

static const char *wanted_pager(void)
{
	const char *s = getenv("PERF_PAGER");

	if (!s)
		s = getenv("PAGER");
	if (!s)
		return terminal_is_dumb() ? NULL : "less";
	return *s && strcmp(s, "cat") ? s : NULL;
}

/*
 * Returns the environment with variables that make less and lv show colours. setenv() is not used,
 * because other threads may be running.
 */
static char **pager_environment(void)
{
	static char less[] = "LESS=FRSX", lv[] = "LV=-c";
	size_t nr = 0, i = 0;
	char **env;

	while (environ[nr])
		nr++;
	env = xcalloc(nr + 3, sizeof(*env));
	for (; i < nr; i++)
		env[i] = environ[i];
	if (!getenv("LESS"))
		env[i++] = less;
	if (!getenv("LV"))
		env[i++] = lv;
	return env;
}

/* Starts a pager that reads from fd. Returns its pid, 0 if it could not be started. */
static pid_t spawn(const char *pager, int fd)
{
	/* anything but one plain word is passed to the shell */
	bool plain = pager[strspn(pager, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					 "0123456789_./-+")] == '\0';
	char *word = xstrdup(pager), **env = pager_environment();
	char sh[] = "sh", c[] = "-c";
	char *argv[] = { plain ? word : sh, plain ? NULL : c, word, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t set;
	pid_t pid = 0;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, fd, STDIN_FILENO);
	posix_spawnattr_init(&attr);
	sigemptyset(&set);
	posix_spawnattr_setsigmask(&attr, &set);
	sigaddset(&set, SIGPIPE);
	posix_spawnattr_setsigdefault(&attr, &set);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	if (posix_spawnp(&pid, argv[0], &files, &attr, argv, env))
		pid = 0;
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	free(env);
	free(word);
	return pid;
}

void pager_start(struct pager *p)
{
	const char *pager;
	int fds[2];

	if (p->tried || p->off)
		return;
	p->tried = true;
	pager = wanted_pager();
	if (!pager || !isatty(STDOUT_FILENO) || pipe2(fds, O_CLOEXEC))
		return;
	p->pid = spawn(pager, fds[0]);
	close(fds[0]);
	if (p->pid) {
		p->saved_out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		p->saved_err = isatty(STDERR_FILENO)
				       ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
				       : -1;
		nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
		running = p->pid;
		on_deadly(end_after_pager);
		if (p->on_leave) /* EPIPE is what says that the pager was left */
			signal(SIGPIPE, SIG_IGN);
		(void)dup2(fds[1], STDOUT_FILENO);
		if (p->saved_err >= 0)
			(void)dup2(fds[1], STDERR_FILENO);
	}
	close(fds[1]);
}

static void put_back(int saved, int fd)
{
	if (saved < 0)
		return;
	(void)dup2(saved, fd);
	close(saved);
}

void pager_end(struct pager *p)
{
	if (!p->pid)
		return;
	(void)fflush(NULL);
	/* all text has been written, so from here on only the pager reacts to Ctrl-C */
	on_deadly(SIG_IGN);
	put_back(p->saved_out, STDOUT_FILENO);
	put_back(p->saved_err, STDERR_FILENO);
	wait_for(p->pid);
	for (size_t i = 0; i < ARRAY_SIZE(deadly); i++)
		signal(deadly[i], SIG_DFL);
	if (nowhere >= 0)
		close(nowhere);
	nowhere = -1;
	running = 0;
	p->pid = 0;
}

void pager_leave(struct pager *p)
{
	if (!p->pid || !p->on_leave)
		return;
	pager_end(p);
	p->on_leave(p->leave_ctx);
	raise(SIGPIPE);
}

bool pager_colors(void)
{
	const char *no = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && (!no || !*no) && !terminal_is_dumb();
}

unsigned int pager_columns(const struct pager *p)
{
	int fd = p->pid ? p->saved_out : STDOUT_FILENO;
	const char *wanted = getenv("COLUMNS");
	struct winsize w;
	long n;

	if (!isatty(fd))
		return 0;
	n = wanted ? strtol(wanted, NULL, 10) : 0;
	if (n > 0 && n <= UINT16_MAX)
		return (unsigned int)n;
	return !ioctl(fd, TIOCGWINSZ, &w) && w.ws_col ? w.ws_col : COLUMNS_UNKNOWN;
}

bool pager_shows_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *s = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(names) && (!s || !*s); i++)
		s = getenv(names[i]);
	return s && (strcasestr(s, "UTF-8") || strcasestr(s, "UTF8"));
}

/* SPDX-License-Identifier: MIT */
#include "record/switch_hook.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

struct switch_hook {
	char *command;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t news; /* a file was queued, a run has ended, or stop */
	/* behind the lock: */
	char **files; /* that wait, oldest first */
	size_t nr, cap;
	bool busy, stop, abandoned;
	struct switch_hook_counts counts;
	struct perr first_failure; /* code 0: none */
	bool failure_told;
};

static void note_failure(struct switch_hook *h, const struct perr *why)
{
	h->counts.failed++;
	if (!h->first_failure.code)
		h->first_failure = *why;
}

/* Starts the command with everything that a thread which blocks all signals must not hand on. */
static int start(const char *command, const char *file, pid_t *ret)
{
	char *argv[] = { (char[]){ "sh" }, (char[]){ "-c" }, (char *)command,
			 (char[]){ "sh" }, (char *)file,     NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none, usual;
	int err;

	sigemptyset(&none);
	sigfillset(&usual);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &usual);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
						POSIX_SPAWN_SETPGROUP);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
	err = posix_spawn(ret, "/bin/sh", &actions, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return err;
}

/* Runs the command for one file. Returns 0, or PERR_IO with what failed. */
static int run(const char *command, const char *file, struct perr *e)
{
	int status, err;
	pid_t pid;

	err = start(command, file, &pid);
	if (err) {
		errno = err;
		return perr_io(e, "--switch-hook: cannot run /bin/sh");
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return perr_io(e, "--switch-hook");
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return perr_set(e, PERR_IO, "--switch-hook: %s for %s: %s %d", command, file,
			WIFEXITED(status) ? "exit status" : "ended by signal",
			WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

static void hook_free(struct switch_hook *h)
{
	for (size_t i = 0; i < h->nr; i++)
		free(h->files[i]);
	free(h->files);
	free(h->command);
	pthread_mutex_destroy(&h->lock);
	pthread_cond_destroy(&h->news);
	free(h);
}

static void *hook_main(void *arg)
{
	struct switch_hook *h = arg;
	bool abandoned;

	pthread_mutex_lock(&h->lock);
	while (!h->abandoned) {
		char *file;
		struct perr why;
		int err;

		if (!h->nr) {
			if (h->stop)
				break;
			pthread_cond_wait(&h->news, &h->lock);
			continue;
		}
		file = h->files[0];
		memmove(h->files, h->files + 1, --h->nr * sizeof(*h->files));
		h->busy = true;
		pthread_mutex_unlock(&h->lock);
		err = run(h->command, file, &why);
		free(file);
		pthread_mutex_lock(&h->lock);
		h->busy = false;
		h->counts.runs++;
		if (err)
			note_failure(h, &why);
		pthread_cond_broadcast(&h->news);
	}
	abandoned = h->abandoned;
	pthread_mutex_unlock(&h->lock);
	if (abandoned)
		hook_free(h);
	return NULL;
}

struct switch_hook *switch_hook_new(const char *command)
{
	struct switch_hook *h = xcalloc(1, sizeof(*h));
	pthread_condattr_t attr;
	sigset_t all, old;
	int err;

	h->command = xstrdup(command);
	pthread_mutex_init(&h->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&h->news, &attr);
	pthread_condattr_destroy(&attr);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&h->thread, NULL, hook_main, h);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!err)
		return h;
	hook_free(h);
	return NULL;
}

void switch_hook_put(struct switch_hook *h, const char *path)
{
	struct perr why;

	pthread_mutex_lock(&h->lock);
	if (h->nr < SWITCH_HOOK_MAX) {
		vec_push(h->files, h->nr, h->cap, xstrdup(path));
		pthread_cond_broadcast(&h->news);
	} else {
		perr_set(&why, PERR_LIMIT,
			 "--switch-hook: no run for %s: %u files wait for the command already",
			 path, SWITCH_HOOK_MAX);
		note_failure(h, &why);
	}
	pthread_mutex_unlock(&h->lock);
}

bool switch_hook_failed(struct switch_hook *h, struct perr *ret)
{
	bool news;

	pthread_mutex_lock(&h->lock);
	news = h->first_failure.code && !h->failure_told;
	if (news) {
		*ret = h->first_failure;
		h->failure_told = true;
	}
	pthread_mutex_unlock(&h->lock);
	return news;
}

void switch_hook_wait(struct switch_hook *h, u64 limit_ms)
{
	struct timespec until;
	int err = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += (long)(limit_ms % 1000) * 1000000;
	until.tv_sec += (time_t)(limit_ms / 1000) + until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&h->lock);
	while ((h->nr || h->busy) && !err)
		err = pthread_cond_timedwait(&h->news, &h->lock, &until);
	pthread_mutex_unlock(&h->lock);
}

struct switch_hook_counts switch_hook_end(struct switch_hook *h)
{
	struct switch_hook_counts counts = { 0 };

	if (!h)
		return counts;
	pthread_mutex_lock(&h->lock);
	h->stop = true;
	counts = h->counts;
	counts.left = h->nr + h->busy;
	/* the thread waits for a run that goes on: it frees h, unless prec ends before */
	h->abandoned = h->busy;
	pthread_cond_broadcast(&h->news);
	if (h->abandoned) {
		pthread_detach(h->thread);
		pthread_mutex_unlock(&h->lock);
		return counts;
	}
	pthread_mutex_unlock(&h->lock);
	pthread_join(h->thread, NULL);
	hook_free(h);
	return counts;
}

/* SPDX-License-Identifier: MIT */
/*
 * Calls that are counted exactly: hit() and other() a known number of times, in threads, children
 * and a child that executes this program again. Any of it that fails is an exit status of 1.
 *
 *	w_probed run      500 hits: 10 by itself, 400 by threads, 50 and 10 by children, 30 after exec
 *	w_probed wait     the same, but it prints "ready" and waits for a line before; the threads that
 *	                  hit 400 times are there before, and the first is told to be TID
 *	w_probed forks N  2 N hits: by N children, and a child of each
 *	w_probed leaf N   N hits
 *	w_probed noise    hits, in threads and children of its own, until it is ended
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR_THREADS 4

static pthread_barrier_t go;
static volatile pid_t first_tid;

__attribute__((noinline)) int hit(int x)
{
	__asm__ volatile("");
	return x + 1;
}

__attribute__((noinline)) int other(int x)
{
	__asm__ volatile("");
	return x + 2;
}

static void hits(int n)
{
	for (int i = 0; i < n; i++)
		hit(i);
	other(n);
}

static void *thread(void *arg)
{
	if (arg)
		first_tid = gettid();
	pthread_barrier_wait(&go);
	pthread_barrier_wait(&go);
	hits(100);
	return NULL;
}

static void *noise(void *arg)
{
	for (;;) {
		hits(100);
		usleep(5000);
	}
	return arg;
}

static int child(int nr_hits, const char *path)
{
	pid_t pid = fork();
	int status = -1;

	if (!pid) {
		hits(nr_hits);
		if (path)
			execl(path, path, "leaf", "30", (char *)NULL);
		_exit(path != NULL);
	}
	return pid < 0 || waitpid(pid, &status, 0) != pid || status ? 1 : 0;
}

/* Four at a time, so that they run on other CPUs than they were started on. */
static int forks(int n)
{
	int bad = 0, status;

	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid) {
			hit(i);
			pid = fork();
			if (!pid) {
				hit(i);
				_exit(0);
			}
			_exit(pid < 0 || waitpid(pid, &status, 0) != pid || status);
		}
		bad |= pid < 0;
		while (pid > 0 && (i % 4 == 3 || i == n - 1) && wait(&status) > 0)
			bad |= status;
	}
	return bad != 0;
}

int main(int argc, char **argv)
{
	pthread_t threads[NR_THREADS];
	const char *how = argc > 1 ? argv[1] : "";
	char line[8];
	int bad = 0;

	if (!strcmp(how, "leaf")) {
		hits(argc > 2 ? atoi(argv[2]) : 1);
		return 0;
	}
	if (!strcmp(how, "forks"))
		return forks(argc > 2 ? atoi(argv[2]) : 1);
	if (!strcmp(how, "noise")) {
		if (pthread_create(&threads[0], NULL, noise, NULL))
			return 1;
		for (;;) {
			child(10, NULL);
			usleep(5000);
		}
	}
	pthread_barrier_init(&go, NULL, NR_THREADS + 1);
	for (int i = 0; i < NR_THREADS; i++)
		if (pthread_create(&threads[i], NULL, thread, i ? NULL : &go)) {
			perror("pthread_create");
			return 1;
		}
	pthread_barrier_wait(&go);
	if (!strcmp(how, "wait")) {
		printf("ready %d\n", (int)first_tid);
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return 1;
	}
	hits(10);
	pthread_barrier_wait(&go);
	bad |= child(50, NULL);
	bad |= child(10, argv[0]);
	for (int i = 0; i < NR_THREADS; i++)
		bad |= pthread_join(threads[i], NULL);
	return bad;
}

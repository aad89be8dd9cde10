/* SPDX-License-Identifier: MIT */
/*
 * Processes that live for about a millisecond, for measuring whether a recorder sees all of them.
 *
 *	w_short KIND COUNT SECONDS
 *
 * KIND is fork (each child works a little and ends), exec (each child executes this program anew), chain (each child executes
 * it three times in a row) or threads (one process, each a thread). COUNT children are spread over SECONDS as evenly as the
 * machine allows; four live at a time. Prints how many there were and how long it took.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ALIVE 4

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static __attribute__((noinline)) void work(void)
{
	volatile unsigned long sink = 0;

	for (unsigned long i = 0; i < 100000; i++)
		sink += i ^ sink;
}

static void *thread_work(void *arg)
{
	work();
	return arg;
}

static void wait_until(double when)
{
	double left = when - now();
	struct timespec ts;

	if (left <= 0)
		return;
	ts.tv_sec = (time_t)left;
	ts.tv_nsec = (long)((left - (double)ts.tv_sec) * 1e9);
	nanosleep(&ts, NULL);
}

static void start_process(const char *kind, char *self)
{
	pid_t pid = fork();

	if (pid < 0) {
		perror("w_short: fork");
		exit(1);
	}
	if (pid)
		return;
	work();
	if (!strcmp(kind, "exec"))
		execl(self, "w_short", "work", "0", (char *)NULL);
	else if (!strcmp(kind, "chain"))
		execl(self, "w_short", "work", "2", (char *)NULL);
	_exit(strcmp(kind, "fork") ? 127 : 0);
}

int main(int argc, char **argv)
{
	char self[] = "/proc/self/exe";
	long count, alive = 0;
	pthread_t thread;
	double start, length;

	if (argc == 3 && !strcmp(argv[1], "work")) {
		char left[2] = { argv[2][0], 0 };

		work();
		if (left[0]-- > '0')
			execl(self, "w_short", "work", left, (char *)NULL);
		return 0;
	}
	if (argc != 4) {
		fprintf(stderr, "usage: w_short fork|exec|chain|threads COUNT SECONDS\n");
		return 129;
	}
	count = strtol(argv[2], NULL, 10);
	length = strtod(argv[3], NULL);
	start = now();
	for (long i = 0; i < count; i++) {
		wait_until(start + length * (double)i / (double)count);
		if (!strcmp(argv[1], "threads")) {
			if (pthread_create(&thread, NULL, thread_work, NULL) || pthread_join(thread, NULL))
				return 1;
			continue;
		}
		start_process(argv[1], self);
		if (++alive == ALIVE && wait(NULL) > 0)
			alive--;
	}
	while (wait(NULL) > 0)
		;
	printf("%ld started in %.2f s\n", count, now() - start);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Threads that spin at the end of a call chain, for measuring recorders.
 *
 *	w_busy THREADS DEPTH SECONDS [FRAME]
 *
 * FRAME is small (about 100 bytes, the default) or large (40 KB: more than a copy of 8 KiB holds). With SECONDS 0 the threads end
 * after a few milliseconds of work each. Prints how many rounds of work were done.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SMALL 64
#define LARGE 40000
#define MAX_THREADS 4096

static int depth = 30;
static double seconds = 5;
static int large;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static __attribute__((noinline)) unsigned long spin(void)
{
	double end = now() + seconds;
	unsigned long rounds = 0;
	volatile unsigned long sink = 0;

	do {
		for (unsigned long i = 0; i < 100000; i++)
			sink += i ^ sink;
		rounds++;
	} while (seconds > 0 ? now() < end : rounds < 20);
	return rounds;
}

static __attribute__((noinline)) unsigned long deep_small(int n)
{
	volatile char pad[SMALL];
	unsigned long rounds;

	pad[0] = (char)n;
	rounds = n > 1 ? deep_small(n - 1) : spin();
	return rounds + (pad[0] != (char)n);
}

static __attribute__((noinline)) unsigned long deep_large(int n)
{
	volatile char pad[LARGE];
	unsigned long rounds;

	pad[0] = pad[LARGE / 2] = (char)n;
	rounds = n > 1 ? deep_large(n - 1) : spin();
	return rounds + (pad[0] != (char)n);
}

static void *worker(void *arg)
{
	unsigned long *rounds = arg;

	*rounds = large ? deep_large(depth) : deep_small(depth);
	return NULL;
}

int main(int argc, char **argv)
{
	static pthread_t thread[MAX_THREADS];
	static unsigned long rounds[MAX_THREADS];
	int nr = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 2;
	unsigned long sum = 0;

	if (argc > 2)
		depth = (int)strtol(argv[2], NULL, 10);
	if (argc > 3)
		seconds = strtod(argv[3], NULL);
	large = argc > 4 && !strcmp(argv[4], "large");
	if (nr < 1 || nr > MAX_THREADS || depth < 1) {
		fprintf(stderr, "usage: w_busy THREADS DEPTH SECONDS [small|large]\n");
		return 129;
	}
	for (int i = 0; i < nr; i++)
		if (pthread_create(&thread[i], NULL, worker, &rounds[i])) {
			fprintf(stderr, "w_busy: only %d threads\n", i);
			return 1;
		}
	for (int i = 0; i < nr; i++) {
		pthread_join(thread[i], NULL);
		sum += rounds[i];
	}
	printf("%lu rounds\n", sum);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Threads that rename themselves and each other while they burn time. Usage: w_threads [MILLISECONDS|xMILLISECONDS]
 * (with x the time is a guess, and no clock is asked).
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static unsigned long ms = 60;
static int counting;

static __attribute__((noinline)) void burn(unsigned long us)
{
	struct timespec a, b;

	if (counting) {
		for (unsigned long i = 0; i < us * 400; i++)
			sink += i ^ sink;
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &a);
	do {
		for (int i = 0; i < 2000; i++)
			sink += i ^ sink;
		clock_gettime(CLOCK_MONOTONIC, &b);
	} while ((b.tv_sec - a.tv_sec) * 1000000 + (b.tv_nsec - a.tv_nsec) / 1000 < (long)us);
}

static __attribute__((noinline)) void before_rename(void) { burn(ms * 120); }
static __attribute__((noinline)) void after_rename(void) { burn(ms * 120); }

static void *worker(void *arg)
{
	char name[16];

	before_rename();
	snprintf(name, sizeof(name), "w %d :x", (int)(long)arg);
	prctl(PR_SET_NAME, name, 0, 0, 0);
	after_rename();
	return NULL;
}

static void *silent(void *arg)
{
	(void)arg;
	burn(ms * 100);
	usleep(1000);
	burn(ms * 100);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[4];

	if (argc > 1)
		ms = strtoul(argv[1] + (counting = *argv[1] == 'x'), NULL, 10);
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	pthread_create(&t[3], NULL, silent, NULL);
	pthread_setname_np(t[3], "renamed by main");
	burn(ms * 100);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	prctl(PR_SET_NAME, "", 0, 0, 0);
	burn(ms * 50);
	prctl(PR_SET_NAME, "last-one", 0, 0, 0);
	burn(ms * 50);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Threads that wait for locks of the kernel: they map memory of one address space, and share a
 * pipe. */
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define NR_THREADS 8
#define SECONDS 0.3

static int ends[2];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *work(void *writes)
{
	double end = now() + SECONDS;
	char byte = 0;

	while (now() < end) {
		volatile char *m = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (m == MAP_FAILED)
			break;
		*m = 1;
		munmap((void *)m, 1 << 16);
		if (writes && (write(ends[1], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1))
			break;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[NR_THREADS];

	if (pipe(ends))
		return 1;
	for (int i = 0; i < NR_THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, i % 2 ? &ends : NULL))
			return 1;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

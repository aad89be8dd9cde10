/* SPDX-License-Identifier: MIT */
/* The smallest useful program: three functions deep, one of them recursive. Usage: w_simple [MILLISECONDS|xROUNDS]. */
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

__attribute__((noinline)) void leaf(int n)
{
	for (int i = 0; i < n; i++)
		sink += i ^ sink;
}

__attribute__((noinline)) void middle(int depth)
{
	leaf(3000);
	if (depth > 0)
		middle(depth - 1);
	leaf(10);
}

__attribute__((noinline)) void other(void) { leaf(6000); sink++; }

int main(int argc, char **argv)
{
	const char *arg = argc > 1 ? argv[1] : "60";
	struct timespec a, b;

	/* Counting instead of timing keeps the vdso, which differs from machine to machine, out of a recording. */
	if (*arg == 'x') {
		for (long n = strtol(arg + 1, NULL, 10); n > 0; n--) {
			middle(5);
			other();
		}
		return 0;
	}
	clock_gettime(CLOCK_MONOTONIC, &a);
	do {
		middle(5);
		other();
		clock_gettime(CLOCK_MONOTONIC, &b);
	} while ((b.tv_sec - a.tv_sec) * 1e3 + (b.tv_nsec - a.tv_nsec) / 1e6 < strtod(arg, NULL));
	return 0;
}

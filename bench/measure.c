/* SPDX-License-Identifier: MIT */
/*
 * Runs a command and writes "wall-seconds cpu-seconds peak-RSS-KiB" to a file; its output is thrown
 * away. Of RUNS runs the one with the shortest wall time counts.
 *
 *	measure RUNS FILE COMMAND [ARGUMENT...]
 *
 * The status is the command's. The processor time includes children that the command waited for;
 * the peak is that of the largest of them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/option.h"

struct run {
	double wall, cpu;
	long peak_kib;
	int status;
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double seconds(struct timeval tv)
{
	return (double)tv.tv_sec + (double)tv.tv_usec / 1e6;
}

static _Noreturn void become(char **command)
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	execvp(command[0], command);
	fprintf(stderr, "measure: %s: %s\n", command[0], strerror(errno));
	_exit(127);
}

static struct run run_once(char **command)
{
	struct run r = { .status = 1 };
	struct rusage ru;
	double start = now();
	int status;
	pid_t pid = fork();

	if (pid == 0)
		become(command);
	if (pid < 0 || wait4(pid, &status, 0, &ru) != pid) {
		perror("measure");
		return r;
	}
	r.wall = now() - start;
	r.cpu = seconds(ru.ru_utime) + seconds(ru.ru_stime);
	r.peak_kib = ru.ru_maxrss;
	r.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return r;
}

int main(int argc, char **argv)
{
	struct run best = { 0 };
	u64 nr_runs;
	FILE *f;

	if (argc < 4 || parse_u64(argv[1], 10, 1, 1000, &nr_runs) < 0) {
		fputs("usage: measure RUNS FILE COMMAND [ARGUMENT...]\n", stderr);
		return OPT_STATUS_USAGE;
	}
	for (u64 i = 0; i < nr_runs; i++) {
		struct run r = run_once(argv + 3);

		if (r.status)
			return r.status;
		if (!i || r.wall < best.wall)
			best = r;
	}
	f = fopen(argv[2], "we");
	if (!f) {
		perror(argv[2]);
		return 1;
	}
	fprintf(f, "%.4f %.4f %ld\n", best.wall, best.cpu, best.peak_kib);
	return fclose(f) ? 1 : 0;
}

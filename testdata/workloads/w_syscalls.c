/* SPDX-License-Identifier: MIT */
/* System calls, sleeps, page faults and growing memory: material for tracepoints. Usage: w_syscalls [ROUNDS]. */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void on_usr1(int sig) { (void)sig; }

__attribute__((noinline)) static void touch(size_t len)
{
	unsigned char *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return;
	for (size_t i = 0; i < len; i += 4096)
		p[i] = 1;
	p = mremap(p, len, len * 2, MREMAP_MAYMOVE);
	if (p != MAP_FAILED)
		munmap(p, len * 2);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? (int)strtoul(argv[1], NULL, 10) : 20;
	char buf[256] = "quoted \"text\"\n and \\ bytes";
	struct timespec ts = {0, 100000};
	int p[2];

	signal(SIGUSR1, on_usr1);
	if (pipe(p))
		return 1;
	for (int i = 0; i < rounds; i++) {
		struct pollfd pfd = {p[0], POLLIN, 0};
		struct stat st;
		int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

		if (write(fd, buf, sizeof(buf)) < 0 || write(p[1], buf, 64) < 0)
			return 1;
		poll(&pfd, 1, 1);
		if (read(p[0], buf, 64) < 0)
			return 1;
		if (stat("/no/such/file", &st) == 0)
			return 1;
		nanosleep(&ts, NULL);
		touch(65536);
		kill(getpid(), SIGUSR1);
		sched_yield();
		close(fd);
		if (i % 8 == 0) {
			pid_t pid = fork();

			if (pid == 0)
				_exit(i);
			waitpid(pid, NULL, 0);
		}
	}
	return 0;
}

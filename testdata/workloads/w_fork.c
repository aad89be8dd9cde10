/* SPDX-License-Identifier: MIT */
/*
 * Processes: a child that renames itself, one that executes another program, one that executes a script, a grandchild
 * that outlives its parent; libraries opened and closed so that one address range changes hands.
 * Usage: w_fork [LIB_A LIB_B [PROGRAM [ARG]...]].
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;

static __attribute__((noinline)) void burn(unsigned long n)
{
	for (unsigned long i = 0; i < n * 100000; i++)
		sink += i ^ sink;
}

static __attribute__((noinline)) void use_library(const char *path)
{
	void *so = dlopen(path, RTLD_NOW);
	int (*work)(int) = NULL;

	if (!so)
		return;
	*(void **)&work = dlsym(so, "lib_work");
	if (work)
		work(5);
	dlclose(so);
}

static __attribute__((noinline)) void in_child(void) { burn(40); }

int main(int argc, char **argv)
{
	pid_t pid;

	burn(20);
	if (fork() == 0) {
		in_child();
		prctl(PR_SET_NAME, "child (renamed)", 0, 0, 0);
		in_child();
		if (fork() == 0) {
			burn(60);
			_exit(3);
		}
		_exit(0);
	}
	for (int i = 1; i < 3 && i < argc; i++)
		use_library(argv[i]);
	pid = fork();
	if (pid == 0) {
		for (int i = 1; i < 3 && i < argc; i++)
			use_library(argv[i]);
		if (argc > 3)
			execv(argv[3], argv + 3);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	if (fork() == 0) {
		execl("/bin/sh", "sh", "-c", "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done", (char *)NULL);
		_exit(1);
	}
	for (int i = 1; i < 3 && i < argc; i++)
		use_library(argv[argc > 2 ? 3 - i : i]);
	while (wait(NULL) > 0)
		;
	burn(20);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Runs N programs that no one has run before, one after the other: copies of itself, each with a
 * build-id of its own, which are deleted when they have run.
 *
 *	run_programs FOLDER FIRST N [MICROSECONDS]	of CPU time of each; default 500
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/elf/build_id_file.h"

static void spin(long microseconds)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec * 1000000 + t.tv_nsec / 1000 < microseconds);
}

static u8 *read_self(size_t *ret_size)
{
	FILE *f = fopen("/proc/self/exe", "re");
	struct stat st;
	u8 *bytes;

	if (!f || fstat(fileno(f), &st))
		exit(2);
	*ret_size = (size_t)st.st_size;
	bytes = xmalloc(*ret_size);
	if (fread(bytes, 1, *ret_size, f) != *ret_size)
		exit(2);
	fclose(f);
	return bytes;
}

/* Returns where the build-id lies in the file, whose bytes these are. */
static u8 *find_id(u8 *bytes, size_t size)
{
	u8 id[20], *at = NULL;
	size_t n = build_id_of_path("/proc/self/exe", id);

	if (n)
		at = memmem(bytes, size, id, n);
	if (!at)
		exit(2);
	return at;
}

static void run_copy(char *path, const u8 *bytes, size_t size, char *microseconds)
{
	char spin_word[] = "--spin", *const argv[] = { path, spin_word, microseconds, NULL };
	FILE *f = fopen(path, "wbe");
	pid_t pid;

	if (!f || fwrite(bytes, 1, size, f) != size || fclose(f) || chmod(path, 0700) ||
	    posix_spawn(&pid, path, NULL, NULL, argv, environ))
		exit(1);
	waitpid(pid, NULL, 0);
	unlink(path);
}

int main(int argc, char **argv)
{
	char usual[] = "500";
	u32 first, nr;
	size_t size;
	u8 *bytes, *id;

	if (argc == 3 && !strcmp(argv[1], "--spin")) {
		spin(strtol(argv[2], NULL, 10));
		return 0;
	}
	if (argc < 4)
		return 2;
	first = (u32)strtoul(argv[2], NULL, 10);
	nr = (u32)strtoul(argv[3], NULL, 10);
	bytes = read_self(&size);
	id = find_id(bytes, size);
	for (u32 i = first; i < first + nr; i++) {
		char *path = xasprintf("%s/program-%u", argv[1], i);

		memcpy(id, &i, sizeof(i));
		run_copy(path, bytes, size, argc > 4 ? argv[4] : usual);
		free(path);
	}
	free(bytes);
	return 0;
}

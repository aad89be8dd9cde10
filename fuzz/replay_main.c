/* SPDX-License-Identifier: MIT */
/*
 * Runs one fuzz target over files instead of over a fuzzer's ideas: each file of the folders that
 * belong to the target is a test case in a process of its own, under a limit of time and memory.
 *
 *	replay/fuzz_NAME			the folders below
 *	replay/fuzz_NAME FILE...		these files
 *
 * Folders: testdata/fuzz/fuzz_NAME (finds, kept), testdata/fuzz/common, and the public recordings
 * ../shared/data/fuzz where they are present.
 */
#include <dirent.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/types.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
/* A target may define it. */
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

/* Far above what any case needs; a hang, or memory out of proportion, is caught by these. */
#define FILE_SECONDS 20
#define FILE_MEMORY ((size_t)2 << 30)

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifndef HAS_ASAN
#define HAS_ASAN 0
#endif

struct tally {
	int nr, nr_failed;
};

/* The file's bytes in a block of exactly their size, so that a read past the end is seen. */
static u8 *read_whole(const char *path, size_t *ret_size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	u8 *bytes = NULL;
	size_t have = 0;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		bytes = malloc(st.st_size ? (size_t)st.st_size : 1);
		while (bytes && have < (size_t)st.st_size) {
			ssize_t n = read(fd, bytes + have, (size_t)st.st_size - have);

			if (n <= 0)
				break;
			have += (size_t)n;
		}
	}
	close(fd);
	*ret_size = have;
	return bytes;
}

static _Noreturn void run_file(const char *path)
{
	size_t size = 0;
	u8 *bytes;

	alarm(FILE_SECONDS);
	if (!HAS_ASAN) {
		struct rlimit rl = { FILE_MEMORY, FILE_MEMORY };

		setrlimit(RLIMIT_AS, &rl);
	}
	bytes = read_whole(path, &size);
	if (!bytes) {
		fprintf(stderr, "# cannot read %s\n", path);
		_exit(1);
	}
	LLVMFuzzerTestOneInput(bytes, size);
	free(bytes);
	exit(0);
}

static void replay_file(const char *path, struct tally *t)
{
	int status = 0;
	pid_t pid;

	t->nr++;
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		perror("fork");
		exit(1);
	}
	if (pid == 0)
		run_file(path);
	if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		printf("ok %d - %s\n", t->nr, path);
		return;
	}
	t->nr_failed++;
	printf("not ok %d - %s\n", t->nr, path);
	if (WIFSIGNALED(status))
		printf("# killed by signal %d (%s)\n", WTERMSIG(status),
		       strsignal(WTERMSIG(status)));
	else
		printf("# exit status %d\n", WEXITSTATUS(status));
}

static int not_hidden(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* Returns the number of files, -1 when there is no such folder. */
static int replay_folder(const char *dir, struct tally *t)
{
	struct dirent **names;
	int nr = scandir(dir, &names, not_hidden, alphasort), nr_files = 0;

	if (nr < 0)
		return -1;
	for (int i = 0; i < nr; i++) {
		char path[4096];
		struct stat st;

		snprintf(path, sizeof(path), "%s/%s", dir, names[i]->d_name);
		free(names[i]);
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		    strcmp(path + strlen(dir) + 1, "README")) {
			replay_file(path, t);
			nr_files++;
		}
	}
	free(names);
	return nr_files;
}

int main(int argc, char **argv)
{
	static const char *const shared[] = { "../shared/data/fuzz", "../shared/data/derived" };
	struct tally t = { 0 };
	char own[4096];

	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	if (argc > 1) {
		for (int i = 1; i < argc; i++)
			replay_file(argv[i], &t);
	} else {
		snprintf(own, sizeof(own), "testdata/fuzz/%s", basename(argv[0]));
		replay_folder(own, &t);
		replay_folder("testdata/fuzz/common", &t);
		for (size_t i = 0; i < ARRAY_SIZE(shared); i++) {
			if (replay_folder(shared[i], &t) <= 0)
				printf("ok %d - %s # SKIP public recordings are not here\n", ++t.nr,
				       shared[i]);
		}
	}
	printf("1..%d\n", t.nr);
	return t.nr_failed != 0;
}

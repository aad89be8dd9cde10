/* SPDX-License-Identifier: MIT */
#include "tests/frame/mutant_runs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/frame/unit.h"

/* Sanitizers take time, and address space without measure. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* What one mutant may use: seconds of CPU time, and memory beyond what its file uses undamaged. */
#define MUTANT_SECONDS (SANITIZED ? 10 : 1)
#define MUTANT_MEMORY ((size_t)64 << 20)
#define MUTANT_WAIT_SECONDS 40 /* on a busy machine, or waiting for what never comes */
#define MAX_FAILURES 5
#define MOST_SECONDS 200
/* A number and no time, so that a busy machine tests as much as an idle one. */
#define MUTANTS_BY_DEFAULT (SANITIZED ? 300 : 600)

/* What the worker is at; shared with the parent. */
struct work_state {
	u64 done, k;
	size_t file;
	size_t memory; /* of a file undamaged */
};

struct run {
	const struct mutant_files *files;
	struct work_state *pr;
	size_t *memory; /* by file: address space that it takes undamaged, 0 when not known */
	const char *only, *keep;
	u64 limit;
	struct timespec end;
};

u64 mutant_env_number(const char *name, u64 otherwise)
{
	const char *s = getenv(name);

	return s && *s ? strtoull(s, NULL, 10) : otherwise;
}

void *mutant_shared_memory(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED);
	return p;
}

static _Noreturn void out_of_memory(size_t size)
{
	fprintf(stderr, "# asked for %zu bytes\n", size);
	abort();
}

static bool time_is_up(const struct run *run)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > run->end.tv_sec ||
	       (now.tv_sec == run->end.tv_sec && now.tv_nsec > run->end.tv_nsec);
}

/* A line of /proc/self/status, in bytes; 0 when it is not to be had. */
static size_t status_bytes(const char *name)
{
	FILE *f = fopen("/proc/self/status", "re");
	size_t len = strlen(name);
	char line[256];
	u64 kb = 0;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, len) && line[len] == ':')
			kb = strtoull(line + len + 1, NULL, 10);
	if (f)
		fclose(f);
	return (size_t)kb << 10;
}

static void limit_memory(size_t more)
{
	struct rlimit rl = { RLIM_INFINITY, RLIM_INFINITY };

	rl.rlim_cur = status_bytes("VmSize") + more;
	if (!SANITIZED)
		setrlimit(RLIMIT_AS, &rl);
}

static void limit_time(void)
{
	const struct itimerval cpu = { .it_value.tv_sec = MUTANT_SECONDS };
	const struct itimerval wall = { .it_value.tv_sec = MUTANT_WAIT_SECONDS };

	setitimer(ITIMER_PROF, &cpu, NULL);
	setitimer(ITIMER_REAL, &wall, NULL);
}

static const char *name_of(const struct run *run, size_t file)
{
	return run->files->name(run->files->ctx, file);
}

static bool is_wanted(const struct run *run, size_t file)
{
	return !run->only || strstr(name_of(run, file), run->only);
}

static void step(const struct run *run)
{
	if (++run->pr->file == run->files->nr) {
		run->pr->file = 0;
		run->pr->k++;
	}
}

/* Mutants from the place in *pr on, until the limit or the time is reached. */
static _Noreturn void work(struct run *run)
{
	struct work_state *pr = run->pr;

	mem_exhausted = out_of_memory;
	signal(SIGALRM, SIG_DFL);
	for (; pr->done < run->limit && !time_is_up(run); step(run)) {
		if (!is_wanted(run, pr->file))
			continue;
		limit_memory(run->memory[pr->file] + MUTANT_MEMORY);
		limit_time();
		run->files->use(run->files->ctx, pr->file, pr->k);
		pr->done++;
	}
	run->files->end(run->files->ctx);
	free(run->memory);
	exit(0);
}

/* A process of its own uses the file undamaged and tells the memory that took. */
static _Noreturn void use_undamaged(struct run *run, size_t file)
{
	size_t before = status_bytes("VmSize"), peak;

	alarm(MUTANT_WAIT_SECONDS);
	run->files->use_undamaged(run->files->ctx, file);
	peak = status_bytes("VmPeak");
	run->pr->memory = peak > before ? peak - before : 0;
	_exit(0);
}

static int wait_for(pid_t pid)
{
	int status;

	CHECK(pid >= 0);
	while (waitpid(pid, &status, 0) < 0)
		CHECK(errno == EINTR);
	return status;
}

static void measure_memory(struct run *run, struct mutant_result *ret)
{
	size_t i;
	pid_t pid;

	for (i = 0; !SANITIZED && i < run->files->nr; i++) {
		if (!is_wanted(run, i))
			continue;
		run->pr->memory = 0;
		pid = fork();
		if (!pid)
			use_undamaged(run, i);
		if (wait_for(pid)) {
			printf("# %s was not survived undamaged\n", name_of(run, i));
			ret->nr_failures++;
		}
		run->memory[i] = run->pr->memory;
	}
}

static void clean_up(const struct run *run)
{
	const struct work_state *pr = run->pr;
	char *path = NULL;
	FILE *f = NULL;

	if (run->keep) {
		path = xasprintf("%s/mutant-%zu-%llu", run->keep, pr->file,
				 (unsigned long long)pr->k);
		f = fopen(path, "we");
	}
	run->files->died(run->files->ctx, pr->file, pr->k, f);
	if (f)
		fclose(f);
	free(path);
}

/* Says what the worker died of and steps over that mutant. */
static void report_failure(struct run *run, int status)
{
	struct work_state *pr = run->pr;

	printf("# mutant %llu of %s, %s: ", (unsigned long long)pr->k, name_of(run, pr->file),
	       *run->files->stage);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
		printf("not done after %d s of CPU time\n", MUTANT_SECONDS);
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		printf("not done after %d s\n", MUTANT_WAIT_SECONDS);
	else if (WIFSIGNALED(status))
		printf("%s\n", strsignal(WTERMSIG(status)));
	else
		printf("exit status %d\n", WEXITSTATUS(status));
	clean_up(run);
	pr->done++;
	step(run);
}

/* How many were not survived. */
static int run_all(struct run *run)
{
	int nr_failures = 0, status;
	pid_t pid;

	while (nr_failures < MAX_FAILURES) {
		fflush(NULL);
		pid = fork();
		if (!pid)
			work(run);
		status = wait_for(pid);
		if (WIFEXITED(status) && !WEXITSTATUS(status))
			break;
		report_failure(run, status);
		nr_failures++;
	}
	return nr_failures;
}

struct mutant_result mutant_runs(const struct mutant_files *files)
{
	u64 seconds = mutant_env_number("MUTANTS_SECONDS", 0);
	struct run run = {
		.files = files,
		.only = getenv("MUTANTS_FILE"),
		.keep = getenv("MUTANTS_KEEP"),
		.limit = mutant_env_number("MUTANTS", seconds ? UINT64_MAX : MUTANTS_BY_DEFAULT),
		.memory = xcalloc(files->nr + 1, sizeof(*run.memory)),
		.pr = mutant_shared_memory(sizeof(*run.pr)),
	};
	struct mutant_result ret = { 0 };
	size_t i;

	clock_gettime(CLOCK_MONOTONIC, &run.end);
	run.end.tv_sec += (time_t)(seconds && seconds < MOST_SECONDS ? seconds : MOST_SECONDS);
	run.pr->k = mutant_env_number("MUTANTS_FROM", 0);
	measure_memory(&run, &ret);
	for (i = 0; i < files->nr && !is_wanted(&run, i); i++)
		;
	if (i < files->nr && !ret.nr_failures)
		ret.nr_failures = run_all(&run);
	ret.done = run.pr->done;
	ret.k = run.pr->k;
	munmap(run.pr, sizeof(*run.pr));
	free(run.memory);
	return ret;
}

void mutant_check(const struct mutant_result *r)
{
	if (r->nr_failures)
		unit_fail(__FILE__, __LINE__, "%d of %llu mutants were not survived",
			  r->nr_failures, (unsigned long long)r->done);
	if (!r->done)
		unit_skip("no file is called so");
}

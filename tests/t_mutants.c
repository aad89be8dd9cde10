/* SPDX-License-Identifier: MIT */
/*
 * Damaged copies of whole files, and with each all that the commands do with a file (use_all.h), in
 * process: no crash, no hang, no memory out of proportion. Mutant k of a file is always the same.
 * The files are the recordings in testdata, the public ones where they are present, and some that
 * are built here. Environment:
 *	MUTANTS=N		this many instead of as many as MUTANTS_SECONDS allow
 *	MUTANTS_SECONDS=N	time to spend, 5 by default, 50 at most
 *	MUTANTS_FROM=K		first k of each file, 0 by default
 *	MUTANTS_FILE=TEXT	only files whose paths hold TEXT
 *	MUTANTS_DIR=DIR		the files of this folder instead of the public recordings
 *	MUTANTS_BYTES=N		records are cut to their first N bytes, 16384 by default
 *	MUTANTS_KEEP=DIR	where to put the mutants that failed
 */
#include "tests/unit.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "tests/build_file.h"
#include "tests/use_all.h"

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
#define MUTANT_WAIT_SECONDS 20 /* on a busy machine, or waiting for what never comes */
#define MAX_FILE_SIZE (4 << 20)
#define MAX_TAIL_SIZE (128 << 10)
#define MAX_FAILURES 5

struct seed {
	char *name;
	u8 *p;
	size_t n;
	/* offsets of what is worth damaging: record headers, and the header with its attrs */
	u32 *recs;
	size_t nr_recs, cap_recs;
	size_t head;
	size_t memory; /* address space that it takes undamaged, 0 when not known */
};

struct seeds {
	struct seed *items;
	size_t nr, cap;
};

/* What the worker is at; shared with the parent. */
struct work_state {
	u64 done;
	struct use_all use;
	u64 k;
	size_t seed;
	size_t memory; /* of a file undamaged */
};

/* --- seeds ------------------------------------------------------------------------------------ */

static void add_seed(struct seeds *s, const char *name, const void *p, size_t n)
{
	struct seed x = { .name = xstrdup(name), .p = xmalloc(n), .n = n };
	struct perfdata *pd;
	struct pd_record r;
	struct perr e;

	memcpy(x.p, p, n);
	if (!pd_open_mem(span_of(x.p, n), name, NULL, &pd, &e)) {
		x.head = pd->data_off < n ? (size_t)pd->data_off : n;
		while (pd_next(pd, &r, &e) == 1)
			if (!r.compressed)
				vec_push(x.recs, x.nr_recs, x.cap_recs, (u32)r.off);
		pd_close(pd);
	}
	vec_push(s->items, s->nr, s->cap, x);
}

static u64 env_number(const char *name, u64 otherwise)
{
	const char *s = getenv(name);

	return s && *s ? strtoull(s, NULL, 10) : otherwise;
}

static void move_u64(u8 *p, bool swap, u64 by)
{
	u64 v = get_u64(p, swap) - by;

	if (swap)
		v = __builtin_bswap64(v);
	memcpy(p, &v, sizeof(v));
}

/* Takes records out of the middle, so that the feature sections behind them stay; new size. */
static size_t cut_regular(struct perfdata *pd, u8 *p, size_t n, size_t limit)
{
	u64 end = pd->data_off + pd->data_size, keep = 0, by, i, nr = 0;
	size_t tail;
	struct pd_record r;
	struct perr e;

	while (pd_next(pd, &r, &e) == 1 && r.off - pd->data_off <= limit)
		keep = r.off - pd->data_off;
	if (pd->data_off + keep >= end || end > n || pd->data_size <= keep)
		return n;
	by = pd->data_size - keep;
	for (i = 0; i < 256; i++)
		nr += pd->features[i / 64] >> (i % 64) & 1;
	for (i = 0; i < nr && end + 16 * i + 16 <= n; i++)
		if (get_u64(p + end + 16 * i, pd->swap) >= end)
			move_u64(p + end + 16 * i, pd->swap, by);
	move_u64(p + 48, pd->swap, by);
	tail = n - end < MAX_TAIL_SIZE ? n - end : MAX_TAIL_SIZE;
	memmove(p + end - by, p + end, tail);
	return end - by + tail;
}

static size_t cut_records(u8 *p, size_t n)
{
	size_t limit = env_number("MUTANTS_BYTES", 16 << 10), head = 2 * limit;
	struct perfdata *pd;
	struct perr e;

	if (n <= limit || pd_open_mem(span_of(p, n), "seed", NULL, &pd, &e))
		return n < head ? n : head;
	if (pd->kind == PD_PIPE)
		n = n < head ? n : head;
	else
		n = cut_regular(pd, p, n, limit);
	pd_close(pd);
	return n;
}

static void add_file(struct seeds *s, const char *path)
{
	FILE *f = fopen(path, "re");
	u8 *buf;
	size_t n;

	if (!f)
		return;
	buf = xmalloc(MAX_FILE_SIZE);
	n = fread(buf, 1, MAX_FILE_SIZE, f);
	fclose(f);
	n = cut_records(buf, n);
	if (n)
		add_seed(s, path, buf, n);
	free(buf);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_testdata(struct seeds *s)
{
	struct dirent **names = NULL;
	int nr = scandir("testdata", &names, NULL, by_name), i;

	for (i = 0; i < nr; i++) {
		char *path = xasprintf("testdata/%s/perf.data", names[i]->d_name);
		struct stat st;

		if (names[i]->d_name[0] != '.' && !stat(path, &st) && S_ISREG(st.st_mode))
			add_file(s, path);
		free(path);
		free(names[i]);
	}
	free(names);
}

/* The regular files of a folder. */
static void add_folder(struct seeds *s, const char *dir)
{
	struct dirent **names = NULL;
	int nr = scandir(dir, &names, NULL, by_name), i;

	for (i = 0; i < nr; i++) {
		char *path = xasprintf("%s/%s", dir, names[i]->d_name);
		struct stat st;

		if (!stat(path, &st) && S_ISREG(st.st_mode))
			add_file(s, path);
		free(path);
		free(names[i]);
	}
	free(names);
}

static void add_public(struct seeds *s)
{
	if (getenv("MUTANTS_DIR")) {
		add_folder(s, getenv("MUTANTS_DIR"));
		return;
	}
	add_folder(s, "../shared/data/perfdata");
	add_folder(s, "../shared/data/derived");
	add_folder(s, "../shared/data/fuzz");
}

static const u64 seed_ids[] = { 101, 102 };

/* Every sample field and side-band record there is, in one small file. */
static void add_built(struct seeds *s, const char *name, enum build_kind kind, bool big)
{
	static const u64 words[16] = { PD_CONTEXT_KERNEL,
				       0xffffffff81000010,
				       PD_CONTEXT_USER,
				       0x401000,
				       5,
				       6,
				       7,
				       8,
				       9,
				       10,
				       11,
				       12,
				       13,
				       14,
				       15,
				       16 };
	struct bytes b = bytes_new(big);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	struct sample_parts p = {
		.id = 101,
		.pid = 7,
		.tid = 8,
		.ip = 0x401000,
		.time = 1000,
		.period = 3,
		.misc = PD_CPUMODE_USER,
		.read = words + 4,
		.nr_read = 2,
		.ips = words,
		.nr_ips = 4,
		.raw = "raw bytes 12",
		.raw_size = 12,
		.branches = words + 4,
		.nr_branches = 2,
		.branch_counters = words + 10,
		.user_abi = 2,
		.intr_abi = 2,
		.user_regs = words + 4,
		.intr_regs = words + 5,
		.stack = words,
		.stack_size = sizeof(words),
		.stack_dyn_size = 64,
		.aux = words,
		.aux_size = 16,
	};
	u32 i;

	a.size = 144;
	a.sample_type = (((u64)PD_SAMPLE_WEIGHT_STRUCT << 1) - 1) & ~PD_SAMPLE_WEIGHT;
	a.branch_sample_type = PD_BRANCH_HW_INDEX | PD_BRANCH_COUNTERS;
	a.sample_regs_user = 0xff;
	a.sample_regs_intr = 0x1f;
	file_begin(&f, kind);
	file_add_event(&f, &a, seed_ids, 2);
	if (kind == BUILD_PIPE)
		file_event_desc(&f, (const char *const[]){ "cycles" });
	file_begin_data(&f);
	for (i = 0; i < 6; i++) {
		p.time += 10;
		p.id = seed_ids[i & 1];
		put_comm(&b, 7, 8, "prog", &a, &p);
		put_mmap2(&b, 7, 0x400000, 0x2000, 0, "/bin/prog", &a, &p);
		put_mmap(&b, 7, 0x7f0000000000 + i * 0x1000, 0x3000, 0, "//anon", &a, &p);
		put_sample(&b, &a, &p);
		put_task(&b, PD_RECORD_FORK, 9, 7, 9, 8, p.time, &a, &p);
		put_task(&b, PD_RECORD_EXIT, 9, 7, 9, 8, p.time, &a, &p);
		record_begin(&b, PD_RECORD_KSYMBOL, 0);
		put_u64(&b, 0xffffffffc0000000);
		put_u64(&b, 0x10000010);
		put_text(&b, "bpf_prog_a", 8);
		put_trailer(&b, &a, &p);
		record_end(&b);
		record_begin(&b, PD_RECORD_CGROUP, 0);
		put_u64(&b, i);
		put_text(&b, "/slice", 8);
		put_trailer(&b, &a, &p);
		record_end(&b);
		record_begin(&b, PD_RECORD_CALLCHAIN_DEFERRED, PD_CPUMODE_USER);
		put_u64(&b, 5);
		put_u64(&b, 2);
		put_u64(&b, 0x401000);
		put_u64(&b, 0x401100);
		put_trailer(&b, &a, &p);
		record_end(&b);
		put_round(&b);
	}
	if (kind == BUILD_REGULAR) {
		put_string(file_feature(&f, 3), "host");
		file_event_desc(&f, (const char *const[]){ "cycles" });
	}
	file_end(&f);
	add_seed(s, name, b.p, b.n);
	bytes_free(&b);
}

static void collect_seeds(struct seeds *s)
{
	add_built(s, "built:regular", BUILD_REGULAR, false);
	add_built(s, "built:pipe", BUILD_PIPE, false);
	add_built(s, "built:regular-big-endian", BUILD_REGULAR, true);
	add_built(s, "built:pipe-big-endian", BUILD_PIPE, true);
	add_testdata(s);
	add_public(s);
}

static void free_seeds(struct seeds *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++) {
		free(s->items[i].name);
		free(s->items[i].p);
		free(s->items[i].recs);
	}
	free(s->items);
}

/* --- mutation --------------------------------------------------------------------------------- */

struct dice {
	u64 state;
};

static u64 roll(struct dice *d, u64 below)
{
	d->state += 0x9e3779b97f4a7c15ull;
	return below ? hash_u64(d->state) % below : 0;
}

/* Where to damage: anywhere, in the header and attrs, or in the first bytes of some record. */
static size_t pick_place(const struct seed *s, struct dice *d, size_t n)
{
	size_t at;

	switch (roll(d, 4)) {
	case 0: at = roll(d, s->head ? s->head : n); break;
	case 1:
	case 2:
		if (!s->nr_recs)
			return roll(d, n);
		at = s->recs[roll(d, s->nr_recs)] + roll(d, 80);
		break;
	default: at = roll(d, n);
	}
	return at < n ? at : n - 1;
}

static void put_number(u8 *p, size_t n, size_t at, struct dice *d)
{
	static const u64 numbers[] = { 0,
				       1,
				       7,
				       8,
				       9,
				       16,
				       63,
				       64,
				       0x7f,
				       0x80,
				       0xff,
				       0x7fff,
				       0x8000,
				       0xffff,
				       1u << 20,
				       0x7fffffff,
				       0x80000000,
				       0xffffffff,
				       1ull << 60,
				       1ull << 61,
				       INT64_MAX,
				       1ull << 63,
				       UINT64_MAX,
				       UINT64_MAX - 7,
				       PD_CONTEXT_USER,
				       PD_CONTEXT_KERNEL };
	u64 v = numbers[roll(d, ARRAY_SIZE(numbers))];
	size_t width = (size_t)1 << roll(d, 4), i;
	bool big = roll(d, 4) == 0;

	at &= ~(width - 1);
	for (i = 0; i < width && at + i < n; i++)
		p[at + (big ? width - 1 - i : i)] = (u8)(v >> (8 * i));
}

/* Mutant k of a seed, in a block of exactly its size. */
static u8 *make_mutant(const struct seed *s, u64 k, size_t *ret_n)
{
	struct dice d = { .state = hash_pair(hash_bytes(s->name, strlen(s->name)), k) };
	size_t n = s->n, at, len, i, changes = 1 + roll(&d, 4);
	u8 *p = xmalloc(n + 8); /* put_number may write a whole number at the end */

	memcpy(p, s->p, n);
	for (i = 0; i < changes && n > 1; i++) {
		at = pick_place(s, &d, n);
		switch (roll(&d, 8)) {
		case 0:
		case 1: p[at] ^= (u8)(1u << roll(&d, 8)); break;
		case 2: p[at] = (u8)roll(&d, 256); break;
		case 3:
		case 4:
		case 5: put_number(p, n, at, &d); break;
		case 6: /* a run of bytes is missing */
			len = 1 + roll(&d, 64);
			if (len < n - at) {
				memmove(p + at, p + at + len, n - at - len);
				n -= len;
			}
			break;
		default: /* the end is missing */
			if (roll(&d, 3) == 0)
				n = at ? at : 1;
			else
				p[at] = 0;
		}
	}
	*ret_n = n;
	return xrealloc(p, n);
}

/* --- what is done with a mutant -------------------------------------------------------------- */

static int open_mutant(void *ctx, struct diag *diag, struct perfdata **ret, struct perr *e)
{
	const struct span *s = ctx;

	return pd_open_mem(*s, "mutant", diag, ret, e);
}

static void run_mutant(const u8 *p, size_t n, u64 turn, struct use_all *u)
{
	struct span s = span_of(p, n);
	int fd = memfd_create("mutant", MFD_CLOEXEC);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	u->open = open_mutant;
	u->ctx = &s;
	u->path = fd >= 0 && write(fd, p, n) == (ssize_t)n ? path : NULL;
	u->turn = turn;
	use_all(u);
	if (fd >= 0)
		close(fd);
}

/* So that all options come to all files, and neighbours among both differ. */
static u64 turn_of(size_t seed, u64 k)
{
	return k + 7 * seed;
}

static _Noreturn void out_of_memory(size_t size)
{
	fprintf(stderr, "# asked for %zu bytes\n", size);
	abort();
}

/* --- the run ---------------------------------------------------------------------------------- */

struct run {
	struct seeds seeds;
	struct work_state *pr;
	const char *only, *keep;
	u64 from, limit;
	struct timespec end;
};

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

/* Mutants from the place in *pr on, until the limit or the time is reached. */
static _Noreturn void work(struct run *run)
{
	struct work_state *pr = run->pr;

	mem_exhausted = out_of_memory;
	signal(SIGALRM, SIG_DFL);
	while (pr->done < run->limit && !time_is_up(run)) {
		const struct seed *s = &run->seeds.items[pr->seed];
		u8 *p;
		size_t n;

		if (!run->only || strstr(s->name, run->only)) {
			p = make_mutant(s, pr->k, &n);
			limit_memory(s->memory + MUTANT_MEMORY);
			limit_time();
			run_mutant(p, n, turn_of(pr->seed, pr->k), &pr->use);
			free(p);
			pr->done++;
		}
		if (++pr->seed == run->seeds.nr) {
			pr->seed = 0;
			pr->k++;
		}
	}
	free_seeds(&run->seeds);
	exit(0);
}

/* A process of its own uses the file undamaged and tells the memory that took. */
static _Noreturn void use_undamaged(struct run *run, const struct seed *s)
{
	size_t before = status_bytes("VmSize"), peak;
	u64 turn;

	alarm(MUTANT_WAIT_SECONDS);
	for (turn = 0; turn < 2; turn++)
		run_mutant(s->p, s->n, turn, &run->pr->use);
	peak = status_bytes("VmPeak");
	run->pr->memory = peak > before ? peak - before : 0;
	_exit(0);
}

static void measure_memory(struct run *run)
{
	int status;
	size_t i;

	for (i = 0; !SANITIZED && i < run->seeds.nr; i++) {
		struct seed *s = &run->seeds.items[i];
		pid_t pid;

		if (run->only && !strstr(s->name, run->only))
			continue;
		run->pr->memory = 0;
		pid = fork();
		CHECK(pid >= 0);
		if (!pid)
			use_undamaged(run, s);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			unit_fail(__FILE__, __LINE__, "%s was not survived", s->name);
		s->memory = run->pr->memory;
	}
	run->pr->use = (struct use_all){ 0 };
}

static void keep_mutant(const struct run *run)
{
	const struct seed *s = &run->seeds.items[run->pr->seed];
	char *path = xasprintf("%s/mutant-%zu-%llu", run->keep, run->pr->seed,
			       (unsigned long long)run->pr->k);
	FILE *f = fopen(path, "we");
	size_t n;
	u8 *p = make_mutant(s, run->pr->k, &n);

	if (f) {
		fwrite(p, 1, n, f);
		fclose(f);
	}
	free(p);
	free(path);
}

/* Says what the worker died of and steps over that mutant. */
static void report_failure(struct run *run, int status)
{
	struct work_state *pr = run->pr;

	printf("# mutant %llu of %s, turn %llu, %s: ", (unsigned long long)pr->k,
	       run->seeds.items[pr->seed].name,
	       (unsigned long long)turn_of(pr->seed, pr->k), pr->use.stage);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
		printf("not done after %d s of CPU time\n", MUTANT_SECONDS);
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		printf("not done after %d s\n", MUTANT_WAIT_SECONDS);
	else if (WIFSIGNALED(status))
		printf("%s\n", strsignal(WTERMSIG(status)));
	else
		printf("exit status %d\n", WEXITSTATUS(status));
	if (run->keep)
		keep_mutant(run);
	pr->done++;
	if (++pr->seed == run->seeds.nr) {
		pr->seed = 0;
		pr->k++;
	}
}

TEST(mutants)
{
	u64 seconds = env_number("MUTANTS_SECONDS", 5);
	struct run run = {
		.only = getenv("MUTANTS_FILE"),
		.keep = getenv("MUTANTS_KEEP"),
		.from = env_number("MUTANTS_FROM", 0),
		.limit = env_number("MUTANTS", UINT64_MAX),
	};
	int nr_failures = 0, status;

	if (seconds > 50)
		seconds = 50;
	clock_gettime(CLOCK_MONOTONIC, &run.end);
	run.end.tv_sec += (time_t)seconds;
	collect_seeds(&run.seeds);
	run.pr = mmap(NULL, sizeof(*run.pr), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	CHECK(run.pr != MAP_FAILED);
	run.pr->k = run.from;
	measure_memory(&run);
	for (;;) {
		pid_t pid;

		fflush(NULL);
		pid = fork();
		CHECK(pid >= 0);
		if (!pid)
			work(&run);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (WIFEXITED(status) && !WEXITSTATUS(status))
			break;
		report_failure(&run, status);
		if (++nr_failures == MAX_FAILURES)
			break;
	}
	printf("# %llu mutants of %zu files, to k = %llu; %llu records, %llu bytes of text\n",
	       (unsigned long long)run.pr->done, run.seeds.nr, (unsigned long long)run.pr->k,
	       (unsigned long long)run.pr->use.nr_records,
	       (unsigned long long)run.pr->use.text_bytes);
	free_seeds(&run.seeds);
	munmap(run.pr, sizeof(*run.pr));
	if (nr_failures)
		unit_fail(__FILE__, __LINE__, "%d mutants were not survived", nr_failures);
}

/* SPDX-License-Identifier: MIT */
/*
 * Damaged recordings of tracepoints through plat: pairs, recipes, states, allocations, perf's
 * texts. No crash, no hang, no memory out of proportion. The files and the environment are those of
 * fileformat/t_mutants.c; what is printed goes nowhere.
 */
#include "tests/frame/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "events/command/plat_run.h"
#include "events/leak/leak_run.h"
#include "events/perf_texts/as_run.h"
#include "events/state/state_run.h"
#include "tests/fileformat/mutant_seeds.h"

#define MAX_WORDS 16

enum analysis_kind { PAIRS, STATES, LEAKS, TEXTS };

/* Command lines, without -i FILE. */
static const struct {
	enum analysis_kind kind;
	const char *words[MAX_WORDS];
} commands[] = {
	{ PAIRS, { "plat", "runq", "--hist", "-g", "--longest", "3" } },
	{ PAIRS, { "plat", "-e", "sched:*,raw_syscalls:*", "--by", "comm,cpu", "--json" } },
	{ PAIRS, { "plat", "-e", "sched:*,syscalls:*,signal:*", "--lines", "-g" } },
	{ PAIRS,
	  { "plat", "-b", "sched:sched_switch/prev_state == 1/", "-e", "sched:sched_switch",
	    "--key", "prev_pid=next_pid", "--by", "end:next_comm", "--heatmap", "--csv", "," } },
	{ PAIRS,
	  { "plat", "-b", "syscalls:sys_enter_write", "-e", "raw_syscalls:sys_exit", "--by",
	    "hex(count),id", "--than", "1us", "--nest" } },
	{ PAIRS,
	  { "plat", "-e", "sched:sched_process_exec", "--by", "filename,sym(pid)", "-I", "1" } },
	{ STATES, { "task-state", "-S" } },
	{ STATES, { "offcpu" } },
	{ STATES, { "oncpu" } },
	{ LEAKS,
	  { "leak", "--alloc", "sched:sched_process_fork", "--free", "sched:sched_process_exec",
	    "--ptr", "child_pid=pid" } },
	{ TEXTS, { "plat", "--as=sched-latency" } },
	{ TEXTS, { "plat", "--as=trace-s" } },
};

struct recordings {
	struct seeds seeds;
	const char **stage; /* shared by all processes */
	bool quiet;
};

static const char *name_of_recording(void *ctx, size_t file)
{
	struct recordings *r = ctx;

	return r->seeds.items[file].name;
}

/* Of this process, which is one of mutant_runs(): sanitizers write to the descriptor. */
static void print_nowhere(struct recordings *r)
{
	FILE *nowhere = r->quiet ? NULL : fopen("/dev/null", "we");

	r->quiet = true;
	if (!nowhere)
		return;
	fflush(stdout);
	stdout = nowhere;
	stderr = nowhere;
}

static int run_pairs(int argc, char **argv)
{
	struct plat_options opt = { 0 };
	struct diag diag;
	int ret;

	diag_init(&diag);
	ret = plat_options_parse(&opt, &diag, argc, argv);
	if (ret < 0) {
		const struct reader_command rc = { .prog = "plat",
						   .output = stdout,
						   .messages = stderr,
						   .pager = &opt.pager,
						   .diag = &diag,
						   .force = opt.symbols.force };

		ret = plat_run(&rc, &opt);
	}
	diag_fini(&diag);
	plat_options_fini(&opt);
	return ret;
}

static void run_command(struct recordings *r, size_t command, const char *path)
{
	char *argv[MAX_WORDS + 3];
	int argc = 0;

	print_nowhere(r);
	*r->stage = commands[command].words[0];
	for (; commands[command].words[argc]; argc++)
		argv[argc] = xstrdup(commands[command].words[argc]);
	argv[argc++] = xstrdup("-i");
	argv[argc++] = xstrdup(path);
	argv[argc] = NULL;
	switch (commands[command].kind) {
	case PAIRS: (void)run_pairs(argc, argv); break;
	case STATES: (void)state_main(argc, argv); break;
	case LEAKS: (void)leak_main(argc, argv); break;
	case TEXTS: (void)as_main(argc, argv); break;
	}
	while (argc)
		free(argv[--argc]);
}

static void run_bytes(struct recordings *r, const u8 *p, size_t n, size_t command)
{
	int fd = memfd_create("mutant", MFD_CLOEXEC);
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd >= 0 && write(fd, p, n) == (ssize_t)n)
		run_command(r, command % ARRAY_SIZE(commands), path);
	close(fd);
}

static void use_mutant(void *ctx, size_t file, u64 k)
{
	struct recordings *r = ctx;
	size_t n;
	u8 *p = mutant_make(&r->seeds.items[file], k, &n);

	run_bytes(r, p, n, (size_t)k + file);
	free(p);
}

static void use_recording(void *ctx, size_t file)
{
	struct recordings *r = ctx;
	const struct seed *s = &r->seeds.items[file];

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		run_bytes(r, s->p, s->n, i);
}

static void keep_mutant(void *ctx, size_t file, u64 k, FILE *to)
{
	struct recordings *r = ctx;
	size_t n;
	u8 *p = mutant_make(&r->seeds.items[file], k, &n);

	if (to)
		fwrite(p, 1, n, to);
	free(p);
}

static void end_recordings(void *ctx)
{
	struct recordings *r = ctx;

	mutant_seeds_free(&r->seeds);
}

static bool has_tracepoints(const struct seed *f)
{
	struct perfdata *pd = NULL;
	bool has = false;

	if (pd_open_mem(span_of(f->p, f->n), f->name, NULL, &pd, NULL))
		return false;
	for (size_t i = 0; i < pd->nr_events; i++)
		has |= pd->events[i]->attr.type == PD_TYPE_TRACEPOINT;
	pd_close(pd);
	return has;
}

static void keep_tracepoints(struct seeds *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->nr; i++) {
		struct seed *f = &s->items[i];

		if (has_tracepoints(f)) {
			s->items[kept++] = *f;
			continue;
		}
		free(f->name);
		free(f->p);
		free(f->recs);
	}
	s->nr = kept;
}

TEST(mutants)
{
	struct recordings r = { .stage = mutant_shared_memory(sizeof(*r.stage)) };
	struct mutant_files files = {
		.name = name_of_recording,
		.use = use_mutant,
		.use_undamaged = use_recording,
		.died = keep_mutant,
		.end = end_recordings,
		.stage = r.stage,
		.ctx = &r,
	};
	struct mutant_result res;

	mutant_seeds_collect(&r.seeds);
	keep_tracepoints(&r.seeds);
	CHECK(r.seeds.nr);
	*r.stage = "beginning";
	files.nr = r.seeds.nr;
	res = mutant_runs(&files);
	printf("# %llu mutants of %zu files, to k = %llu\n", (unsigned long long)res.done, files.nr,
	       (unsigned long long)res.k);
	end_recordings(&r);
	munmap((void *)r.stage, sizeof(*r.stage));
	mutant_check(&res);
}

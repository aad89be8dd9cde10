/* SPDX-License-Identifier: MIT */
/*
 * Makes small recordings of things that few recorders write, for tests/checks/odd_recordings.sh.
 *
 * odd_recording --list prints their names; odd_recording NAME writes one to standard output.
 */
#include <stdio.h>

#include "base/mem.h"
#include "fileformat/feature/feature.h"
#include "tests/frame/build_file.h"

#define KERNEL 0xffffffff81000000ull
#define KERNEL_LEN 0x1000000
#define MODULE 0xffffffffc0100000ull
#define TEXT 0x400000

/* A recording being made: one event, whose records get one time after the other. */
struct maker {
	struct bytes b;
	struct file_builder f;
	struct pd_attr attr;
	u64 time;
};

struct form {
	enum build_kind kind;
	u64 more;     /* sample_type beyond IP, TID, TIME and PERIOD */
	u64 branches; /* branch_sample_type */
	u64 flags;    /* of the attr */
};

static void begin(struct maker *m, struct form form)
{
	*m = (struct maker){ .b = bytes_new(false), .attr = attr_plain(), .time = 1000000000 };
	m->f.b = &m->b;
	m->attr.sample_type =
		PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_PERIOD | form.more;
	m->attr.branch_sample_type = form.branches;
	m->attr.flags |= form.flags;
	file_begin(&m->f, form.kind);
	file_add_event(&m->f, &m->attr, NULL, 0);
}

static void name_event(struct maker *m)
{
	static const char *const names[] = { "cpu-clock" };

	file_event_desc(&m->f, names);
}

static void begin_data(struct maker *m)
{
	name_event(m);
	file_begin_data(&m->f);
}

/* The time, thread and process of the next record. */
static struct sample_parts next(struct maker *m, u32 tid)
{
	m->time += 1000000;
	return (struct sample_parts){ .time = m->time, .pid = tid, .tid = tid };
}

static void comm(struct maker *m, u32 tid, const char *name)
{
	struct sample_parts t = next(m, tid);

	put_comm(&m->b, tid, tid, name, &m->attr, &t);
}

static void sample(struct maker *m, u32 tid, u64 ip)
{
	static const u64 branches[] = { TEXT + 0x10, TEXT + 0x20, 2, TEXT + 0x30, TEXT + 0x40, 1 };
	struct sample_parts s = next(m, tid);
	u64 ips[] = { PD_CONTEXT_USER, ip, TEXT + 0x500 };

	s.misc = ip >> 63 ? PD_CPUMODE_KERNEL : PD_CPUMODE_USER;
	s.ip = ip;
	s.period = 250000;
	s.branches = branches;
	s.nr_branches = 2;
	s.ips = ips;
	s.nr_ips = ARRAY_SIZE(ips);
	put_sample(&m->b, &m->attr, &s);
}

static void map(struct maker *m, u32 tid)
{
	struct sample_parts t = next(m, tid);

	put_mmap(&m->b, tid, TEXT, 0x10000, 0, "/odd/program", &m->attr, &t);
}

static void kernel_map(struct maker *m, u64 start, u64 len, u64 pgoff, const char *name)
{
	struct sample_parts t = next(m, 0);
	size_t rec = m->b.n;

	put_mmap(&m->b, (u32)-1, start, len, pgoff, name, &m->attr, &t);
	m->b.p[rec + 4] = PD_CPUMODE_KERNEL; /* header.misc */
}

/* An entry of the BUILD_ID table. */
static void build_id(struct bytes *b, u16 misc, const char *name)
{
	record_begin(b, 0, misc);
	put_u32(b, (u32)-1);
	for (u8 i = 0; i < 20; i++)
		put_u8(b, i);
	put_u32(b, 0);
	put_text(b, name, 8);
	record_end(b);
}

static void finish(struct maker *m)
{
	file_end(&m->f);
	fwrite(m->b.p, 1, m->b.n, stdout);
	bytes_free(&m->b);
}

/* --- the recordings --------------------------------------------------------------------------- */

/* A thread has samples before its COMM record; another never has one, a third is forked. */
static void late_comm(void)
{
	struct maker m;

	begin(&m, (struct form){ 0 });
	begin_data(&m);
	map(&m, 7);
	sample(&m, 7, TEXT + 0x100);
	sample(&m, 7, TEXT + 0x200);
	sample(&m, 8, TEXT + 0x100);
	comm(&m, 7, "late");
	sample(&m, 7, TEXT + 0x100);
	comm(&m, 7, "later");
	sample(&m, 7, TEXT + 0x100);
	put_task(&m.b, PD_RECORD_FORK, 9, 8, 9, 8, m.time, &m.attr, &(struct sample_parts){ 0 });
	sample(&m, 9, TEXT + 0x200);
	comm(&m, 9, "late");
	sample(&m, 9, TEXT + 0x200);
	finish(&m);
}

/* A thread number is used again: the thread that had it first never gets a name. */
static void late_comm_of_two(void)
{
	struct maker m;

	begin(&m, (struct form){ 0 });
	begin_data(&m);
	sample(&m, 7, TEXT + 0x100);
	put_task(&m.b, PD_RECORD_FORK, 7, 8, 7, 8, m.time, &m.attr, &(struct sample_parts){ 0 });
	comm(&m, 7, "second");
	sample(&m, 7, TEXT + 0x100);
	finish(&m);
}

static void kernel_named(const char *const *names, size_t nr)
{
	struct maker m;
	struct bytes *table;

	begin(&m, (struct form){ 0 });
	table = file_feature(&m.f, PD_FEAT_BUILD_ID);
	for (size_t i = 0; i < nr; i++)
		build_id(table, PD_CPUMODE_KERNEL, names[i]);
	begin_data(&m);
	kernel_map(&m, KERNEL, KERNEL_LEN, KERNEL, "[kernel.kallsyms]_text");
	kernel_map(&m, MODULE, 0x1000, 0, "/lib/modules/3.19.0/kernel/odd-module.ko");
	kernel_map(&m, MODULE + 0x2000, 0x1000, 0, "[short]");
	comm(&m, 7, "one");
	map(&m, 7);
	sample(&m, 7, KERNEL + 0x1234);
	sample(&m, 7, MODULE + 0x10);
	sample(&m, 7, MODULE + 0x2010);
	sample(&m, 7, TEXT + 0x10);
	sample(&m, 7, KERNEL + 0x99999999);
	finish(&m);
}

static void kernel_debug(void)
{
	kernel_named((const char *const[]){ "/usr/lib/debug/boot/vmlinux-3.19.0-25-generic" }, 1);
}

static void kernel_file(void)
{
	kernel_named((const char *const[]){ "/boot/kernel-odd" }, 1);
}

static void kernel_short(void)
{
	kernel_named((const char *const[]){ "[kernel.vmlinux]" }, 1);
}

/* The table names a kernel twice, a module by its path and one in brackets. */
static void kernel_twice(void)
{
	kernel_named((const char *const[]){ "[kernel.kallsyms]", "/boot/vmlinux-3.19",
					    "/lib/modules/3.19.0/kernel/odd-module.ko", "[short]" },
		     4);
}

static void kernel_modules(void)
{
	kernel_named((const char *const[]){ "[short]", "/lib/modules/3.19.0/kernel/odd-module.ko",
					    "/z/vmlinux", "/a/vmlinux" },
		     4);
}

static void kernel_plain(void)
{
	kernel_named(NULL, 0);
}

static void branches(struct form form, bool feature)
{
	struct maker m;

	form.more |= PD_SAMPLE_BRANCH_STACK;
	begin(&m, form);
	name_event(&m);
	if (feature)
		file_feature(&m.f, PD_FEAT_BRANCH_STACK);
	file_begin_data(&m.f);
	comm(&m, 7, "one");
	map(&m, 7);
	sample(&m, 7, TEXT + 0x100);
	sample(&m, 7, TEXT + 0x200);
	finish(&m);
}

static void branches_any(void)
{
	branches((struct form){ .branches = 8 }, true);
}

static void branches_without_feature(void)
{
	branches((struct form){ .branches = 8 }, false);
}

static void branches_of_calls(void)
{
	branches((struct form){ .more = PD_SAMPLE_CALLCHAIN, .branches = 1 << 11 }, true);
}

static void branches_of_a_pipe(void)
{
	branches((struct form){ .kind = BUILD_PIPE, .branches = 8 }, true);
}

static void branches_and_stacks(void)
{
	branches((struct form){ .more = PD_SAMPLE_CALLCHAIN | PD_SAMPLE_STACK_USER |
					PD_SAMPLE_REGS_USER,
				.branches = 8 },
		 true);
}

static void feature_without_branches(void)
{
	struct maker m;

	begin(&m, (struct form){ 0 });
	name_event(&m);
	file_feature(&m.f, PD_FEAT_BRANCH_STACK);
	file_begin_data(&m.f);
	comm(&m, 7, "one");
	map(&m, 7);
	sample(&m, 7, TEXT + 0x100);
	finish(&m);
}

static void pipe_without_chains(void)
{
	struct maker m;

	begin(&m, (struct form){ .kind = BUILD_PIPE });
	begin_data(&m);
	comm(&m, 7, "one");
	map(&m, 7);
	sample(&m, 7, TEXT + 0x100);
	finish(&m);
}

/* The size field of the attr in the HEADER_ATTR record is 0, which stands for 64. */
static void pipe_of_attr_size_0(void)
{
	struct maker m;

	begin(&m, (struct form){ .kind = BUILD_PIPE });
	begin_data(&m);
	memset(m.b.p + PIPE_HEADER_SIZE + 8 + 4, 0, sizeof(u32));
	comm(&m, 7, "one");
	sample(&m, 7, TEXT + 0x100);
	finish(&m);
}

static void context_switch(struct maker *m, u32 tid, u16 misc)
{
	struct sample_parts t = next(m, tid);

	record_begin(&m->b, PD_RECORD_SWITCH, misc);
	put_trailer(&m->b, &m->attr, &t);
	record_end(&m->b);
}

static void begin_switches(struct maker *m, enum build_kind kind)
{
	struct bytes *cpus;

	begin(m, (struct form){ .kind = kind,
				.more = PD_SAMPLE_CALLCHAIN,
				.flags = 1ull << PD_ATTR_CONTEXT_SWITCH });
	cpus = file_feature(&m->f, PD_FEAT_NRCPUS);
	put_u32(cpus, 3);
	put_u32(cpus, 3);
	begin_data(m);
	comm(m, 7, "one");
	comm(m, 8, "two");
	map(m, 7);
	map(m, 8);
}

/* More threads run than there are CPUs, then fewer than none, as the records have it. */
static void make_switches(enum build_kind kind)
{
	struct maker m;

	begin_switches(&m, kind);
	sample(&m, 7, TEXT + 0x100);
	for (u32 i = 0; i < 4; i++) {
		context_switch(&m, 8, 0);
		sample(&m, 7, TEXT + 0x100 * i);
		sample(&m, 8, TEXT + 0x100);
	}
	for (u32 i = 0; i < 6; i++) {
		context_switch(&m, 8, PD_MISC_SWITCH_OUT);
		sample(&m, 7 + i % 2, TEXT + 0x200);
	}
	for (u32 i = 0; i < 4; i++) {
		context_switch(&m, 7, 0);
		sample(&m, 7, TEXT + 0x300);
	}
	put_task(&m.b, PD_RECORD_EXIT, 8, 8, 8, 8, m.time, &m.attr,
		 &(struct sample_parts){ .time = m.time, .pid = 8, .tid = 8 });
	sample(&m, 7, TEXT + 0x300);
	finish(&m);
}

static void switches(void)
{
	make_switches(BUILD_REGULAR);
}

static void switches_of_a_pipe(void)
{
	make_switches(BUILD_PIPE);
}

/* 200 samples, all but a few of them of threads that run alone. */
static void few_parallel(u32 parallel)
{
	struct maker m;

	begin_switches(&m, BUILD_REGULAR);
	for (u32 i = 0; i < 200; i++) {
		if (i == 100)
			context_switch(&m, 8, 0);
		if (i == 100 + parallel)
			context_switch(&m, 8, PD_MISC_SWITCH_OUT);
		sample(&m, 7 + i % 2, TEXT + 0x100 * (i % 3));
	}
	finish(&m);
}

static void switches_of_one_percent(void)
{
	few_parallel(2);
}

static void switches_of_more(void)
{
	few_parallel(3);
}

static const struct {
	const char *name;
	void (*make)(void);
} recordings[] = {
	{ "late-comm", late_comm },
	{ "late-comm-of-two", late_comm_of_two },
	{ "kernel-debug", kernel_debug },
	{ "kernel-file", kernel_file },
	{ "kernel-short", kernel_short },
	{ "kernel-twice", kernel_twice },
	{ "kernel-modules", kernel_modules },
	{ "kernel-plain", kernel_plain },
	{ "branches-any", branches_any },
	{ "branches-without-feature", branches_without_feature },
	{ "branches-of-calls", branches_of_calls },
	{ "branches-of-a-pipe", branches_of_a_pipe },
	{ "branches-and-stacks", branches_and_stacks },
	{ "feature-without-branches", feature_without_branches },
	{ "pipe-without-chains", pipe_without_chains },
	{ "pipe-of-attr-size-0", pipe_of_attr_size_0 },
	{ "switches", switches },
	{ "switches-of-a-pipe", switches_of_a_pipe },
	{ "switches-of-one-percent", switches_of_one_percent },
	{ "switches-of-more", switches_of_more },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < ARRAY_SIZE(recordings); i++) {
		if (argc == 2 && !strcmp(argv[1], "--list")) {
			puts(recordings[i].name);
		} else if (argc == 2 && !strcmp(argv[1], recordings[i].name)) {
			recordings[i].make();
			return fflush(stdout) ? 1 : 0;
		}
	}
	if (argc == 2 && !strcmp(argv[1], "--list"))
		return 0;
	fprintf(stderr, "usage: odd_recording --list | NAME\n");
	return 1;
}

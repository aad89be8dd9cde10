/* SPDX-License-Identifier: MIT */
/* A machine that is given its records one by one, without a recording. */
#include "machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/jit.h"
#include "tests/frame/build_file.h"
#include "tests/frame/build_jitdump.h"
#include "tests/frame/unit.h"

#define PID 10
#define PROG 0x400000ull
#define CODE 0x7f0000000000ull
#define KSTART 0xffffffff81000000ull

/* A machine as a recorder without a file would make it. */
struct live {
	struct bytes b; /* the records that it was given */
	struct pd_attr a;
	struct diag diag;
	struct machine *mc;
	const char *symfs;
};

static void live_begin_with(struct live *x, const char *symfs, bool forgets_maps)
{
	struct machine_config cfg = { .symbols = { .hermetic = true, .symfs = symfs },
				      .arch = "x86_64",
				      .clock_is_monotonic = true,
				      .forgets_maps = forgets_maps,
				      .diag = &x->diag };

	*x = (struct live){ .b = bytes_new(false), .a = attr_plain() };
	diag_init(&x->diag);
	x->mc = machine_new(&cfg);
}

static void live_begin(struct live *x, const char *symfs)
{
	live_begin_with(x, symfs, false);
}

static void live_end(struct live *x)
{
	machine_free(x->mc);
	diag_fini(&x->diag);
	bytes_free(&x->b);
}

/* Gives the machine the record that was built last. */
static void apply_last(struct live *x)
{
	struct pd_record r = last_record(&x->b);

	machine_apply(x->mc, &r);
}

static void live_comm(struct live *x, u32 pid, const char *comm)
{
	put_comm(&x->b, pid, pid, comm, &x->a, NULL);
	apply_last(x);
}

static void live_map(struct live *x, u64 start, u64 len, const char *name)
{
	put_mmap2(&x->b, PID, start, len, 0, name, &x->a, NULL);
	apply_last(x);
}

static void live_kernel_map(struct live *x)
{
	record_begin(&x->b, PD_RECORD_MMAP, PD_CPUMODE_KERNEL);
	put_u32(&x->b, (u32)-1);
	put_u32(&x->b, 0);
	put_u64(&x->b, KSTART);
	put_u64(&x->b, 0x1000000);
	put_u64(&x->b, KSTART);
	put_text(&x->b, "[kernel.kallsyms]_text", 8);
	put_trailer(&x->b, &x->a, NULL);
	record_end(&x->b);
	apply_last(x);
}

static void live_task(struct live *x, u32 type, u32 pid, u32 ppid)
{
	put_task(&x->b, type, pid, ppid, pid, ppid, 1, &x->a, NULL);
	apply_last(x);
}

static const char *comm_of(struct live *x, u32 pid)
{
	return machine_comm(x->mc, machine_thread(x->mc, pid, pid));
}

static const struct map *map_of(struct live *x, u32 pid, u64 ip)
{
	return machine_find_map(x->mc, machine_thread(x->mc, pid, pid), PD_CPUMODE_USER, ip);
}

TEST(a_new_machine)
{
	struct live x;

	live_begin(&x, NULL);
	CHECK_STR(comm_of(&x, 0), "swapper");
	CHECK_STR(comm_of(&x, PID), ":10");
	CHECK(!map_of(&x, PID, PROG));
	CHECK(!machine_cgroup(x.mc, 1));
	CHECK_STR(x.mc->arch, "x86_64");
	CHECK(!x.mc->os_release);
	live_end(&x);
	machine_free(NULL);
}

static void live_switch(struct live *x, u16 misc)
{
	record_begin(&x->b, PD_RECORD_SWITCH, misc);
	record_end(&x->b);
	apply_last(x);
}

TEST(switches_count_running_threads)
{
	struct live x;

	live_begin(&x, NULL);
	CHECK_EQ(machine_parallelism(x.mc), 1);
	live_switch(&x, 0);
	live_switch(&x, 0);
	CHECK_EQ(machine_parallelism(x.mc), 3);
	x.mc->cfg.nr_cpus = 2;
	CHECK_EQ(machine_parallelism(x.mc), 2);
	live_task(&x, PD_RECORD_EXIT, 20, PID);
	CHECK_EQ(machine_parallelism(x.mc), 2);
	for (int i = 0; i < 3; i++)
		live_switch(&x, PD_MISC_SWITCH_OUT);
	CHECK_EQ(machine_parallelism(x.mc), 1);
	live_switch(&x, 0);
	live_switch(&x, 0);
	CHECK_EQ(machine_parallelism(x.mc), 1);
	live_switch(&x, 0);
	CHECK_EQ(machine_parallelism(x.mc), 2);
	machine_reset(x.mc);
	CHECK_EQ(machine_parallelism(x.mc), 1);
	live_end(&x);
}

TEST(records_make_tasks_and_maps)
{
	struct task_view before, after;
	struct live x;

	live_begin(&x, NULL);
	live_comm(&x, PID, "parent");
	live_map(&x, PROG, 0x2000, "/bin/parent");
	before = machine_task(x.mc, machine_thread(x.mc, PID, PID));
	mapset_get(before.user_maps);
	live_task(&x, PD_RECORD_FORK, 20, PID);
	CHECK_STR(comm_of(&x, 20), "parent");
	CHECK_STR(map_of(&x, 20, PROG + 0x1fff)->dso_name, "/bin/parent");
	live_comm(&x, 20, "child");
	CHECK_STR(comm_of(&x, PID), "parent");
	live_map(&x, PROG + 0x1000, 0x1000, "/lib/new");
	CHECK_STR(map_of(&x, PID, PROG + 0x1fff)->dso_name, "/lib/new");
	CHECK_STR(map_of(&x, 20, PROG + 0x1fff)->dso_name, "/bin/parent");
	/* a view that is held stays as of its moment */
	after = machine_task(x.mc, machine_thread(x.mc, PID, PID));
	CHECK_STR(mapset_find(task_space(&after, PD_CPUMODE_USER), PROG + 0x1800)->dso_name,
		  "/lib/new");
	mapset_put(before.user_maps);
	live_task(&x, PD_RECORD_EXIT, 20, PID);
	CHECK_STR(comm_of(&x, 20), ":20");
	live_end(&x);
}

/* ":TID" stands for the first name that a COMM gave the thread, for that thread alone. */
TEST(samples_before_the_first_comm_get_its_name)
{
	struct live x;
	u32 before, other, forked;

	live_begin(&x, NULL);
	before = machine_thread(x.mc, PID, PID)->comm;
	other = machine_thread(x.mc, PID + 1, PID + 1)->comm;
	live_comm(&x, PID, "first");
	live_comm(&x, PID, "second");
	CHECK_STR(intern_text(&x.mc->strings, before), ":10");
	CHECK_STR(intern_text(&x.mc->strings, threads_first_comm(&x.mc->threads, before)), "first");
	CHECK_EQ(threads_first_comm(&x.mc->threads, other), other);
	/* the thread number is used again: the first thread with it stays without a name */
	live_task(&x, PD_RECORD_FORK, PID + 1, PID + 2);
	forked = machine_thread(x.mc, PID + 1, PID + 1)->comm;
	live_comm(&x, PID + 1, "later");
	CHECK_EQ(forked, other);
	CHECK_EQ(threads_first_comm(&x.mc->threads, other), other);
	live_end(&x);
}

static void check_kernel_name(enum text_format format, const char *const *names, size_t nr,
			      const char *want)
{
	const struct pd_build_id id = { .size = 20, .data = { 1 } };
	const struct map *m;
	struct live x;

	live_begin(&x, NULL);
	x.mc->cfg.format = format;
	for (size_t i = 0; i < nr; i++)
		machine_note_build_id(x.mc, true, names[i], &id);
	live_kernel_map(&x);
	m = mapset_find(x.mc->kernel_maps, KSTART);
	CHECK_STR(m->dso_name, want);
	CHECK_EQ(dso_get_desc(m->dso)->build_id_size, nr && *want == *names[0] ? 20 : 0);
	live_end(&x);
}

TEST(the_kernel_s_name_is_that_of_the_build_id_table)
{
	static const char *const names[] = { "/z/vmlinux-3.19", "/lib/x.ko.xz", "/a/vmlinux-3.20" };
	static const char *const modules[] = { "/lib/x.ko", "[vdso]", "[kernel.vmlinux]" };

	check_kernel_name(TEXT_PERF_7_2, NULL, 0, "[kernel.kallsyms]");
	check_kernel_name(TEXT_PERF_7_2, names, 1, "/z/vmlinux-3.19");
	check_kernel_name(TEXT_PERF_7_2, names, 3, "/a/vmlinux-3.20");
	check_kernel_name(TEXT_PERF_6_1, names, 3, "/z/vmlinux-3.19");
	check_kernel_name(TEXT_PERF_7_2, modules, 3, "[kernel.kallsyms]");
}

TEST(a_sample_s_maps_stay_when_the_kernel_is_settled)
{
	char path[] = "/tmp/t_machine.XXXXXX";
	struct machine_config cfg = { .symbols = { .hermetic = true, .kallsyms = path },
				      .arch = "x86_64" };
	struct task_view task;
	struct mapset *first;
	struct live x;
	FILE *f = fdopen(mkstemp(path), "w");

	CHECK(f);
	fprintf(f, "%llx T _text\n%llx T one\n%llx T two\n", KSTART, KSTART + 0x100,
		KSTART + 0x2000000);
	fclose(f);
	live_begin(&x, NULL);
	machine_free(x.mc);
	cfg.diag = &x.diag;
	x.mc = machine_new(&cfg);
	live_kernel_map(&x);
	task = machine_task(x.mc, machine_thread(x.mc, PID, PID));
	CHECK(!mapset_find(task.kernel_maps, KSTART + 0x2000000));
	machine_settle_kernel_now(x.mc);
	CHECK(mapset_find(x.mc->kernel_maps, KSTART + 0x2000000));
	CHECK(mapset_find(task.kernel_maps, KSTART + 0x100));
	/* a second map of the kernel, as in files that were put together */
	first = mapset_get(task.kernel_maps);
	live_kernel_map(&x);
	task = machine_task(x.mc, machine_thread(x.mc, PID, PID));
	machine_settle_kernel_now(x.mc);
	CHECK(mapset_find(x.mc->kernel_maps, KSTART + 0x2000000));
	CHECK(mapset_find(task.kernel_maps, KSTART + 0x100));
	CHECK_EQ(first->refs, 1);
	mapset_put(first);
	live_end(&x);
	unlink(path);
}

TEST(a_broken_record_is_reported_and_skipped)
{
	struct live x;
	struct pd_record r;

	live_begin(&x, NULL);
	live_comm(&x, PID, "prog");
	record_begin(&x.b, PD_RECORD_COMM, 0);
	put_u32(&x.b, PID);
	record_end(&x.b);
	r = last_record(&x.b);
	machine_apply(x.mc, &r);
	CHECK_EQ(x.diag.nr, 1);
	CHECK(strstr(x.diag.entries[0].text, "record skipped"));
	CHECK(!strstr(x.diag.entries[0].text, "null"));
	CHECK_STR(comm_of(&x, PID), "prog");
	/* so is one without anything to report to */
	x.mc->cfg.diag = NULL;
	machine_apply(x.mc, &r);
	CHECK_EQ(x.diag.nr, 1);
	live_end(&x);
}

TEST(reset_forgets_what_records_made)
{
	const struct map *old, *new;
	struct live x;
	struct dso *dso;

	live_begin(&x, NULL);
	live_comm(&x, PID, "prog");
	live_map(&x, PROG, 0x1000, "/bin/prog");
	live_kernel_map(&x);
	CHECK(x.mc->kernel_map);
	record_begin(&x.b, PD_RECORD_CGROUP, 0);
	put_u64(&x.b, 5);
	put_text(&x.b, "/a/b", 8);
	put_trailer(&x.b, &x.a, NULL);
	record_end(&x.b);
	apply_last(&x);
	CHECK_STR(machine_cgroup(x.mc, 5), "/a/b");
	old = map_of(&x, PID, PROG);
	dso = old->dso;
	machine_reset(x.mc);
	CHECK_STR(comm_of(&x, 0), "swapper");
	CHECK_STR(comm_of(&x, PID), ":10");
	CHECK(!map_of(&x, PID, PROG));
	CHECK(!machine_cgroup(x.mc, 5));
	CHECK(!x.mc->kernel_map);
	/* the map that was handed out is still valid, and the object is the same one */
	CHECK_STR(old->dso_name, "/bin/prog");
	live_map(&x, PROG, 0x1000, "/bin/prog");
	new = map_of(&x, PID, PROG);
	CHECK(new != old);
	CHECK(new->dso == dso);
	live_end(&x);
}

/* A process begins, maps files and ends. */
static void short_process(struct live *x, u32 pid)
{
	live_task(x, PD_RECORD_FORK, pid, PID);
	for (u32 i = 0; i < 20; i++) {
		put_mmap2(&x->b, pid, CODE + (pid * 32ull + i) * 0x1000, 0x1000, 0, "/lib/libc.so",
			  &x->a, NULL);
		apply_last(x);
	}
	live_task(x, PD_RECORD_EXIT, pid, PID);
}

TEST(maps_of_ended_processes_are_freed)
{
	struct mapset *kept;
	struct live x;

	live_begin_with(&x, NULL, true);
	live_comm(&x, PID, "prog");
	live_kernel_map(&x);
	live_map(&x, PROG, 0x1000, "/bin/prog");
	/* as a sample that waits for its turn holds it */
	kept = mapset_get(machine_thread(x.mc, PID, PID)->process->maps);
	live_map(&x, CODE, 0x1000, "/lib/late.so");
	for (u32 i = 0; i < 5000; i++) {
		short_process(&x, 100 + i % 1000);
		/* a late sample of it, and one of a thread */
		machine_thread(x.mc, 100 + i % 1000, 100 + i % 1000);
		machine_thread(x.mc, 100000 + i, 200000 + i);
		machine_forget_maps(x.mc);
		x.b.n = 0;
		/* 100,000 maps are 8 MB */
		CHECK(x.mc->arena.total < 3 << 20);
	}
	CHECK(x.mc->nr_forgotten >= 4);
	CHECK(x.mc->threads.nr_unknown < 4000);
	CHECK_STR(comm_of(&x, PID), "prog");
	CHECK_STR(map_of(&x, PID, PROG)->dso_name, "/bin/prog");
	CHECK_STR(map_of(&x, PID, CODE)->dso_name, "/lib/late.so");
	CHECK_STR(mapset_find(kept, PROG)->dso_name, "/bin/prog");
	CHECK(!mapset_find(kept, CODE));
	CHECK_EQ(x.mc->kernel_map->start, KSTART);
	CHECK(mapset_find(x.mc->kernel_maps, KSTART) == x.mc->kernel_map);
	live_kernel_map(&x);
	CHECK_EQ(x.mc->kernel_maps->nr, 1);
	live_end(&x);
	mapset_put(kept);
}

/* --- jitdumps --------------------------------------------------------------------------------- */

#define DUMP "/j/jit-10.dump"

/* A jitdump below a symfs of its own. */
struct dump_dir {
	char dir[64], sub[80], path[112];
};

static void dump_dir_make(struct dump_dir *d, const struct bytes *dump)
{
	FILE *f;

	snprintf(d->dir, sizeof(d->dir), "/tmp/t_machine.XXXXXX");
	CHECK(mkdtemp(d->dir));
	snprintf(d->sub, sizeof(d->sub), "%s/j", d->dir);
	snprintf(d->path, sizeof(d->path), "%s%s", d->dir, DUMP);
	CHECK(!mkdir(d->sub, 0700));
	f = fopen(d->path, "w");
	CHECK(f && fwrite(dump->p, dump->n, 1, f) == 1 && !fclose(f));
}

static void dump_dir_remove(const struct dump_dir *d)
{
	unlink(d->path);
	rmdir(d->sub);
	rmdir(d->dir);
}

/* The name of the function at ip as of now. */
static void check_symbol(struct live *x, u64 ip, const char *name)
{
	const struct map *m = map_of(x, PID, ip);
	struct sym_hit hit;

	CHECK(m);
	CHECK_STR(dso_find(m->dso, ip, m->start, m->pgoff, &hit) ? hit.name : NULL, name);
}

static void run_jit(struct live *x)
{
	live_comm(x, PID, "java");
	live_map(x, CODE, 0x10000, "//anon");
	live_map(x, 0x5000, 0x1000, DUMP);
	check_symbol(x, CODE + 0x100, "first");
	CHECK_EQ(x->mc->next_jit_time, 30);
	machine_jit_advance(x->mc, 30);
	check_symbol(x, CODE + 0x100, "second");
}

/* Without code of JITs the next change comes at the largest time, which a damaged sample has. */
TEST(a_sample_of_the_largest_time_without_jitdumps)
{
	struct live x;

	live_begin(&x, NULL);
	CHECK_EQ(x.mc->next_jit_time, UINT64_MAX);
	machine_jit_advance(x.mc, UINT64_MAX);
	live_end(&x);
}

/* Each pass sees the code as of its own records, though the last pass left it at its end. */
TEST(reset_begins_jitdumps_anew)
{
	struct bytes dump = bytes_new(false);
	struct dump_dir dir;
	struct live x;

	jit_header(&dump, PID, 0);
	jit_load(&dump, 10, CODE + 0x100, 0x100, 1, "first", 0);
	jit_load(&dump, 30, CODE + 0x100, 0x100, 2, "second", 7);
	dump_dir_make(&dir, &dump);
	live_begin(&x, dir.dir);
	run_jit(&x);
	for (int i = 0; i < 3; i++) {
		const struct map *held = map_of(&x, PID, CODE + 0x100);
		struct sym_hit hit;

		machine_reset(x.mc);
		CHECK_EQ(x.mc->next_jit_time, UINT64_MAX);
		CHECK(!map_of(&x, PID, CODE + 0x100));
		run_jit(&x);
		/* a frame of the pass before still finds its function */
		CHECK(dso_find(held->dso, CODE + 0x100, held->start, held->pgoff, &hit));
		CHECK_STR(hit.name, "second");
	}
	/* a pass that has no dump leaves the memory without names */
	machine_reset(x.mc);
	live_map(&x, CODE, 0x10000, "//anon");
	check_symbol(&x, CODE + 0x100, NULL);
	live_end(&x);
	dump_dir_remove(&dir);
	bytes_free(&dump);
}

TEST(ids_of_threads_that_have_ended_take_no_memory)
{
	struct live x;

	live_begin(&x, NULL);
	live_comm(&x, PID, "parent");
	for (u32 tid = 100; tid < 10100; tid++) {
		put_task(&x.b, PD_RECORD_FORK, tid, PID, tid, PID, 0, &x.a, NULL);
		apply_last(&x);
		if (tid % 1000 == 7)
			continue;
		put_task(&x.b, PD_RECORD_EXIT, tid, PID, tid, PID, 0, &x.a, NULL);
		apply_last(&x);
	}
	CHECK(x.mc->threads.nr < 200);
	CHECK(idmap_bytes(&x.mc->threads.by_tid) < 20000);
	for (u32 tid = 1007; tid < 10100; tid += 1000) {
		const struct thread *th = threads_find(&x.mc->threads, tid, tid);

		CHECK(th && !strcmp(machine_comm(x.mc, th), "parent"));
	}
	CHECK(!threads_find(&x.mc->threads, 5000, 5000));
	CHECK(threads_find(&x.mc->threads, PID, PID));
	live_end(&x);
}

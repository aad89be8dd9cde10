/* SPDX-License-Identifier: MIT */
/* What is said for each refusal, with rights made up for it; and the rights as they are read. */
#include "record/open/open_advice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"

#define FLAG(name) (1ull << PD_ATTR_##name)

/* A refused open; the zero value is an ordinary user's on a thread of another process. */
struct refusal {
	struct rec_event ev;
	struct rec_rights r;
	struct rec_thread th;
	struct rec_target t;
	s32 pid, cpu;
	u64 fds_wanted;
	struct perr e;
};

static char name_of_event[] = "cpu-clock";

static void refusal_init(struct refusal *f)
{
	memset(f, 0, sizeof(*f));
	f->ev.name = name_of_event;
	f->ev.attr.type = PD_TYPE_SOFTWARE;
	f->r.paranoid = 2;
	f->r.max_sample_rate = 100000;
	f->r.mlock_kb = 516;
	f->r.max_stack = 127;
	f->r.nofile_soft = f->r.nofile_hard = 1024;
	f->th = (struct rec_thread){ .pid = 12, .tid = 12, .comm = "busy" };
	f->t.kind = REC_TARGET_PIDS;
	f->t.threads = &f->th;
	f->t.nr_threads = 1;
	f->pid = 12;
	f->cpu = 0;
	f->fds_wanted = 100;
}

static const char *advise(struct refusal *f, int sys_errno)
{
	struct open_attempt a = { &f->ev, &f->t, f->pid, f->cpu, f->fds_wanted };
	size_t lines = 1;

	memset(&f->e, 0, sizeof(f->e));
	advice_open(&a, sys_errno, &f->r, &f->e);
	CHECK_EQ(f->e.code, PERR_KERNEL);
	CHECK_EQ(f->e.sys_errno, sys_errno);
	CHECK(f->e.text[0]);
	/* nothing is cut off, and it stays a note */
	CHECK(strlen(f->e.text) < sizeof(f->e.text) - 1);
	for (const char *s = f->e.text; *s; s++)
		lines += *s == '\n';
	if (lines > 4)
		unit_fail(__FILE__, __LINE__, "%zu lines: %s", lines, f->e.text);
	return f->e.text;
}

static void check_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		unit_fail(__FILE__, __LINE__, "no '%s' in '%s'", part, text);
}

static void check_not(const char *text, const char *part)
{
	if (strstr(text, part))
		unit_fail(__FILE__, __LINE__, "'%s' in '%s'", part, text);
}

TEST(the_kernels_part_alone)
{
	struct refusal f;
	const char *text;

	refusal_init(&f);
	f.t.kind = REC_TARGET_WORKLOAD;
	f.ev.attr.flags = FLAG(EXCLUDE_USER);
	text = advise(&f, EACCES);
	check_has(text, "cpu-clock: not permitted: the event counts in the kernel only");
	check_has(text, "kernel.perf_event_paranoid is 2");
	check_has(text, "no CAP_PERFMON");
	check_has(text, "\n  sudo sysctl kernel.perf_event_paranoid=1\n");
	check_has(text, "sudo setcap cap_perfmon,cap_sys_ptrace,cap_syslog+ep /");
}

TEST(whole_cpus)
{
	struct refusal f;
	const char *text;

	for (s64 paranoid = 1; paranoid <= 2; paranoid++) {
		refusal_init(&f);
		f.t.kind = REC_TARGET_SYSTEM;
		f.pid = -1;
		f.r.paranoid = paranoid;
		text = advise(&f, EACCES);
		check_has(text, "-a, -C");
		check_has(text, paranoid == 1 ? "paranoid is 1" : "paranoid is 2");
		check_has(text, "sudo sysctl kernel.perf_event_paranoid=0\n");
	}
}

TEST(debians_three_and_ubuntus_four)
{
	struct refusal f;
	const char *text;

	refusal_init(&f);
	f.t.kind = REC_TARGET_WORKLOAD;
	f.r.paranoid = 3;
	text = advise(&f, EACCES);
	check_has(text, "denies recording to unprivileged processes");
	check_has(text, "paranoid is 3");
	check_has(text, "kernel.perf_event_paranoid=1");
	f.r.paranoid = 4;
	f.pid = -1;
	text = advise(&f, EPERM);
	check_has(text, "paranoid is 4");
	check_has(text, "kernel.perf_event_paranoid=0");
}

TEST(tracepoints)
{
	struct refusal f;
	const char *text;

	/* 3 and 4: less would not permit tracepoints either */
	for (s64 paranoid = 0; paranoid <= 4; paranoid++) {
		refusal_init(&f);
		f.ev.attr.type = PD_TYPE_TRACEPOINT;
		f.r.paranoid = paranoid;
		text = advise(&f, paranoid == 2 ? EACCES : EPERM);
		check_has(text, "tracepoints show the kernel's data");
		check_has(text, "sudo sysctl kernel.perf_event_paranoid=-1\n");
	}
}

TEST(an_unreadable_paranoid)
{
	struct refusal f;

	refusal_init(&f);
	f.r.paranoid = -100;
	f.pid = -1;
	check_has(advise(&f, EACCES), "kernel.perf_event_paranoid cannot be read");
}

TEST(uprobes)
{
	struct refusal f;
	const char *text;
	char path[] = "/bin/true";

	refusal_init(&f);
	f.ev.uprobe_path = path;
	f.r.paranoid = -1;
	text = advise(&f, EACCES);
	check_has(text, "uprobes");
	check_has(text, "needs CAP_SYS_ADMIN");
	check_has(text, "sudo setcap cap_sys_admin,cap_perfmon+ep /");
	check_has(text, "(-1 now)");
	check_not(text, "sysctl");
	check_has(advise(&f, ENOENT), "/bin/true");
	/* CAP_PERFMON is not enough since Linux 6.16; no security module denies it */
	f.r.cap_perfmon = true;
	text = advise(&f, EACCES);
	check_has(text, "needs CAP_SYS_ADMIN");
	check_not(text, "security module");
}

TEST(another_users_process)
{
	struct refusal f;
	const char *text;

	refusal_init(&f);
	f.r.paranoid = 1;
	text = advise(&f, EACCES);
	check_has(text, "on thread 12 (busy)");
	check_has(text, "another user's");
	check_has(text, "sudo");
	f.ev.attr.flags = FLAG(NAMESPACES);
	check_has(advise(&f, EACCES), "--namespaces needs CAP_PERFMON");
	refusal_init(&f);
	f.ev.attr.sample_type = PD_SAMPLE_PHYS_ADDR;
	check_has(advise(&f, EACCES), "--phys-data");
}

TEST(seccomp)
{
	struct refusal f;
	const char *text;

	refusal_init(&f);
	f.r.seccomp = 2;
	f.r.in_container = true;
	text = advise(&f, EPERM);
	check_has(text, "seccomp filter denies perf_event_open (Operation not permitted)");
	check_has(text, "Seccomp is 2 in /proc/self/status");
	check_has(text, "--cap-add PERFMON --security-opt seccomp=");
	check_has(advise(&f, ENOSYS), "(Function not implemented)");
	/* EACCES is the kernel's own word */
	check_not(advise(&f, EACCES), "seccomp");
	/* root inside is no different */
	f.r.is_root = f.r.cap_sys_admin = true;
	check_has(advise(&f, EPERM), "seccomp");
}

TEST(root_that_is_none)
{
	struct refusal f;
	const char *text;

	refusal_init(&f);
	f.r.is_root = true;
	f.r.in_container = true;
	text = advise(&f, EACCES);
	check_has(text, "root without CAP_PERFMON");
	check_has(text, "--cap-add PERFMON");
	f.r.cap_perfmon = true;
	check_has(advise(&f, EACCES), "user namespace");
	f.r.in_container = false;
	check_has(advise(&f, EACCES), "security module");
	check_has(advise(&f, EACCES), "dmesg");
}

TEST(no_such_call)
{
	struct refusal f;

	refusal_init(&f);
	check_has(advise(&f, ENOSYS), "CONFIG_PERF_EVENTS");
}

TEST(no_pmu)
{
	struct refusal f;
	const char *text;
	char name[] = "instructions";

	refusal_init(&f);
	f.ev.name = name;
	f.ev.attr.type = PD_TYPE_HARDWARE;
	text = advise(&f, ENOENT);
	check_has(text, "instructions: this machine offers no hardware counters");
	check_has(text, "virtual machine");
	check_has(text, "prec -e cpu-clock");
	f.r.has_hw_pmu = true;
	text = advise(&f, ENOENT);
	check_has(text, "not supported here");
	check_has(text, "prec --list-events");
	f.ev.attr.type = PD_TYPE_TRACEPOINT;
	f.ev.attr.config = 4711;
	check_has(advise(&f, ENOENT), "tracepoint with id 4711");
}

TEST(branches_without_records_of_them)
{
	struct refusal f;
	const char *text;

	refusal_init(&f);
	f.ev.attr.sample_type = PD_SAMPLE_BRANCH_STACK;
	text = advise(&f, EOPNOTSUPP);
	check_has(text, "cpu-clock: branch stacks (-b, -j, --call-graph lbr) cannot be recorded");
	check_has(text, "LBR");
	check_has(text, "this machine has no CPU PMU");
	f.r.has_hw_pmu = true;
	check_has(advise(&f, EOPNOTSUPP), "prec -e cycles, or leave out -b");
	f.ev.attr.sample_type = 0;
	f.ev.attr.flags = 3ull << PD_ATTR_PRECISE_IP;
	text = advise(&f, EOPNOTSUPP);
	check_has(text, "precise_ip 3");
	check_has(text, "prec -e cpu-clock:P");
	f.ev.name = (char *)"cpu/cycles/ppu";
	check_has(advise(&f, EOPNOTSUPP), "prec -e cpu/cycles/uP");
	f.ev.name = (char *)"cycles:pp";
	check_has(advise(&f, EOPNOTSUPP), "prec -e cycles:P");
	f.ev.attr.flags = FLAG(AUX_OUTPUT);
	check_has(advise(&f, EOPNOTSUPP), "AUX");
	f.ev.attr.flags = 0;
	check_has(advise(&f, EOPNOTSUPP), "cannot sample");
}

TEST(invalid)
{
	struct refusal f;
	const char *text;
	struct cpu_list cpus = { 0 };
	char group[] = "g";

	refusal_init(&f);
	f.ev.attr.flags = FLAG(FREQ);
	f.ev.attr.sample_period_or_freq = 200000;
	text = advise(&f, EINVAL);
	check_has(text, "-F 200000 is more than kernel.perf_event_max_sample_rate");
	check_has(text, "which is 100000 now");
	check_has(text, "-F max is the limit");
	check_has(text, "sudo sysctl kernel.perf_event_max_sample_rate=200000");

	f.ev.attr.flags = FLAG(USE_CLOCKID);
	f.ev.attr.clockid = 7;
	check_has(advise(&f, EINVAL), "does not support clock 7 (-k)");

	f.ev.attr.flags = 0;
	f.ev.attr.type = PD_TYPE_BREAKPOINT;
	f.ev.attr.config1 = 0x1003;
	f.ev.attr.config2 = 8;
	check_has(advise(&f, EINVAL), "cannot watch address 0x1003 with length 8");

	f.ev.attr.type = 9;
	check_has(advise(&f, EINVAL), "prec -vv");
	f.ev.pmu_cpus = &cpus;
	check_has(advise(&f, EINVAL), "record with prec -a");
	f.ev.pmu_cpus = NULL;
	f.ev.in_group = true;
	f.ev.idx = 1;
	check_has(advise(&f, EINVAL), "in one group");
	check_has(advise(&f, EINVAL), "weak (modifier W)");
	f.ev.cgroup = group;
	check_has(advise(&f, EINVAL), "record with prec -a");
}

TEST(busy)
{
	struct refusal f;

	refusal_init(&f);
	check_has(advise(&f, EBUSY), "sudo sysctl kernel.nmi_watchdog=0");
	f.ev.attr.flags = FLAG(PINNED);
	check_has(advise(&f, EBUSY), "modifier e or D");
}

TEST(breakpoint_registers)
{
	struct refusal f;

	refusal_init(&f);
	f.ev.attr.type = PD_TYPE_BREAKPOINT;
	check_has(advise(&f, ENOSPC), "no breakpoint register is free");
	f.ev.attr.type = PD_TYPE_RAW;
	check_has(advise(&f, ENOSPC), "no free counter");
}

TEST(open_files)
{
	struct refusal f;
	const char *text;

	refusal_init(&f);
	f.fds_wanted = 4711;
	text = advise(&f, EMFILE);
	check_has(text, "this recording needs 4711");
	check_has(text, "the limit is 1024 (hard 1024, ");
	check_has(text, "ulimit -n 4711");
	f.r.nofile_hard = 5000;
	check_not(advise(&f, EMFILE), "as root");
	check_has(advise(&f, ENFILE), "fs.file-max");
}

TEST(gone)
{
	struct refusal f;
	struct rec_thread two[2] = { { .pid = 12, .tid = 12 }, { .pid = 12, .tid = 13 } };

	refusal_init(&f);
	check_has(advise(&f, ESRCH), "thread 12 ended");
	f.t.threads = two;
	f.t.nr_threads = 2;
	check_has(advise(&f, ESRCH), "all 2 threads");
}

TEST(every_errno_and_the_longest_names)
{
	struct refusal f;
	char name[1000], path[1000];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = 0;
	for (int err = 1; err < 140; err++) {
		for (u32 type = 0; type < 7; type++) {
			refusal_init(&f);
			f.ev.name = name;
			f.ev.attr.type = type;
			f.ev.attr.flags = type & 1 ? FLAG(FREQ) | FLAG(USE_CLOCKID) : FLAG(FREQ);
			f.ev.attr.sample_period_or_freq = UINT64_MAX >> (type & 1 ? 60 : 0);
			f.ev.attr.config1 = f.ev.attr.config2 = UINT64_MAX;
			f.ev.uprobe_path = type == 6 ? path : NULL;
			f.r.paranoid = (s64)type - 1;
			f.r.seccomp = type == 3 ? 2 : 0;
			f.fds_wanted = UINT64_MAX;
			f.r.nofile_soft = f.r.nofile_hard = UINT64_MAX - 1;
			memset(f.th.comm, 'c', 15);
			advise(&f, err);
		}
	}
	advice_open(&(struct open_attempt){ &f.ev, &f.t, 1, 1, 1 }, EPERM, &f.r, NULL);
}

TEST(rings)
{
	struct refusal f;
	const char *text;

	refusal_init(&f);
	f.r.memlock_limit = 65536;
	advice_mmap(EPERM, 1 << 20, 4, &f.r, &f.e);
	text = f.e.text;
	CHECK_EQ(f.e.code, PERR_KERNEL);
	CHECK_EQ(f.e.sys_errno, EPERM);
	check_has(text, "ring buffers of 1024 KiB (4 of them)");
	check_has(text, "kernel.perf_event_mlock_kb is 516");
	check_has(text, "ulimit -l 64 KiB");
	check_has(text, "sudo sysctl kernel.perf_event_mlock_kb=1028");
	check_has(text, "record with prec -m 128");
	/* what was refused is not advised */
	advice_mmap(EPERM, 512 << 10, 4, &f.r, &f.e);
	check_has(f.e.text, "prec -m 64");
	f.r.memlock_limit = UINT64_MAX;
	f.r.mlock_kb = 0;
	advice_mmap(EPERM, UINT64_MAX, SIZE_MAX, &f.r, &f.e);
	check_has(f.e.text, "unlimited");
	check_has(f.e.text, "prec -m 1");
	advice_mmap(ENOMEM, 1 << 20, 4, &f.r, &f.e);
	check_has(f.e.text, "(4 MiB in all)");
	advice_mmap(EINVAL, 1 << 20, 4, &f.r, &f.e);
	check_has(f.e.text, "rejects a ring buffer of 1024 KiB");
	advice_mmap(EIO, 1 << 20, 4, &f.r, &f.e);
	check_has(f.e.text, "Input/output error");
	advice_mmap(EIO, 1 << 20, 4, &f.r, NULL);
}

TEST(rights_are_read)
{
	struct fake_tree t = fake_tree_new();
	struct rec_host host;
	struct rec_rights r;
	struct rlimit nofile = { 64, 128 };
	char *proc = xasprintf("%s/proc", t.root), *sys = xasprintf("%s/sys", t.root);

	host = (struct rec_host){ .procfs = proc, .sysfs = sys };
	rec_rights_read(&r, &host);
	CHECK_EQ(r.paranoid, -100);
	CHECK_EQ(r.is_root, geteuid() == 0);
	CHECK_EQ(r.mlock_kb, 516);
	CHECK(!r.has_hw_pmu && !r.tracefs_mounted && !r.in_container && !r.cap_perfmon);

	fake_file(&t, "proc/self/status",
		  "Tgid:\t1\nUid:\t0\t1000\t0\t0\nCapEff:\t0000004000004000\nNoNewPrivs:\t1\n"
		  "Seccomp:\t2\n");
	fake_file(&t, "proc/self/root/.dockerenv", "%s", "");
	fake_file(&t, "proc/sys/kernel/perf_event_paranoid", "-1\n");
	fake_file(&t, "proc/sys/kernel/perf_event_mlock_kb", "1028\n");
	fake_file(&t, "proc/sys/kernel/perf_event_max_sample_rate", "50000\n");
	fake_file(&t, "proc/sys/kernel/perf_event_max_stack", "64\n");
	fake_file(&t, "proc/sys/kernel/kptr_restrict", "2\n");
	fake_folder(&t, "sys/bus/event_source/devices/software");
	fake_folder(&t, "sys/kernel/debug/tracing/events");
	if (setrlimit(RLIMIT_NOFILE, &nofile))
		SKIP("the limit of open files cannot be set");
	rec_rights_read(&r, &host);
	CHECK(!r.is_root);
	CHECK(r.cap_perfmon && r.cap_ipc_lock);
	CHECK(!r.cap_sys_admin && !r.cap_sys_ptrace && !r.cap_syslog);
	CHECK(r.no_new_privs);
	CHECK_EQ(r.seccomp, 2);
	CHECK(r.in_container);
	CHECK_EQ(r.paranoid, -1);
	CHECK_EQ(r.mlock_kb, 1028);
	CHECK_EQ(r.max_sample_rate, 50000);
	CHECK_EQ(r.max_stack, 64);
	CHECK_EQ(r.kptr_restrict, 2);
	CHECK_EQ(r.nofile_soft, 64);
	CHECK_EQ(r.nofile_hard, 128);
	CHECK(r.tracefs_mounted);
	CHECK(!r.has_hw_pmu);
	fake_folder(&t, "sys/bus/event_source/devices/cpu_core");
	rec_rights_read(&r, &host);
	CHECK(r.has_hw_pmu);
	free(proc);
	free(sys);
	fake_tree_free(&t);
}

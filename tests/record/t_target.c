/* SPDX-License-Identifier: MIT */
/* Targets from options, against a /proc and /sys of our own and with threads of our own. */
#include "record/open/target.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/host/proc_threads.h"
#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"

struct rig {
	struct fake_tree tree;
	struct rec_opts o;
	struct rec_target t;
	struct diag diag;
	struct perr e;
	char *procfs, *sysfs;
};

static void add_task(struct rig *r, int pid, int tid, unsigned int ruid, unsigned int euid,
		     const char *comm)
{
	char path[64];

	snprintf(path, sizeof(path), "proc/%d/task/%d", pid, tid);
	fake_folder(&r->tree, path);
	snprintf(path, sizeof(path), "proc/%d/comm", tid);
	fake_file(&r->tree, path, "%s\n", comm);
	snprintf(path, sizeof(path), "proc/%d/status", tid);
	fake_file(&r->tree, path, "Name:\t%s\nTgid:\t%d\nPid:\t%d\nUid:\t%u\t%u\t%u\t%u\n", comm,
		  pid, tid, ruid, euid, euid, euid);
}

static void rig_init(struct rig *r)
{
	memset(r, 0, sizeof(*r));
	r->tree = fake_tree_new();
	fake_file(&r->tree, "sys/devices/system/cpu/online", "0-2,5\n");
	/* 14 has a folder here that readdir of the kernel's /proc would not show */
	add_task(r, 12, 12, 1000, 1000, "main");
	add_task(r, 12, 14, 1000, 1000, "a name of 15 ch");
	add_task(r, 7, 7, 0, 1000, "setuid");
	add_task(r, 9, 9, 0, 0, "root's");
	fake_folder(&r->tree, "proc/self");
	fake_file(&r->tree, "proc/loadavg", "0.21 0.17 0.11 1/95 25491\n");
	rec_opts_init(&r->o);
	diag_init(&r->diag);
	r->o.diag = &r->diag;
	r->procfs = xasprintf("%s/proc", r->tree.root);
	r->sysfs = xasprintf("%s/sys", r->tree.root);
	r->o.host.procfs = r->procfs;
	r->o.host.sysfs = r->sysfs;
}

static void rig_fini(struct rig *r)
{
	target_fini(&r->t);
	diag_fini(&r->diag);
	fake_tree_free(&r->tree);
	free(r->procfs);
	free(r->sysfs);
}

static int init(struct rig *r)
{
	target_fini(&r->t);
	return target_init(&r->t, &r->o, &r->e);
}

static void check_thread(const struct rig *r, size_t i, s32 pid, s32 tid, const char *comm)
{
	CHECK(i < r->t.nr_threads);
	CHECK_EQ(r->t.threads[i].pid, pid);
	CHECK_EQ(r->t.threads[i].tid, tid);
	CHECK_STR(r->t.threads[i].comm, comm);
	CHECK(!r->t.threads[i].gone);
}

static void check_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		unit_fail(__FILE__, __LINE__, "no '%s' in '%s'", part, text);
}

static char program[] = "true";
static char *command[] = { program, NULL };

TEST(without_anything_it_is_the_system)
{
	struct rig r;

	rig_init(&r);
	CHECK_EQ(init(&r), 0);
	CHECK_EQ(r.t.kind, REC_TARGET_SYSTEM);
	check_thread(&r, 0, -1, -1, "");
	CHECK_EQ(r.t.nr_threads, 1);
	CHECK_EQ(r.t.cpus.nr, 4);
	CHECK_EQ(r.t.cpus.cpus[3], 5);
	CHECK(!r.t.cpus_given && !r.t.any_cpu);
	rig_fini(&r);
}

TEST(a_command)
{
	struct rig r;

	rig_init(&r);
	r.o.command = command;
	CHECK_EQ(init(&r), 0);
	CHECK_EQ(r.t.kind, REC_TARGET_WORKLOAD);
	CHECK_EQ(r.t.nr_threads, 0);
	CHECK_EQ(r.t.cpus.nr, 4);
	target_set_workload(&r.t, (s32)getpid());
	CHECK_EQ(r.t.nr_threads, 1);
	CHECK_EQ(r.t.threads[0].tid, getpid());
	CHECK_EQ(target_rescan(&r.t, &r.o), 0);

	/* beside -a it only says how long */
	r.o.system_wide = true;
	CHECK_EQ(init(&r), 0);
	CHECK_EQ(r.t.kind, REC_TARGET_SYSTEM);
	target_set_workload(&r.t, 4711);
	check_thread(&r, 0, -1, -1, "");
	CHECK_EQ(r.t.nr_threads, 1);
	rig_fini(&r);
}

TEST(processes)
{
	struct rig r;

	rig_init(&r);
	r.o.pids = "12,9,12";
	CHECK_EQ(init(&r), 0);
	CHECK_EQ(r.t.kind, REC_TARGET_PIDS);
	CHECK_EQ(r.t.nr_threads, 3);
	check_thread(&r, 0, 9, 9, "root's");
	check_thread(&r, 1, 12, 12, "main");
	check_thread(&r, 2, 12, 14, "a name of 15 ch");

	/* any thread's number stands for the process, once */
	r.o.pids = "14,12";
	CHECK_EQ(init(&r), 0);
	CHECK_EQ(r.t.nr_threads, 2);
	r.o.per_thread = true;
	CHECK_EQ(init(&r), 0);
	CHECK(r.t.any_cpu);
	CHECK_EQ(r.t.cpus.nr, 0);
	rig_fini(&r);
}

TEST(processes_that_are_not_there)
{
	static const char *const bad[] = { "",    ",",   "12,", "12x",        "x",
					   "-12", "12 ", "0",   "2147483648", "12,,9" };
	struct rig r;

	rig_init(&r);
	r.o.pids = "12,4711";
	CHECK_EQ(init(&r), PERR_NOTFOUND);
	check_has(r.e.text, "no process has the PID 4711");
	CHECK_EQ(r.t.nr_threads, 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		r.o.pids = bad[i];
		CHECK_EQ(init(&r), PERR_USAGE);
	}
	rig_fini(&r);
}

TEST(threads)
{
	struct rig r;

	rig_init(&r);
	r.o.tids = "14,9";
	CHECK_EQ(init(&r), 0);
	CHECK_EQ(r.t.kind, REC_TARGET_TIDS);
	CHECK_EQ(r.t.nr_threads, 2);
	check_thread(&r, 0, 9, 9, "root's");
	check_thread(&r, 1, 12, 14, "a name of 15 ch");
	add_task(&r, 9, 10, 0, 0, "new");
	CHECK_EQ(target_rescan(&r.t, &r.o), 0);

	r.o.tids = "15";
	CHECK_EQ(init(&r), PERR_NOTFOUND);
	check_has(r.e.text, "no thread has the TID 15");
	rig_fini(&r);
}

TEST(users)
{
	struct rig r;

	rig_init(&r);
	r.o.user = "1000";
	CHECK_EQ(init(&r), 0);
	CHECK_EQ(r.t.kind, REC_TARGET_PIDS);
	/* 14's folder beside 12 is that of a process without tasks */
	CHECK_EQ(r.t.nr_threads, 3);
	check_thread(&r, 0, 7, 7, "setuid");
	check_thread(&r, 1, 12, 12, "main");
	r.o.user = "root";
	CHECK_EQ(init(&r), 0);
	CHECK_EQ(r.t.nr_threads, 2);
	check_thread(&r, 0, 7, 7, "setuid");

	r.o.user = "54321";
	CHECK_EQ(init(&r), PERR_NOTFOUND);
	check_has(r.e.text, "no process runs as user 54321");
	r.o.user = "no such user";
	CHECK_EQ(init(&r), PERR_NOTFOUND);
	check_has(r.e.text, "no user is called 'no such user'");
	r.o.user = "1000x";
	CHECK_EQ(init(&r), PERR_NOTFOUND);
	rig_fini(&r);
}

TEST(rescan_finds_what_is_new_once)
{
	struct rig r;

	rig_init(&r);
	r.o.pids = "9,12";
	CHECK_EQ(init(&r), 0);
	CHECK_EQ(target_rescan(&r.t, &r.o), 0);
	add_task(&r, 12, 20, 1000, 1000, "new");
	add_task(&r, 7, 21, 1000, 1000, "foreign");
	CHECK_EQ(target_rescan(&r.t, &r.o), 1);
	check_thread(&r, 3, 12, 20, "new");
	/* threads of 12 stand in two places now */
	add_task(&r, 12, 22, 1000, 1000, "newer");
	add_task(&r, 9, 23, 0, 0, "other");
	CHECK_EQ(target_rescan(&r.t, &r.o), 2);
	CHECK_EQ(r.t.nr_threads, 6);
	CHECK_EQ(target_rescan(&r.t, &r.o), 0);
	rig_fini(&r);
}

TEST(rescan_of_a_user_finds_processes)
{
	struct rig r;

	rig_init(&r);
	r.o.user = "1000";
	CHECK_EQ(init(&r), 0);
	add_task(&r, 30, 30, 1000, 1000, "new");
	add_task(&r, 12, 31, 1000, 1000, "thread");
	add_task(&r, 32, 32, 0, 0, "root's");
	CHECK_EQ(target_rescan(&r.t, &r.o), 2);
	CHECK_EQ(target_rescan(&r.t, &r.o), 0);
	rig_fini(&r);
}

TEST(cpus)
{
	struct rig r;

	rig_init(&r);
	r.o.cpus = "5,0-1";
	r.o.command = command;
	CHECK_EQ(init(&r), 0);
	CHECK_EQ(r.t.kind, REC_TARGET_SYSTEM);
	CHECK(r.t.cpus_given);
	CHECK_EQ(r.t.cpus.nr, 3);
	CHECK_EQ(r.t.cpus.cpus[2], 5);

	r.o.cpus = "0,3";
	CHECK_EQ(init(&r), PERR_USAGE);
	check_has(r.e.text, "CPU 3 is not online");
	CHECK_EQ(r.t.cpus.nr, 0);
	r.o.cpus = "0-x";
	CHECK_EQ(init(&r), PERR_USAGE);
	check_has(r.e.text, "-C: ");
	rig_fini(&r);
}

TEST(side_band_of_some_cpus_comes_from_all)
{
	struct rec_evlist l;
	struct rec_event *ev, *side;
	struct rig r;

	rig_init(&r);
	evlist_init(&l);
	ev = evlist_add(&l, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	side = evlist_add(&l, "dummy", PD_TYPE_SOFTWARE, 9);
	side->is_dummy = side->is_tracking = true;
	r.o.cpus = "1,5";
	CHECK_EQ(init(&r), 0);
	target_spread_side_band(&r.t, &l, &r.o);
	CHECK(r.t.cpus.nr > 2);
	CHECK(side->pmu_cpus == NULL);
	CHECK_EQ(ev->pmu_cpus->nr, 2);
	CHECK_EQ(ev->pmu_cpus->cpus[1], 5);
	evlist_fini(&l);
	rig_fini(&r);
}

TEST(what_wins_where_several_are_given)
{
	struct rig r;

	rig_init(&r);
	r.o.pids = "12";
	r.o.tids = "9";
	r.o.user = "root";
	r.o.cpus = "0";
	r.o.command = command;
	CHECK_EQ(init(&r), 0);
	CHECK_EQ(r.t.kind, REC_TARGET_PIDS);
	CHECK_EQ(r.t.nr_threads, 2);
	/* as perf: "PID/TID switch overriding CPU" */
	CHECK_EQ(r.t.cpus.nr, 4);
	CHECK(!r.t.cpus_given);
	CHECK_EQ(r.diag.nr, 3);

	r.o.pids = NULL;
	CHECK_EQ(init(&r), 0);
	CHECK_EQ(r.t.kind, REC_TARGET_TIDS);
	check_thread(&r, 0, 9, 9, "root's");

	r.o.tids = r.o.user = r.o.cpus = NULL;
	r.o.per_thread = r.o.system_wide = true;
	CHECK_EQ(init(&r), 0);
	CHECK_EQ(r.t.kind, REC_TARGET_SYSTEM);
	CHECK(!r.t.any_cpu);
	check_has(r.diag.entries[r.diag.nr - 1].text, "--per-thread is ignored");
	rig_fini(&r);
}

TEST(cgroups_need_the_system)
{
	struct rig r;

	rig_init(&r);
	r.o.cgroups = "grp";
	r.o.command = command;
	CHECK_EQ(init(&r), PERR_USAGE);
	check_has(r.e.text, "-G");
	r.o.system_wide = true;
	CHECK_EQ(init(&r), 0);
	rig_fini(&r);
}

TEST(a_sysfs_without_cpus)
{
	struct rig r;

	rig_init(&r);
	fake_file(&r.tree, "sys/devices/system/cpu/online", "zero\n");
	CHECK_EQ(init(&r), PERR_USAGE);
	check_has(r.e.text, "cpu/online");
	r.o.host.sysfs = "/nonexistent";
	CHECK_EQ(init(&r), PERR_IO);
	check_has(r.e.text, "/nonexistent/devices/system/cpu/online");
	rig_fini(&r);
}

TEST(odd_files_in_proc)
{
	struct rig r;
	struct proc_status st;
	char comm[16];

	rig_init(&r);
	fake_file(&r.tree, "proc/50/status", "%s", "");
	CHECK(!proc_status_read(r.procfs, "50", &st));
	fake_file(&r.tree, "proc/50/status", "Tgid:\tx\nUid:\t\n%0600d\n", 1);
	CHECK(!proc_status_read(r.procfs, "50", &st));
	fake_file(&r.tree, "proc/50/status", "Tgid:\t50\n");
	CHECK(proc_status_read(r.procfs, "50", &st));
	CHECK_EQ(st.euid, UINT32_MAX);
	fake_file(&r.tree, "proc/50/comm", "%s", "a very long name without an end");
	proc_comm_read(r.procfs, 50, comm);
	CHECK_STR(comm, "a very long nam");
	proc_comm_read(r.procfs, 51, comm);
	CHECK_STR(comm, "");
	CHECK_EQ(proc_newest_tid(r.procfs), 25491);
	fake_file(&r.tree, "proc/loadavg", "0.21\n");
	CHECK_EQ(proc_newest_tid(r.procfs), 0);
	fake_folder(&r.tree, "proc/60/task/99999999999");
	fake_folder(&r.tree, "proc/60/task/6x");
	r.o.pids = "60";
	CHECK_EQ(init(&r), PERR_NOTFOUND);
	rig_fini(&r);
}

struct worker {
	pthread_barrier_t ready, end;
	s32 tid;
};

static void *work(void *arg)
{
	struct worker *w = arg;

	w->tid = (s32)syscall(SYS_gettid);
	pthread_barrier_wait(&w->ready);
	pthread_barrier_wait(&w->end);
	return NULL;
}

static void start_worker(struct worker *w, pthread_t *th)
{
	pthread_barrier_init(&w->ready, NULL, 2);
	pthread_barrier_init(&w->end, NULL, 2);
	CHECK_EQ(pthread_create(th, NULL, work, w), 0);
	pthread_barrier_wait(&w->ready);
}

static bool has_tid(const struct rec_target *t, s32 tid)
{
	for (size_t i = 0; i < t->nr_threads; i++)
		if (t->threads[i].tid == tid)
			return t->threads[i].pid == (s32)getpid();
	return false;
}

TEST(own_threads)
{
	struct rec_opts o;
	struct rec_target t;
	struct perr e;
	struct worker a, b;
	pthread_t ta, tb;
	char pid[16];
	s32 newest;
	s64 pid_max;

	rec_opts_init(&o);
	CHECK_EQ(rec_host_number("/proc", "sys/kernel/pid_max", &pid_max), 0);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	o.pids = pid;
	start_worker(&a, &ta);
	CHECK_EQ(target_init(&t, &o, &e), 0);
	CHECK(has_tid(&t, (s32)getpid()));
	CHECK(has_tid(&t, a.tid));
	CHECK(t.cpus.nr > 0);
	newest = proc_newest_tid("/proc");
	CHECK(newest > 0);
	start_worker(&b, &tb);
	CHECK(!has_tid(&t, b.tid));
	CHECK(target_rescan(&t, &o) >= 1);
	CHECK(has_tid(&t, b.tid));
	CHECK(tid_is_older(a.tid, newest, proc_newest_tid("/proc"), (s32)pid_max));
	CHECK(!tid_is_older(b.tid, newest, proc_newest_tid("/proc"), (s32)pid_max));
	pthread_barrier_wait(&a.end);
	pthread_barrier_wait(&b.end);
	pthread_join(ta, NULL);
	pthread_join(tb, NULL);
	target_fini(&t);
	rec_opts_fini(&o);
}

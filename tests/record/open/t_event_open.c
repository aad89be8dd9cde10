/* SPDX-License-Identifier: MIT */
/* Opening of events against a kernel made of callbacks: order, places, cgroups, filters. */
#include "record/open/event_open.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"
#include "tests/record/open/use_event_open.h"

TEST(every_cpu_and_thread_has_its_place)
{
	struct rig r;
	struct rec_event *a, *b;

	rig_init(&r, 2, 3);
	a = rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	b = rig_add(&r, "faults", PD_TYPE_SOFTWARE, 2);
	CHECK_EQ(rig_open(&r), 0);
	CHECK_EQ(r.k->nr, 12);
	CHECK_EQ(a->nr_fds, 6);
	CHECK_EQ(r.diag.nr, 0);
	for (size_t i = 0; i < r.k->nr; i++) {
		const struct call *c = &r.k->calls[i];
		const struct rec_event *ev = c->attr.config ? b : a;
		size_t at = (size_t)c->cpu * 3 + (size_t)(c->pid - 100);

		CHECK_EQ(c->flags, PERF_FLAG_FD_CLOEXEC);
		CHECK_EQ(c->group_fd, -1);
		CHECK_EQ(ev->fds[at], c->result);
		CHECK_EQ(ev->ids[at], 1000 + i + 1);
		CHECK_EQ(c->attr.flags, ev->attr.flags);
		CHECK_EQ(c->attr.sample_period_or_freq, 4000);
		/* thread by thread, event by event, CPU by CPU */
		CHECK_EQ(c->pid, 100 + i / 4);
		CHECK_EQ(c->attr.config, i / 2 % 2 ? 2 : 0);
		CHECK_EQ(c->cpu, i % 2);
	}
	rig_fini(&r);
}

TEST(per_thread_has_no_cpu)
{
	struct rig r;

	rig_init(&r, 0, 2);
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	CHECK_EQ(rig_open(&r), 0);
	CHECK_EQ(r.k->nr, 2);
	CHECK_EQ(r.k->calls[0].cpu, -1);
	CHECK_EQ(r.k->calls[1].pid, 101);
	CHECK_EQ(r.l.events[0]->nr_fds, 2);
	rig_fini(&r);
}

TEST(system_wide_is_no_thread)
{
	struct rig r;

	rig_init(&r, 2, 0);
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	CHECK_EQ(rig_open(&r), 0);
	CHECK_EQ(r.k->calls[0].pid, -1);
	CHECK_EQ(r.k->calls[1].cpu, 1);
	rig_fini(&r);
}

TEST(pmu_events_on_the_pmus_cpus_only)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 4, 0);
	ev = rig_add(&r, "power/energy-pkg/", 9, 2);
	ev->pmu_cpus = xcalloc(1, sizeof(*ev->pmu_cpus));
	CHECK_EQ(cpu_list_parse("2", ev->pmu_cpus, &r.e), 0);
	CHECK_EQ(rig_open(&r), 0);
	CHECK_EQ(r.k->nr, 1);
	CHECK_EQ(r.k->calls[0].cpu, 2);
	CHECK_EQ(ev->fds[0], -1);
	CHECK(ev->fds[2] >= 0);
	rig_fini(&r);
}

TEST(members_stand_behind_their_leader)
{
	struct rig r;

	rig_init(&r, 2, 2);
	for (u64 i = 0; i < 3; i++)
		rig_add(&r, "e", PD_TYPE_SOFTWARE, i);
	rig_make_group(&r, 1, 2);
	CHECK_EQ(rig_open(&r), 0);
	for (size_t i = 0; i < 4; i++)
		for (size_t n = 0; n < r.k->nr; n++)
			if (r.k->calls[n].result == r.l.events[2]->fds[i])
				CHECK_EQ(r.k->calls[n].group_fd, r.l.events[1]->fds[i]);
	CHECK_EQ(r.k->calls[0].group_fd, -1);
	CHECK_EQ(r.k->calls[2].group_fd, -1);
	rig_fini(&r);
}

TEST(uprobe_path_is_in_the_kernels_attr_only)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 1, 1);
	ev = rig_add(&r, "uprobe:./a:main", 8, 0);
	ev->uprobe_path = xstrdup("/bin/true");
	ev->attr.config2 = 0x1139;
	CHECK_EQ(rig_open(&r), 0);
	CHECK_EQ(r.k->calls[0].raw_config1, (uintptr_t)ev->uprobe_path);
	CHECK_EQ(r.k->calls[0].attr.config2, 0x1139);
	CHECK_EQ(ev->attr.config1, 0);
	rig_fini(&r);
}

/* Threads 100 and 102 have ended. */
static int even_threads_ended(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	return c->pid > 0 && c->pid % 2 == 0 ? ESRCH : 0;
}

TEST(events_of_the_whole_system_beside_threads)
{
	struct rig r;
	struct rec_event *clock, *one, *two;
	size_t nr_whole = 0;

	rig_init(&r, 2, 3);
	clock = rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	one = rig_add(&r, "uprobe:a:f", 8, 0);
	two = rig_add(&r, "uprobe:a:g", 8, 0);
	one->whole_system = two->whole_system = true;
	rig_make_group(&r, 1, 2);
	r.k->refuse = even_threads_ended;
	CHECK_EQ(rig_open(&r), 0);
	CHECK_EQ(one->nr_fds, 6);
	for (size_t i = 0; i < 6; i++) {
		/* once on each CPU, in the first thread's place, though that has ended */
		CHECK_EQ(one->fds[i] >= 0, i % 3 == 0);
		CHECK_EQ(two->fds[i] >= 0, i % 3 == 0);
		CHECK_EQ(clock->fds[i] >= 0, i % 3 == 1);
	}
	for (size_t i = 0; i < r.k->nr; i++) {
		const struct call *c = &r.k->calls[i];

		if (c->attr.type != 8)
			continue;
		nr_whole++;
		CHECK_EQ(c->pid, -1);
		if (c->result == two->fds[3 * c->cpu])
			CHECK_EQ(c->group_fd, one->fds[3 * c->cpu]);
	}
	CHECK_EQ(nr_whole, 4);
	rig_fini(&r);
}

TEST(cgroups_are_descriptors)
{
	struct rig r;
	struct rec_event *a, *b;

	rig_init(&r, 2, 0);
	a = rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	b = rig_add(&r, "faults", PD_TYPE_SOFTWARE, 2);
	a->cgroup = xstrdup("grp one");
	fake_folder(&r.proc, "cg roup/grp one");
	fake_file(&r.proc, "mounts",
		  "none /elsewhere cgroup2 rw 0 0\n"
		  "cgroup /c/perf cgroup rw,cpu 0 0\n"
		  "cgroup %s/cg\\040roup cgroup rw,relatime,perf_event 0 0\n",
		  r.proc.root);
	CHECK_EQ(rig_open(&r), 0);
	CHECK(a->cgroup_fd > 2);
	CHECK_EQ(b->cgroup_fd, -1);
	CHECK_EQ(r.k->nr, 4);
	CHECK_EQ(r.k->calls[0].pid, a->cgroup_fd);
	CHECK_EQ(r.k->calls[0].flags, PERF_FLAG_FD_CLOEXEC | PERF_FLAG_PID_CGROUP);
	CHECK_EQ(r.k->calls[1].cpu, 1);
	CHECK_EQ(r.k->calls[2].pid, -1);
	CHECK_EQ(r.k->calls[2].flags, PERF_FLAG_FD_CLOEXEC);
	rig_fini(&r);
}

TEST(a_cgroup_that_is_not_there)
{
	struct rig r;

	rig_init(&r, 1, 0);
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0)->cgroup = xstrdup("nosuch");
	fake_file(&r.proc, "mounts", "none %s cgroup2 rw 0 0\n", r.proc.root);
	CHECK_EQ(rig_open(&r), PERR_NOTFOUND);
	check_has_part(r.e.text, "-G nosuch");
	fake_file(&r.proc, "mounts", "none / ext4 rw 0 0\n");
	CHECK_EQ(rig_open(&r), PERR_NOTFOUND);
	check_has_part(r.e.text, "no cgroup hierarchy");
	CHECK_EQ(r.k->nr, 0);
	rig_fini(&r);
}

TEST(filters)
{
	struct rig r;
	struct rec_event *ev;
	char want[128];

	rig_init(&r, 2, 1);
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	ev = rig_add(&r, "sched:sched_switch", PD_TYPE_TRACEPOINT, 300);
	ev->tp_system = xstrdup("sched");
	ev->tp_name = xstrdup("sched_switch");
	CHECK_EQ(rig_open(&r), 0);
	CHECK_EQ(event_set_filters(&r.l, &r.o, &r.sys, &r.e), 0);
	CHECK_EQ(r.k->nr_filters, 0);

	ev->filter = xstrdup("prev_pid == 1 || next_pid == 1");
	CHECK_EQ(event_set_filters(&r.l, &r.o, &r.sys, &r.e), 0);
	CHECK_EQ(r.k->nr_filters, 2);
	CHECK_STR(r.k->filter, ev->filter);

	r.o.exclude_perf = true;
	CHECK_EQ(event_set_filters(&r.l, &r.o, &r.sys, &r.e), 0);
	snprintf(want, sizeof(want), "(%s) && (common_pid != %d)", ev->filter, (int)getpid());
	CHECK_STR(r.k->filter, want);

	fake_file(&r.proc, "tracing/events/sched/sched_switch/format",
		  "name: sched_switch\nID: 300\nformat:\n"
		  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		  "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		  "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n");
	char *tracefs = xasprintf("%s/tracing", r.proc.root);

	r.o.host.tracefs = tracefs;
	r.k->filter_errno = EINVAL;
	CHECK_EQ(event_set_filters(&r.l, &r.o, &r.sys, &r.e), PERR_KERNEL);
	CHECK_EQ(r.e.sys_errno, EINVAL);
	check_has_part(r.e.text, "sched:sched_switch");
	check_has_part(r.e.text, "the tracepoint's fields: prev_comm prev_pid");
	free(tracefs);
	rig_fini(&r);
}

TEST(switching)
{
	struct rig r;

	rig_init(&r, 2, 0);
	rig_add(&r, "a", PD_TYPE_SOFTWARE, 0);
	rig_add(&r, "b", PD_TYPE_SOFTWARE, 1);
	rig_add(&r, "a", PD_TYPE_SOFTWARE, 2);
	rig_add(&r, "dummy", PD_TYPE_SOFTWARE, 9)->is_dummy = true;
	rig_make_group(&r, 0, 2);
	CHECK_EQ(rig_open(&r), 0);
	CHECK_EQ(event_enable(&r.l, NULL, true, &r.sys), 4);
	CHECK_EQ(r.k->nr_on, 6); /* the member is on with its leader */
	CHECK_EQ(event_enable(&r.l, NULL, false, &r.sys), 3);
	CHECK_EQ(r.k->nr_off, 4); /* the side-band goes on */
	CHECK_EQ(event_enable(&r.l, "a", false, &r.sys), 2);
	CHECK_EQ(r.k->nr_off, 8);
	CHECK_EQ(event_enable(&r.l, "b", true, &r.sys), 1);
	CHECK_EQ(r.k->nr_on, 8);
	CHECK_EQ(event_enable(&r.l, "c", true, &r.sys), 0);
	rig_fini(&r);
}

TEST(the_log_is_perfs)
{
	struct rig r;
	char *text = NULL;
	size_t n = 0;

	rig_init(&r, 2, 0);
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.o.verbose = 2;
	r.o.log = open_memstream(&text, &n);
	CHECK_EQ(rig_open(&r), 0);
	fclose(r.o.log);
	check_has_part(text, "------------------------------------------------------------\n"
			     "perf_event_attr:\n");
	check_has_part(text, "sys_perf_event_open: pid -1  cpu 0  group_fd -1  flags 0x8 = ");
	check_has_part(text, "sys_perf_event_open: pid -1  cpu 1  group_fd -1  flags 0x8 = ");
	free(text);
	rig_fini(&r);
}

/* The real kernel, a thread of our own. */
TEST(live)
{
	struct rig r;
	struct rec_event *ev;
	pid_t child = fork();
	u64 id = 0;

	CHECK(child >= 0);
	if (!child)
		for (;;)
			pause();
	rig_init(&r, 2, 0);
	r.t.kind = REC_TARGET_WORKLOAD;
	r.t.threads[0] = (struct rec_thread){ .pid = child, .tid = child };
	r.o.host.procfs = "/proc";
	r.t.cpus.nr = 1;
	ev = rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	if (event_open_all(&r.l, &r.t, &r.o, &rec_sys_kernel, &r.e)) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		SKIP("perf_event_open: %s", r.e.text);
	}
	CHECK(ev->fds[0] > 2);
	CHECK(ev->ids[0] != 0);
	CHECK_EQ(rec_sys_kernel.ioctl(NULL, ev->fds[0], PERF_EVENT_IOC_ID, (u64)(uintptr_t)&id), 0);
	CHECK_EQ(id, ev->ids[0]);
	CHECK_EQ(event_enable(&r.l, NULL, true, &rec_sys_kernel), 1);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	rig_fini(&r);

	/* and the child that has ended */
	rig_init(&r, 1, 0);
	r.t.kind = REC_TARGET_WORKLOAD;
	r.t.threads[0] = (struct rec_thread){ .pid = child, .tid = child };
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	CHECK_EQ(event_open_all(&r.l, &r.t, &r.o, &rec_sys_kernel, &r.e), PERR_KERNEL);
	check_has_part(r.e.text, "ended before it could be recorded");
	rig_fini(&r);
}

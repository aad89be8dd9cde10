/* SPDX-License-Identifier: MIT */
/* Threads that end or start, CPUs that go offline and limits of files while events are opened. */
#include "record/open/event_open.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "base/mem.h"
#include "record/host/proc_threads.h"
#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"
#include "tests/record/open/use_event_open.h"

static int second_thread_gone(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	/* it ends between its two CPUs */
	return c->pid == 101 && c->cpu == 1 ? ESRCH : 0;
}

TEST(threads_that_end_are_left_out)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 2, 3);
	ev = rig_add_cycles(&r);
	r.k->refuse = second_thread_gone;
	CHECK_EQ(rig_open(&r), 0);
	CHECK(r.t.threads[1].gone);
	CHECK(!r.t.threads[2].gone);
	CHECK_EQ(ev->fds[1], -1);
	CHECK_EQ(ev->fds[4], -1);
	CHECK_EQ(ev->ids[1], 0);
	CHECK(ev->fds[0] >= 0 && ev->fds[2] >= 0 && ev->fds[5] >= 0);
	/* the thread's end is no reason for less precision */
	CHECK_EQ(pd_attr_precise(&ev->attr), 3);
	check_has_part(rig_only_note(&r), "1 of 3 threads ended");
	rig_fini(&r);
}

static int all_gone(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	(void)c;
	return ESRCH;
}

TEST(nothing_is_left_when_all_threads_end)
{
	struct rig r;

	rig_init(&r, 2, 2);
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.k->refuse = all_gone;
	CHECK_EQ(rig_open(&r), PERR_KERNEL);
	CHECK_EQ(r.e.sys_errno, ESRCH);
	check_has_part(r.e.text, "all 2 threads");
	rig_fini(&r);
}

static int foreign_thread(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	return c->pid == 101 ? EACCES : 0;
}

TEST(a_foreign_thread_among_others_is_left_out)
{
	struct rig r;

	rig_init(&r, 1, 3);
	r.o.user = "someone";
	fake_file(&r.proc, "sys/kernel/perf_event_paranoid", "1\n");
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.k->refuse = foreign_thread;
	CHECK_EQ(rig_open(&r), 0);
	CHECK_STR(r.l.events[0]->name, "cpu-clock");
	CHECK(r.t.threads[1].gone);
	check_has_part(rig_only_note(&r),
		       "not permitted to record 1 of 3 threads, such as 101 (busy): they "
		       "are left out");
	rig_fini(&r);
}

static int few_files(struct fake_kernel *k, const struct call *c)
{
	struct rlimit lim;

	(void)c;
	CHECK(!getrlimit(RLIMIT_NOFILE, &lim));
	k->seen++;
	return k->seen > 3 && lim.rlim_cur < 150 ? EMFILE : 0;
}

TEST(the_limit_of_open_files_is_raised)
{
	struct rlimit low = { 100, 200 }, now;
	struct rig r;

	rig_init(&r, 2, 3);
	if (setrlimit(RLIMIT_NOFILE, &low))
		SKIP("the limit of open files cannot be set");
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.k->refuse = few_files;
	CHECK_EQ(rig_open(&r), 0);
	CHECK(!getrlimit(RLIMIT_NOFILE, &now));
	CHECK_EQ(now.rlim_cur, 200);
	CHECK_EQ(r.k->nr, 7);
	rig_fini(&r);
}

TEST(the_limit_is_raised_ahead_where_it_is_too_low_for_sure)
{
	struct rlimit low = { 70, 200 }, now;
	struct rig r;

	rig_init(&r, 4, 3);
	if (setrlimit(RLIMIT_NOFILE, &low))
		SKIP("the limit of open files cannot be set");
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	CHECK_EQ(rig_open(&r), 0);
	CHECK(!getrlimit(RLIMIT_NOFILE, &now));
	CHECK_EQ(now.rlim_cur, 200);
	rig_fini(&r);
}

static int never_enough_files(struct fake_kernel *k, const struct call *c)
{
	(void)c;
	return k->seen++ > 3 ? EMFILE : 0;
}

TEST(too_many_files_say_how_many)
{
	struct rlimit low = { 100, 100 };
	struct rig r;

	rig_init(&r, 2, 3);
	if (setrlimit(RLIMIT_NOFILE, &low))
		SKIP("the limit of open files cannot be set");
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	rig_add(&r, "faults", PD_TYPE_SOFTWARE, 2);
	r.k->refuse = never_enough_files;
	CHECK_EQ(rig_open(&r), PERR_KERNEL);
	CHECK_EQ(r.e.sys_errno, EMFILE);
	check_has_part(r.e.text, "this recording needs 76");
	check_has_part(r.e.text, "the limit is 100");
	check_has_part(r.e.text, "ulimit -n 76");
	CHECK_EQ(r.l.nr, 2);
	rig_fini(&r);
}

static int cpu_one_offline(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	return c->cpu == 1 ? ENODEV : 0;
}

TEST(a_cpu_that_went_offline_is_left_out)
{
	struct rig r;

	rig_init(&r, 3, 0);
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.k->refuse = cpu_one_offline;
	CHECK_EQ(rig_open(&r), 0);
	CHECK_EQ(r.l.events[0]->fds[1], -1);
	CHECK(r.l.events[0]->fds[2] >= 0);
	check_has_part(rig_only_note(&r), "CPU 1 went offline");
	rig_fini(&r);
}

static int interrupted_once(struct fake_kernel *k, const struct call *c)
{
	(void)c;
	return k->seen++ ? 0 : EINTR;
}

TEST(a_signal_is_no_refusal)
{
	struct rig r;

	rig_init(&r, 1, 1);
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.k->refuse = interrupted_once;
	CHECK_EQ(rig_open(&r), 0);
	CHECK_EQ(r.k->nr, 2);
	CHECK_EQ(r.diag.nr, 0);
	rig_fini(&r);
}

/*
 * Thread 100 of process 100 is known. 101 came between the scan and the first open (the newest
 * thread is 105 then), 110 while it was opened, so 110 may have inherited.
 */
static int threads_start(struct fake_kernel *k, const struct call *c)
{
	const struct fake_tree *proc = (const void *)k->filter;

	if (c->pid == 100 && !k->seen++) {
		fake_folder(proc, "100/task/101");
		fake_folder(proc, "100/task/110");
		fake_file(proc, "loadavg", "0.1 0.1 0.1 1/95 112\n");
	}
	return 0;
}

static void open_with_newcomers(struct rig *r, bool inherit)
{
	rig_init(r, 2, 1);
	r->t.kind = REC_TARGET_PIDS;
	fake_folder(&r->proc, "100/task/100");
	fake_file(&r->proc, "loadavg", "0.1 0.1 0.1 1/95 105\n");
	if (!inherit)
		rig_add(r, "cpu-clock", PD_TYPE_SOFTWARE, 0)->attr.flags &= ~FLAG(INHERIT);
	else
		rig_add(r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	memcpy(r->k->filter, &r->proc, sizeof(r->proc));
	r->k->refuse = threads_start;
	CHECK_EQ(rig_open(r), 0);
}

TEST(newcomers_that_cannot_have_inherited_are_opened)
{
	struct rig r;
	const struct rec_event *ev;

	open_with_newcomers(&r, true);
	ev = r.l.events[0];
	CHECK_EQ(r.t.nr_threads, 2);
	CHECK_EQ(r.t.threads[1].tid, 101);
	CHECK_EQ(r.k->nr, 4);
	CHECK_EQ(ev->nr_fds, 4);
	/* [cpu * 2 + thread], what was open before has moved */
	CHECK_EQ(ev->fds[0], r.k->calls[0].result);
	CHECK_EQ(ev->fds[2], r.k->calls[1].result);
	CHECK_EQ(ev->fds[1], r.k->calls[2].result);
	CHECK_EQ(ev->fds[3], r.k->calls[3].result);
	CHECK_EQ(ev->ids[2], 1002);
	CHECK_EQ(r.k->calls[2].pid, 101);
	rig_fini(&r);
}

TEST(without_inheritance_every_newcomer_is_opened)
{
	struct rig r;

	open_with_newcomers(&r, false);
	CHECK_EQ(r.t.nr_threads, 3);
	CHECK_EQ(r.k->nr, 6);
	rig_fini(&r);
}

TEST(thread_numbers_tell_the_age)
{
	CHECK(tid_is_older(100, 100, 110, 32768));
	CHECK(tid_is_older(7, 100, 110, 32768));
	CHECK(!tid_is_older(101, 100, 110, 32768));
	CHECK(!tid_is_older(110, 100, 110, 32768));
	/* the numbers began anew */
	CHECK(tid_is_older(32700, 32760, 310, 32768));
	CHECK(!tid_is_older(32765, 32760, 310, 32768));
	CHECK(!tid_is_older(305, 32760, 310, 32768));
	CHECK(tid_is_older(400, 32760, 310, 32768));
}

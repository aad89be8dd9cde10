/* SPDX-License-Identifier: MIT */
/* Opening of events against a kernel made of callbacks: order, groups, every fall-back. */
#include "record/open/event_open.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/host/proc_threads.h"
#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"

#define FLAG(name) (1ull << PD_ATTR_##name)
#define MAX_CALLS 512

struct call {
	struct pd_attr attr;
	u64 raw_config1;
	s32 pid, cpu;
	int group_fd;
	unsigned long flags;
	int result;
};

/* The kernel of a test: refuse() says the errno for an attempt, 0 to open. */
struct fake_kernel {
	struct call calls[MAX_CALLS];
	size_t nr;
	int (*refuse)(struct fake_kernel *k, const struct call *c);
	u64 last_id;
	int nr_open;
	u32 seen; /* for refuse() */
	char filter[128];
	size_t nr_filters, nr_on, nr_off;
	int filter_errno;
};

static int fake_open(void *ctx, const void *attr, size_t size, s32 pid, s32 cpu, int group_fd,
		     unsigned long flags)
{
	struct fake_kernel *k = ctx;
	struct call *c = &k->calls[k->nr];
	struct cursor cur = cursor_of(span_of(attr, size), false);
	struct perr e;
	int err;

	CHECK(k->nr < MAX_CALLS);
	CHECK(!pd_attr_decode(&cur, &c->attr, &e));
	CHECK_EQ(c->attr.size, size);
	c->raw_config1 = c->attr.config1;
	c->pid = pid;
	c->cpu = cpu;
	c->group_fd = group_fd;
	c->flags = flags;
	err = k->refuse ? k->refuse(k, c) : 0;
	c->result = err ? -err : eventfd(0, EFD_CLOEXEC);
	k->nr++;
	return c->result;
}

static int fake_ioctl(void *ctx, int fd, unsigned long request, u64 arg)
{
	struct fake_kernel *k = ctx;

	CHECK(fd > 2);
	if (request == PERF_EVENT_IOC_ID) {
		u64 id = 1000 + ++k->last_id;

		memcpy((void *)(uintptr_t)arg, &id, sizeof(id));
	} else if (request == PERF_EVENT_IOC_SET_FILTER) {
		snprintf(k->filter, sizeof(k->filter), "%s", (const char *)(uintptr_t)arg);
		k->nr_filters++;
		return -k->filter_errno;
	} else if (request == PERF_EVENT_IOC_ENABLE) {
		k->nr_on++;
	} else if (request == PERF_EVENT_IOC_DISABLE) {
		k->nr_off++;
	}
	return 0;
}

/* All that one case needs. */
struct rig {
	struct fake_tree proc;
	struct fake_kernel *k;
	struct rec_sys sys;
	struct rec_evlist l;
	struct rec_target t;
	struct rec_opts o;
	struct diag diag;
	struct perr e;
};

static void rig_init(struct rig *r, size_t nr_cpus, size_t nr_threads)
{
	memset(r, 0, sizeof(*r));
	r->proc = fake_tree_new();
	fake_file(&r->proc, "sys/kernel/perf_event_paranoid", "2\n");
	fake_file(&r->proc, "sys/kernel/perf_event_max_sample_rate", "100000\n");
	fake_file(&r->proc, "sys/kernel/pid_max", "32768\n");
	fake_file(&r->proc, "self/status", "Tgid:\t9\nUid:\t1000\t1000\t1000\t1000\nCapEff:\t0\n");
	r->k = xcalloc(1, sizeof(*r->k));
	r->sys = (struct rec_sys){ fake_open, fake_ioctl, r->k };
	evlist_init(&r->l);
	r->l.attr_size = 128;
	rec_opts_init(&r->o);
	r->o.host.procfs = r->proc.root;
	diag_init(&r->diag);
	r->o.diag = &r->diag;
	r->t.kind = nr_threads ? REC_TARGET_TIDS : REC_TARGET_SYSTEM;
	for (u32 i = 0; i < nr_cpus; i++)
		vec_push(r->t.cpus.cpus, r->t.cpus.nr, r->t.cpus.cap, i);
	r->t.any_cpu = !nr_cpus;
	for (s32 i = 0; i < (s32)nr_threads; i++)
		vec_push(r->t.threads, r->t.nr_threads, r->t.cap_threads,
			 ((struct rec_thread){ .pid = 100, .tid = 100 + i, .comm = "busy" }));
	if (!nr_threads)
		vec_push(r->t.threads, r->t.nr_threads, r->t.cap_threads,
			 ((struct rec_thread){ .pid = -1, .tid = -1 }));
}

static void rig_fini(struct rig *r)
{
	event_close_all(&r->l, &r->sys);
	evlist_fini(&r->l);
	target_fini(&r->t);
	diag_fini(&r->diag);
	fake_tree_free(&r->proc);
	free(r->k);
}

static struct rec_event *add(struct rig *r, const char *name, u32 type, u64 config)
{
	struct rec_event *ev = evlist_add(&r->l, name, type, config);

	ev->attr.flags = FLAG(DISABLED) | FLAG(INHERIT) | FLAG(SAMPLE_ID_ALL) | FLAG(FREQ);
	ev->attr.sample_period_or_freq = 4000;
	ev->attr.sample_type = PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME;
	ev->attr.read_format = PD_FORMAT_ID | PD_FORMAT_LOST;
	if (r->l.nr == 1) {
		ev->is_tracking = true;
		ev->attr.flags |= FLAG(MMAP) | FLAG(MMAP2) | FLAG(COMM) | FLAG(TASK);
	}
	return ev;
}

static struct rec_event *add_cycles(struct rig *r)
{
	struct rec_event *ev = add(r, "cycles", PD_TYPE_HARDWARE, 0);

	ev->is_default = ev->precise_max = true;
	ev->attr.flags |= 3ull << PD_ATTR_PRECISE_IP;
	return ev;
}

/* Makes events first.. of the list one group. */
static void make_group(struct rig *r, u32 first, u32 nr)
{
	for (u32 i = first; i < first + nr; i++) {
		struct rec_event *ev = r->l.events[i];

		ev->in_group = true;
		ev->leader_idx = first;
		ev->nr_members = i == first ? nr : 0;
		if (i != first)
			ev->attr.flags &= ~FLAG(DISABLED);
	}
}

static int open_all(struct rig *r)
{
	return event_open_all(&r->l, &r->t, &r->o, &r->sys, &r->e);
}

static const char *only_note(struct rig *r)
{
	CHECK_EQ(r->diag.nr, 1);
	return r->diag.entries[0].text;
}

static void check_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		unit_fail(__FILE__, __LINE__, "no '%s' in '%s'", part, text);
}

TEST(every_cpu_and_thread_has_its_place)
{
	struct rig r;
	struct rec_event *a, *b;

	rig_init(&r, 2, 3);
	a = add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	b = add(&r, "faults", PD_TYPE_SOFTWARE, 2);
	CHECK_EQ(open_all(&r), 0);
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
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	CHECK_EQ(open_all(&r), 0);
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
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	CHECK_EQ(open_all(&r), 0);
	CHECK_EQ(r.k->calls[0].pid, -1);
	CHECK_EQ(r.k->calls[1].cpu, 1);
	rig_fini(&r);
}

TEST(pmu_events_on_the_pmus_cpus_only)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 4, 0);
	ev = add(&r, "power/energy-pkg/", 9, 2);
	ev->pmu_cpus = xcalloc(1, sizeof(*ev->pmu_cpus));
	CHECK_EQ(cpu_list_parse("2", ev->pmu_cpus, &r.e), 0);
	CHECK_EQ(open_all(&r), 0);
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
		add(&r, "e", PD_TYPE_SOFTWARE, i);
	make_group(&r, 1, 2);
	CHECK_EQ(open_all(&r), 0);
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
	ev = add(&r, "uprobe:./a:main", 8, 0);
	ev->uprobe_path = xstrdup("/bin/true");
	ev->attr.config2 = 0x1139;
	CHECK_EQ(open_all(&r), 0);
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
	clock = add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	one = add(&r, "uprobe:a:f", 8, 0);
	two = add(&r, "uprobe:a:g", 8, 0);
	one->whole_system = two->whole_system = true;
	make_group(&r, 1, 2);
	r.k->refuse = even_threads_ended;
	CHECK_EQ(open_all(&r), 0);
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

static int no_hardware(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	return c->attr.type == PD_TYPE_HARDWARE ? ENOENT : 0;
}

TEST(cycles_become_cpu_clock_without_a_pmu)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 2, 1);
	ev = add_cycles(&r);
	r.k->refuse = no_hardware;
	CHECK_EQ(open_all(&r), 0);
	/* 3, 2, 1, 0, then the clock, which keeps what was asked for, as perf's does */
	CHECK_EQ(r.k->nr, 6);
	for (u32 i = 0; i < 4; i++)
		CHECK_EQ(pd_attr_precise(&r.k->calls[i].attr), 3 - i);
	CHECK_EQ(r.k->calls[4].attr.type, PD_TYPE_SOFTWARE);
	CHECK_EQ(r.k->calls[4].attr.config, 0);
	CHECK_EQ(pd_attr_precise(&r.k->calls[4].attr), 3);
	CHECK_EQ(ev->attr.type, PD_TYPE_SOFTWARE);
	CHECK_STR(ev->name, "cpu-clock");
	check_has(only_note(&r),
		  "no hardware counter for cycles on this machine: sampling cpu-clock instead");
	rig_fini(&r);
}

static int precise_two(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	return pd_attr_precise(&c->attr) > 2 ? EOPNOTSUPP : 0;
}

TEST(precision_goes_down_in_silence)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 2, 1);
	ev = add_cycles(&r);
	r.k->refuse = precise_two;
	CHECK_EQ(open_all(&r), 0);
	CHECK_EQ(r.k->nr, 3);
	CHECK_EQ(pd_attr_precise(&ev->attr), 2);
	CHECK_EQ(r.diag.nr, 0);
	CHECK_STR(ev->name, "cycles");
	rig_fini(&r);
}

TEST(precision_that_was_asked_for_stays)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 1, 1);
	ev = add_cycles(&r);
	ev->precise_max = false;
	r.k->refuse = precise_two;
	CHECK_EQ(open_all(&r), PERR_KERNEL);
	CHECK_EQ(r.e.sys_errno, EOPNOTSUPP);
	check_has(r.e.text, "precise");
	CHECK_EQ(pd_attr_precise(&ev->attr), 3);
	CHECK(!pd_attr_has(&ev->attr, PD_ATTR_EXCLUDE_GUEST));
	CHECK_STR(ev->name, "cycles");
	rig_fini(&r);
}

static int paranoid_two(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	if (!(c->attr.flags & FLAG(EXCLUDE_KERNEL)))
		return EACCES;
	return c->pid < 0 ? EACCES : no_hardware(k, c);
}

TEST(user_only_where_the_kernel_is_forbidden)
{
	struct rig r;
	struct rec_event *ev, *b;

	rig_init(&r, 2, 1);
	ev = add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	b = add(&r, "probe/x/", 12, 0);
	r.k->refuse = paranoid_two;
	CHECK_EQ(open_all(&r), 0);
	CHECK_STR(ev->name, "cpu-clock:u");
	CHECK_STR(b->name, "probe/x/u");
	CHECK(pd_attr_has(&ev->attr, PD_ATTR_EXCLUDE_KERNEL));
	CHECK(pd_attr_has(&ev->attr, PD_ATTR_EXCLUDE_HV));
	/* two events, one line */
	check_has(only_note(&r), "recording user space only: kernel.perf_event_paranoid is 2");
	CHECK_EQ(r.k->nr, 6);
	rig_fini(&r);
}

TEST(user_only_and_no_pmu_together)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 1, 1);
	ev = add_cycles(&r);
	r.k->refuse = paranoid_two;
	CHECK_EQ(open_all(&r), 0);
	CHECK_STR(ev->name, "cpu-clock:u");
	CHECK_EQ(pd_attr_precise(&ev->attr), 3);
	CHECK_EQ(r.diag.nr, 2);
	check_has(r.diag.entries[0].text, "no hardware counter for cycles on this machine");
	check_has(r.diag.entries[1].text, "recording user space only");
	rig_fini(&r);
}

TEST(system_wide_needs_more_than_user_only)
{
	struct rig r;

	rig_init(&r, 2, 0);
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.k->refuse = paranoid_two;
	CHECK_EQ(open_all(&r), PERR_KERNEL);
	check_has(r.e.text, "kernel.perf_event_paranoid is 2");
	check_has(r.e.text, "sudo sysctl kernel.perf_event_paranoid=0");
	CHECK_EQ(r.diag.nr, 0);
	CHECK_STR(r.l.events[0]->name, "cpu-clock");
	CHECK_EQ(r.l.events[0]->fds[0], -1);
	rig_fini(&r);
}

/* Linux 5.4: no read LOST, no cgroup bits, no build-id bit. */
static int older_kernel(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	if (c->attr.flags & (FLAG(BUILD_ID) | FLAG(CGROUP)) || c->attr.read_format & PD_FORMAT_LOST)
		return EINVAL;
	return 0;
}

TEST(fields_an_older_kernel_does_not_know)
{
	struct rig r;
	struct rec_event *a, *b;

	rig_init(&r, 1, 1);
	a = add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	b = add(&r, "faults", PD_TYPE_SOFTWARE, 2);
	a->attr.flags |= FLAG(BUILD_ID) | FLAG(CGROUP) | FLAG(KSYMBOL);
	r.k->refuse = older_kernel;
	CHECK_EQ(open_all(&r), 0);
	CHECK_EQ(a->attr.read_format, PD_FORMAT_ID);
	CHECK_EQ(b->attr.read_format, PD_FORMAT_ID);
	CHECK(pd_attr_has(&a->attr, PD_ATTR_KSYMBOL));
	CHECK(pd_attr_has(&a->attr, PD_ATTR_MMAP2));
	CHECK(!pd_attr_has(&a->attr, PD_ATTR_BUILD_ID));
	/* whole; less LOST; less build-id; less cgroup; the second event knows it at once */
	CHECK_EQ(r.k->nr, 5);
	CHECK(r.k->calls[1].attr.flags & FLAG(BUILD_ID));
	CHECK(!(r.k->calls[2].attr.flags & FLAG(BUILD_ID)));
	CHECK(r.k->calls[2].attr.flags & FLAG(CGROUP));
	CHECK_STR(only_note(&r), "recording without features that this kernel is too old for: lost "
				 "samples by event (Linux 6.0), build-ids in mmap records (Linux "
				 "5.12), cgroups of samples (Linux 5.7)");
	rig_fini(&r);
}

/* Each knows all that came before it. */
static const struct {
	u64 flags, sample_type, read_format, branch;
	bool cloexec;
} ages[] = {
	{ .read_format = PD_FORMAT_LOST },
	{ .flags = FLAG(BUILD_ID) },
	{ .sample_type = PD_SAMPLE_WEIGHT_STRUCT },
	{ .sample_type = PD_SAMPLE_CODE_PAGE_SIZE },
	{ .sample_type = PD_SAMPLE_DATA_PAGE_SIZE },
	{ .flags = FLAG(CGROUP) },
	{ .branch = PD_BRANCH_HW_INDEX },
	{ .flags = FLAG(BPF_EVENT) },
	{ .flags = FLAG(KSYMBOL) },
	{ .cloexec = true },
	{ .flags = FLAG(MMAP2) },
	{ .flags = FLAG(EXCLUDE_GUEST) },
	{ .flags = FLAG(SAMPLE_ID_ALL) },
	{ .branch = 1ull << 14 },
};

static bool uses_age(const struct call *c, size_t i)
{
	return c->attr.flags & ages[i].flags || c->attr.sample_type & ages[i].sample_type ||
	       c->attr.read_format & ages[i].read_format ||
	       c->attr.branch_sample_type & ages[i].branch ||
	       (ages[i].cloexec && c->flags & PERF_FLAG_FD_CLOEXEC);
}

static int knows_nothing(struct fake_kernel *k, const struct call *c)
{
	u32 uses = 0;

	(void)k;
	for (size_t i = 0; i < ARRAY_SIZE(ages); i++)
		uses += uses_age(c, i);
	return uses ? EINVAL : 0;
}

TEST(newest_fields_are_dropped_first)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 1, 1);
	ev = add(&r, "cycles", PD_TYPE_RAW, 1);
	for (size_t i = 0; i < ARRAY_SIZE(ages); i++) {
		ev->attr.flags |= ages[i].flags;
		ev->attr.sample_type |= ages[i].sample_type;
		ev->attr.read_format |= ages[i].read_format;
		ev->attr.branch_sample_type |= ages[i].branch;
	}
	r.k->refuse = knows_nothing;
	CHECK_EQ(open_all(&r), 0);
	CHECK_EQ(r.k->nr, ARRAY_SIZE(ages) + 1);
	for (size_t n = 0; n < r.k->nr; n++)
		for (size_t i = 0; i < ARRAY_SIZE(ages); i++)
			CHECK_EQ(uses_age(&r.k->calls[n], i), i >= n);
	CHECK(ev->attr.sample_type & PD_SAMPLE_WEIGHT);
	rig_fini(&r);
}

static int bad_breakpoint(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	return c->attr.type == PD_TYPE_BREAKPOINT ? EINVAL : 0;
}

TEST(fields_that_an_open_event_uses_are_not_blamed)
{
	struct rig r;
	struct rec_event *a;

	rig_init(&r, 1, 1);
	a = add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	add(&r, "mem:0x1003/8:w", PD_TYPE_BREAKPOINT, 0);
	add(&r, "faults", PD_TYPE_SOFTWARE, 2);
	r.k->refuse = bad_breakpoint;
	CHECK_EQ(open_all(&r), 0);
	CHECK_EQ(r.l.nr, 2);
	CHECK_STR(r.l.events[1]->name, "faults");
	CHECK_EQ(a->attr.read_format, PD_FORMAT_ID | PD_FORMAT_LOST);
	CHECK_EQ(r.l.events[1]->attr.read_format, PD_FORMAT_ID | PD_FORMAT_LOST);
	check_has(only_note(&r), "left out: mem:0x1003/8:w: the CPU cannot watch address");
	CHECK(!strchr(only_note(&r), '\n'));
	rig_fini(&r);
}

TEST(an_invalid_event_alone_is_an_error_with_its_own_attr)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 1, 1);
	ev = add(&r, "mem:0x1003/8:w", PD_TYPE_BREAKPOINT, 0);
	r.k->refuse = bad_breakpoint;
	CHECK_EQ(open_all(&r), PERR_KERNEL);
	CHECK_EQ(r.e.sys_errno, EINVAL);
	CHECK(ev->attr.read_format & PD_FORMAT_LOST);
	CHECK(pd_attr_has(&ev->attr, PD_ATTR_SAMPLE_ID_ALL));
	CHECK_EQ(r.diag.nr, 0);
	rig_fini(&r);
}

static int no_clock(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	return c->attr.flags & FLAG(USE_CLOCKID) ? EINVAL : 0;
}

TEST(the_clock_is_not_given_up)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 1, 1);
	ev = add(&r, "cycles", PD_TYPE_HARDWARE, 0);
	ev->attr.flags |= FLAG(USE_CLOCKID);
	ev->attr.clockid = 7;
	r.k->refuse = no_clock;
	CHECK_EQ(open_all(&r), PERR_KERNEL);
	CHECK_EQ(r.e.sys_errno, EINVAL);
	check_has(r.e.text, "does not support clock 7 (-k)");
	CHECK_EQ(ev->fds[0], -1);
	CHECK_EQ(ev->attr.clockid, 7);
	rig_fini(&r);
}

static int no_backward(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	return c->attr.flags & FLAG(WRITE_BACKWARD) ? EINVAL : 0;
}

TEST(overwriting_is_not_given_up)
{
	struct rig r;

	rig_init(&r, 1, 1);
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0)->attr.flags |= FLAG(WRITE_BACKWARD);
	r.k->refuse = no_backward;
	CHECK_EQ(open_all(&r), PERR_KERNEL);
	check_has(r.e.text, "--overwrite");
	rig_fini(&r);
}

static int guests_only_known(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	return c->attr.flags & FLAG(EXCLUDE_GUEST) ? 0 : EOPNOTSUPP;
}

TEST(guests_are_left_out_where_they_cannot_be_counted)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 1, 1);
	ev = add(&r, "r76", PD_TYPE_RAW, 0x76);
	r.k->refuse = guests_only_known;
	CHECK_EQ(open_all(&r), 0);
	CHECK_STR(ev->name, "r76:H");
	CHECK(pd_attr_has(&ev->attr, PD_ATTR_EXCLUDE_GUEST));
	rig_fini(&r);
}

static int no_second_member(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	return c->group_fd >= 0 && c->attr.config == 2 ? EINVAL : 0;
}

TEST(weak_groups_are_broken_up)
{
	struct rig r;

	rig_init(&r, 2, 1);
	for (u64 i = 0; i < 3; i++)
		add(&r, "e", PD_TYPE_HARDWARE, i)->weak_group = true;
	r.l.events[0]->attr.flags |= FLAG(ENABLE_ON_EXEC);
	make_group(&r, 0, 3);
	r.k->refuse = no_second_member;
	CHECK_EQ(open_all(&r), 0);
	for (u32 i = 0; i < 3; i++) {
		const struct rec_event *ev = r.l.events[i];

		CHECK_EQ(ev->leader_idx, i);
		CHECK_EQ(ev->nr_members, 1);
		CHECK(pd_attr_has(&ev->attr, PD_ATTR_DISABLED));
		CHECK(pd_attr_has(&ev->attr, PD_ATTR_ENABLE_ON_EXEC));
		CHECK(ev->attr.read_format & PD_FORMAT_LOST);
		CHECK(ev->fds[0] >= 0 && ev->fds[1] >= 0);
	}
	check_has(only_note(&r), "broken up");
	rig_fini(&r);
}

TEST(strong_groups_lose_what_does_not_fit)
{
	struct rig r;

	rig_init(&r, 1, 1);
	for (u64 i = 0; i < 3; i++)
		add(&r, "e", PD_TYPE_HARDWARE, i + 1);
	make_group(&r, 0, 3);
	r.l.events[1]->attr.config = 9;
	r.l.events[2]->attr.config = 2;
	r.k->refuse = no_second_member;
	CHECK_EQ(open_all(&r), 0);
	CHECK_EQ(r.l.nr, 2);
	CHECK_EQ(r.l.events[0]->nr_members, 2);
	check_has(only_note(&r), "cannot count this event in one group");
	rig_fini(&r);
}

TEST(the_next_member_leads_when_the_leader_is_refused)
{
	struct rig r;
	struct rec_event *heir;

	rig_init(&r, 1, 1);
	add(&r, "instructions", PD_TYPE_HARDWARE, 1);
	heir = add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	add(&r, "faults", PD_TYPE_SOFTWARE, 2);
	make_group(&r, 0, 3);
	r.l.events[0]->sample_read = true;
	r.l.events[0]->attr.sample_type |= PD_SAMPLE_READ;
	r.l.events[0]->attr.read_format |= PD_FORMAT_GROUP;
	r.l.events[0]->attr.flags &= ~FLAG(INHERIT);
	heir->attr.sample_period_or_freq = 0;
	heir->attr.flags &= ~(FLAG(FREQ) | FLAG(INHERIT));
	r.k->refuse = no_hardware;
	CHECK_EQ(open_all(&r), 0);
	CHECK_EQ(r.l.nr, 2);
	CHECK(r.l.events[0] == heir);
	CHECK_EQ(heir->leader_idx, 0);
	CHECK_EQ(heir->nr_members, 2);
	CHECK_EQ(heir->attr.sample_period_or_freq, 4000);
	CHECK(heir->attr.sample_type & PD_SAMPLE_READ);
	CHECK(pd_attr_has(&heir->attr, PD_ATTR_DISABLED));
	CHECK(pd_attr_has(&heir->attr, PD_ATTR_MMAP2));
	CHECK(heir->is_tracking);
	CHECK_EQ(r.k->calls[r.k->nr - 1].group_fd, heir->fds[0]);
	rig_fini(&r);
}

TEST(an_unsupported_event_is_left_out)
{
	struct rig r;

	rig_init(&r, 2, 1);
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	add(&r, "instructions", PD_TYPE_HARDWARE, 1);
	r.k->refuse = no_hardware;
	CHECK_EQ(open_all(&r), 0);
	CHECK_EQ(r.l.nr, 1);
	check_has(only_note(&r), "left out: instructions: this machine offers no hardware");
	rig_fini(&r);
}

TEST(the_side_band_is_no_recording)
{
	struct rig r;

	rig_init(&r, 2, 0);
	add(&r, "instructions", PD_TYPE_HARDWARE, 1);
	add(&r, "branches", PD_TYPE_HARDWARE, 4);
	add(&r, "dummy", PD_TYPE_SOFTWARE, 9)->is_dummy = true;
	r.k->refuse = no_hardware;
	CHECK_EQ(open_all(&r), PERR_KERNEL);
	check_has(r.e.text, "instructions");
	for (size_t i = 0; i < r.l.nr; i++)
		for (size_t n = 0; n < r.l.events[i]->nr_fds; n++)
			CHECK_EQ(r.l.events[i]->fds[n], -1);
	rig_fini(&r);
}

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
	ev = add_cycles(&r);
	r.k->refuse = second_thread_gone;
	CHECK_EQ(open_all(&r), 0);
	CHECK(r.t.threads[1].gone);
	CHECK(!r.t.threads[2].gone);
	CHECK_EQ(ev->fds[1], -1);
	CHECK_EQ(ev->fds[4], -1);
	CHECK_EQ(ev->ids[1], 0);
	CHECK(ev->fds[0] >= 0 && ev->fds[2] >= 0 && ev->fds[5] >= 0);
	/* the thread's end is no reason for less precision */
	CHECK_EQ(pd_attr_precise(&ev->attr), 3);
	check_has(only_note(&r), "1 of 3 threads ended");
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
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.k->refuse = all_gone;
	CHECK_EQ(open_all(&r), PERR_KERNEL);
	CHECK_EQ(r.e.sys_errno, ESRCH);
	check_has(r.e.text, "all 2 threads");
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
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.k->refuse = foreign_thread;
	CHECK_EQ(open_all(&r), 0);
	CHECK_STR(r.l.events[0]->name, "cpu-clock");
	CHECK(r.t.threads[1].gone);
	check_has(only_note(&r), "not permitted to record 1 of 3 threads, such as 101 (busy): they "
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
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.k->refuse = few_files;
	CHECK_EQ(open_all(&r), 0);
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
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	CHECK_EQ(open_all(&r), 0);
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
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	add(&r, "faults", PD_TYPE_SOFTWARE, 2);
	r.k->refuse = never_enough_files;
	CHECK_EQ(open_all(&r), PERR_KERNEL);
	CHECK_EQ(r.e.sys_errno, EMFILE);
	check_has(r.e.text, "this recording needs 76");
	check_has(r.e.text, "the limit is 100");
	check_has(r.e.text, "ulimit -n 76");
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
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.k->refuse = cpu_one_offline;
	CHECK_EQ(open_all(&r), 0);
	CHECK_EQ(r.l.events[0]->fds[1], -1);
	CHECK(r.l.events[0]->fds[2] >= 0);
	check_has(only_note(&r), "CPU 1 went offline");
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
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.k->refuse = interrupted_once;
	CHECK_EQ(open_all(&r), 0);
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
		add(r, "cpu-clock", PD_TYPE_SOFTWARE, 0)->attr.flags &= ~FLAG(INHERIT);
	else
		add(r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	memcpy(r->k->filter, &r->proc, sizeof(r->proc));
	r->k->refuse = threads_start;
	CHECK_EQ(open_all(r), 0);
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

TEST(cgroups_are_descriptors)
{
	struct rig r;
	struct rec_event *a, *b;

	rig_init(&r, 2, 0);
	a = add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	b = add(&r, "faults", PD_TYPE_SOFTWARE, 2);
	a->cgroup = xstrdup("grp one");
	fake_folder(&r.proc, "cg roup/grp one");
	fake_file(&r.proc, "mounts",
		  "none /elsewhere cgroup2 rw 0 0\n"
		  "cgroup /c/perf cgroup rw,cpu 0 0\n"
		  "cgroup %s/cg\\040roup cgroup rw,relatime,perf_event 0 0\n",
		  r.proc.root);
	CHECK_EQ(open_all(&r), 0);
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
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0)->cgroup = xstrdup("nosuch");
	fake_file(&r.proc, "mounts", "none %s cgroup2 rw 0 0\n", r.proc.root);
	CHECK_EQ(open_all(&r), PERR_NOTFOUND);
	check_has(r.e.text, "-G nosuch");
	fake_file(&r.proc, "mounts", "none / ext4 rw 0 0\n");
	CHECK_EQ(open_all(&r), PERR_NOTFOUND);
	check_has(r.e.text, "no cgroup hierarchy");
	CHECK_EQ(r.k->nr, 0);
	rig_fini(&r);
}

TEST(filters)
{
	struct rig r;
	struct rec_event *ev;
	char want[128];

	rig_init(&r, 2, 1);
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	ev = add(&r, "sched:sched_switch", PD_TYPE_TRACEPOINT, 300);
	ev->tp_system = xstrdup("sched");
	ev->tp_name = xstrdup("sched_switch");
	CHECK_EQ(open_all(&r), 0);
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
	check_has(r.e.text, "sched:sched_switch");
	check_has(r.e.text, "the tracepoint's fields: prev_comm prev_pid");
	free(tracefs);
	rig_fini(&r);
}

TEST(switching)
{
	struct rig r;

	rig_init(&r, 2, 0);
	add(&r, "a", PD_TYPE_SOFTWARE, 0);
	add(&r, "b", PD_TYPE_SOFTWARE, 1);
	add(&r, "a", PD_TYPE_SOFTWARE, 2);
	add(&r, "dummy", PD_TYPE_SOFTWARE, 9)->is_dummy = true;
	make_group(&r, 0, 2);
	CHECK_EQ(open_all(&r), 0);
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
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.o.verbose = 2;
	r.o.log = open_memstream(&text, &n);
	CHECK_EQ(open_all(&r), 0);
	fclose(r.o.log);
	check_has(text, "------------------------------------------------------------\n"
			"perf_event_attr:\n");
	check_has(text, "sys_perf_event_open: pid -1  cpu 0  group_fd -1  flags 0x8 = ");
	check_has(text, "sys_perf_event_open: pid -1  cpu 1  group_fd -1  flags 0x8 = ");
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
	ev = add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
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
	add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	CHECK_EQ(event_open_all(&r.l, &r.t, &r.o, &rec_sys_kernel, &r.e), PERR_KERNEL);
	check_has(r.e.text, "ended before it could be recorded");
	rig_fini(&r);
}

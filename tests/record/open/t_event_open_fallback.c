/* SPDX-License-Identifier: MIT */
/* What event_open does without when the kernel refuses an attr or a field of it. */
#include "record/open/event_open.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/mem.h"
#include "tests/frame/unit.h"
#include "tests/record/open/use_event_open.h"

TEST(cycles_become_cpu_clock_without_a_pmu)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 2, 1);
	ev = rig_add_cycles(&r);
	r.k->refuse = no_hardware;
	CHECK_EQ(rig_open(&r), 0);
	/* precise_ip goes 3, 2, 1, 0; the cpu-clock fall-back then has the requested 3, as perf's
	 */
	CHECK_EQ(r.k->nr, 6);
	for (u32 i = 0; i < 4; i++)
		CHECK_EQ(pd_attr_precise(&r.k->calls[i].attr), 3 - i);
	CHECK_EQ(r.k->calls[4].attr.type, PD_TYPE_SOFTWARE);
	CHECK_EQ(r.k->calls[4].attr.config, 0);
	CHECK_EQ(pd_attr_precise(&r.k->calls[4].attr), 3);
	CHECK_EQ(ev->attr.type, PD_TYPE_SOFTWARE);
	CHECK_STR(ev->name, "cpu-clock");
	check_has_part(
		rig_only_note(&r),
		"no hardware counter for cycles on this machine: sampling cpu-clock instead");
	rig_fini(&r);
}

/* perf says nothing of its default event's clock, so pipes get nothing; of a named event they do.
 */
TEST(the_clock_of_the_default_event_is_silent_in_files)
{
	struct rig r;

	for (int named = 0; named < 2; named++) {
		rig_init(&r, 2, 1);
		r.o.on_terminal = false;
		rig_add_cycles(&r)->is_default = !named;
		r.k->refuse = no_hardware;
		CHECK_EQ(rig_open(&r), 0);
		CHECK_EQ(r.diag.nr, named);
		rig_fini(&r);
	}
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
	ev = rig_add_cycles(&r);
	r.k->refuse = precise_two;
	CHECK_EQ(rig_open(&r), 0);
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
	ev = rig_add_cycles(&r);
	ev->precise_max = false;
	r.k->refuse = precise_two;
	CHECK_EQ(rig_open(&r), PERR_KERNEL);
	CHECK_EQ(r.e.sys_errno, EOPNOTSUPP);
	check_has_part(r.e.text, "precise");
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
	ev = rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	b = rig_add(&r, "probe/x/", 12, 0);
	r.k->refuse = paranoid_two;
	CHECK_EQ(rig_open(&r), 0);
	CHECK_STR(ev->name, "cpu-clock:u");
	CHECK_STR(b->name, "probe/x/u");
	CHECK(pd_attr_has(&ev->attr, PD_ATTR_EXCLUDE_KERNEL));
	CHECK(pd_attr_has(&ev->attr, PD_ATTR_EXCLUDE_HV));
	/* two events, one line */
	check_has_part(rig_only_note(&r),
		       "recording user space only: kernel.perf_event_paranoid is 2");
	CHECK_EQ(r.k->nr, 6);
	rig_fini(&r);
}

TEST(user_only_and_no_pmu_together)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 1, 1);
	ev = rig_add_cycles(&r);
	r.k->refuse = paranoid_two;
	CHECK_EQ(rig_open(&r), 0);
	CHECK_STR(ev->name, "cpu-clock:u");
	CHECK_EQ(pd_attr_precise(&ev->attr), 3);
	CHECK_EQ(r.diag.nr, 2);
	check_has_part(r.diag.entries[0].text, "no hardware counter for cycles on this machine");
	check_has_part(r.diag.entries[1].text, "recording user space only");
	rig_fini(&r);
}

TEST(system_wide_needs_more_than_user_only)
{
	struct rig r;

	rig_init(&r, 2, 0);
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	r.k->refuse = paranoid_two;
	CHECK_EQ(rig_open(&r), PERR_KERNEL);
	check_has_part(r.e.text, "kernel.perf_event_paranoid is 2");
	check_has_part(r.e.text, "sudo sysctl kernel.perf_event_paranoid=0");
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
	a = rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	b = rig_add(&r, "faults", PD_TYPE_SOFTWARE, 2);
	a->attr.flags |= FLAG(BUILD_ID) | FLAG(CGROUP) | FLAG(KSYMBOL);
	r.k->refuse = older_kernel;
	CHECK_EQ(rig_open(&r), 0);
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
	CHECK_STR(rig_only_note(&r),
		  "recording without features that this kernel is too old for: lost "
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
	ev = rig_add(&r, "cycles", PD_TYPE_RAW, 1);
	for (size_t i = 0; i < ARRAY_SIZE(ages); i++) {
		ev->attr.flags |= ages[i].flags;
		ev->attr.sample_type |= ages[i].sample_type;
		ev->attr.read_format |= ages[i].read_format;
		ev->attr.branch_sample_type |= ages[i].branch;
	}
	r.k->refuse = knows_nothing;
	CHECK_EQ(rig_open(&r), 0);
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
	a = rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	rig_add(&r, "mem:0x1003/8:w", PD_TYPE_BREAKPOINT, 0);
	rig_add(&r, "faults", PD_TYPE_SOFTWARE, 2);
	r.k->refuse = bad_breakpoint;
	CHECK_EQ(rig_open(&r), 0);
	CHECK_EQ(r.l.nr, 2);
	CHECK_STR(r.l.events[1]->name, "faults");
	CHECK_EQ(a->attr.read_format, PD_FORMAT_ID | PD_FORMAT_LOST);
	CHECK_EQ(r.l.events[1]->attr.read_format, PD_FORMAT_ID | PD_FORMAT_LOST);
	check_has_part(rig_only_note(&r), "left out: mem:0x1003/8:w: the CPU cannot watch address");
	CHECK(!strchr(rig_only_note(&r), '\n'));
	rig_fini(&r);
}

TEST(an_invalid_event_alone_is_an_error_with_its_own_attr)
{
	struct rig r;
	struct rec_event *ev;

	rig_init(&r, 1, 1);
	ev = rig_add(&r, "mem:0x1003/8:w", PD_TYPE_BREAKPOINT, 0);
	r.k->refuse = bad_breakpoint;
	CHECK_EQ(rig_open(&r), PERR_KERNEL);
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
	ev = rig_add(&r, "cycles", PD_TYPE_HARDWARE, 0);
	ev->attr.flags |= FLAG(USE_CLOCKID);
	ev->attr.clockid = 7;
	r.k->refuse = no_clock;
	CHECK_EQ(rig_open(&r), PERR_KERNEL);
	CHECK_EQ(r.e.sys_errno, EINVAL);
	check_has_part(r.e.text, "does not support clock 7 (-k)");
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
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0)->attr.flags |= FLAG(WRITE_BACKWARD);
	r.k->refuse = no_backward;
	CHECK_EQ(rig_open(&r), PERR_KERNEL);
	check_has_part(r.e.text, "--overwrite");
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
	ev = rig_add(&r, "r76", PD_TYPE_RAW, 0x76);
	r.k->refuse = guests_only_known;
	CHECK_EQ(rig_open(&r), 0);
	CHECK_STR(ev->name, "r76:H");
	CHECK(pd_attr_has(&ev->attr, PD_ATTR_EXCLUDE_GUEST));
	rig_fini(&r);
}

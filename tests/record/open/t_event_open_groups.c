/* SPDX-License-Identifier: MIT */
/* Members and leaders of groups that the kernel refuses, and events that it does not support. */
#include "record/open/event_open.h"

#include <errno.h>

#include "base/mem.h"
#include "tests/frame/unit.h"
#include "tests/record/open/use_event_open.h"

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
		rig_add(&r, "e", PD_TYPE_HARDWARE, i)->weak_group = true;
	r.l.events[0]->attr.flags |= FLAG(ENABLE_ON_EXEC);
	rig_make_group(&r, 0, 3);
	r.k->refuse = no_second_member;
	CHECK_EQ(rig_open(&r), 0);
	for (u32 i = 0; i < 3; i++) {
		const struct rec_event *ev = r.l.events[i];

		CHECK_EQ(ev->leader_idx, i);
		CHECK_EQ(ev->nr_members, 1);
		CHECK(pd_attr_has(&ev->attr, PD_ATTR_DISABLED));
		CHECK(pd_attr_has(&ev->attr, PD_ATTR_ENABLE_ON_EXEC));
		CHECK(ev->attr.read_format & PD_FORMAT_LOST);
		CHECK(ev->fds[0] >= 0 && ev->fds[1] >= 0);
	}
	check_has_part(rig_only_note(&r), "broken up");
	rig_fini(&r);
}

TEST(strong_groups_lose_what_does_not_fit)
{
	struct rig r;

	rig_init(&r, 1, 1);
	for (u64 i = 0; i < 3; i++)
		rig_add(&r, "e", PD_TYPE_HARDWARE, i + 1);
	rig_make_group(&r, 0, 3);
	r.l.events[1]->attr.config = 9;
	r.l.events[2]->attr.config = 2;
	r.k->refuse = no_second_member;
	CHECK_EQ(rig_open(&r), 0);
	CHECK_EQ(r.l.nr, 2);
	CHECK_EQ(r.l.events[0]->nr_members, 2);
	check_has_part(rig_only_note(&r), "cannot count this event in one group");
	rig_fini(&r);
}

TEST(the_next_member_leads_when_the_leader_is_refused)
{
	struct rig r;
	struct rec_event *heir;

	rig_init(&r, 1, 1);
	rig_add(&r, "instructions", PD_TYPE_HARDWARE, 1);
	heir = rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	rig_add(&r, "faults", PD_TYPE_SOFTWARE, 2);
	rig_make_group(&r, 0, 3);
	r.l.events[0]->sample_read = true;
	r.l.events[0]->attr.sample_type |= PD_SAMPLE_READ;
	r.l.events[0]->attr.read_format |= PD_FORMAT_GROUP;
	r.l.events[0]->attr.flags &= ~FLAG(INHERIT);
	heir->attr.sample_period_or_freq = 0;
	heir->attr.flags &= ~(FLAG(FREQ) | FLAG(INHERIT));
	r.k->refuse = no_hardware;
	CHECK_EQ(rig_open(&r), 0);
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
	rig_add(&r, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	rig_add(&r, "instructions", PD_TYPE_HARDWARE, 1);
	r.k->refuse = no_hardware;
	CHECK_EQ(rig_open(&r), 0);
	CHECK_EQ(r.l.nr, 1);
	check_has_part(rig_only_note(&r),
		       "left out: instructions: this machine offers no hardware");
	rig_fini(&r);
}

TEST(the_side_band_is_no_recording)
{
	struct rig r;

	rig_init(&r, 2, 0);
	rig_add(&r, "instructions", PD_TYPE_HARDWARE, 1);
	rig_add(&r, "branches", PD_TYPE_HARDWARE, 4);
	rig_add(&r, "dummy", PD_TYPE_SOFTWARE, 9)->is_dummy = true;
	r.k->refuse = no_hardware;
	CHECK_EQ(rig_open(&r), PERR_KERNEL);
	check_has_part(r.e.text, "instructions");
	for (size_t i = 0; i < r.l.nr; i++)
		for (size_t n = 0; n < r.l.events[i]->nr_fds; n++)
			CHECK_EQ(r.l.events[i]->fds[n], -1);
	rig_fini(&r);
}

/* SPDX-License-Identifier: MIT */
/* Times off the CPU from what rings say of switches, in whatever order the rings are read. */
#include "record/offcpu/offcpu_times.h"

#include "base/mem.h"
#include "fileformat/record.h"
#include "tests/frame/unit.h"

/* A recorder with one switch event, whose payload is u32 size, u64 prev_state and 4 bytes. */
struct rig {
	struct rec_event source, made;
	struct offcpu_times *t;
	struct wbuf out;
};

#define WORDS 6 /* of a sample's head: id, ip, tid, time, cpu, period */

static void rig_init(struct rig *r)
{
	*r = (struct rig){ 0 };
	r->made.attr.sample_type = PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID |
				   PD_SAMPLE_TIME | PD_SAMPLE_CPU | PD_SAMPLE_PERIOD |
				   PD_SAMPLE_CALLCHAIN;
	r->source.attr.sample_type = r->made.attr.sample_type | PD_SAMPLE_RAW;
	r->source.prev_state_at = 0;
	r->source.prev_state_size = 8;
	r->t = offcpu_times_new(&r->source, &r->made);
}

static void rig_fini(struct rig *r)
{
	offcpu_times_free(r->t);
	wb_fini(&r->out);
}

/* A thread leaves the CPU; its chain is 0x1000 + tid. */
static void leave(struct rig *r, u32 tid, u64 time, u64 prev_state)
{
	u64 rec[13] = { 0, 42, 7, 3 | (u64)tid << 32, time, 1, 1, 2, (u64)-512, 0x1000 + tid };

	rec[0] = PD_RECORD_SAMPLE | (u64)sizeof(rec) << 48;
	/* RAW: size 20, then the payload, which is not aligned to 8 bytes */
	memcpy((u8 *)&rec[10], &(u32){ 20 }, 4);
	memcpy((u8 *)&rec[10] + 4, &prev_state, 8);
	offcpu_times_sample(r->t, span_of(rec, sizeof(rec)));
}

static void come(struct rig *r, u32 tid, u64 time)
{
	offcpu_times_switch(r->t, 3, tid, 5, time, false, false);
}

static void left(struct rig *r, u32 tid, u64 time, bool preempted)
{
	offcpu_times_switch(r->t, 3, tid, 5, time, true, preempted);
}

/* Sample i of the output; NULL: there are fewer. */
static const u64 *sample(const struct rig *r, size_t i)
{
	size_t at = 0;

	for (; at < r->out.n; i--) {
		const u8 *p = r->out.p + at;

		if (!i)
			return (const u64 *)(const void *)p;
		at += get_u16(p + 6, false);
	}
	return NULL;
}

static void check_sample(const struct rig *r, size_t i, u32 tid, u64 time, u64 ns,
			 enum pd_offcpu how)
{
	const u64 *w = sample(r, i);

	CHECK(w);
	if (!w)
		return;
	CHECK_EQ(w[1], PD_OFFCPU_ID + (u64)how);
	CHECK_EQ(w[3] >> 32, tid);
	CHECK_EQ(w[4], time);
	CHECK_EQ(w[6], ns);
}

TEST(a_time_off_the_cpu_has_the_stack_of_its_begin_and_the_state)
{
	struct rig r;
	const u64 *w;

	rig_init(&r);
	leave(&r, 9, 1000, 2);
	left(&r, 9, 1010, false);
	come(&r, 9, 1700);
	offcpu_times_settle(r.t, &r.out, false);
	check_sample(&r, 0, 9, 1700, 700, PD_OFFCPU_D);
	w = sample(&r, 0);
	CHECK_EQ(w[0] >> 48, 8 * 10);
	CHECK_EQ(w[5], 5);
	CHECK_EQ(w[7], 2);
	CHECK_EQ(w[9], 0x1009);
	CHECK(!sample(&r, 1));
	rig_fini(&r);
}

TEST(rings_are_read_one_after_the_other)
{
	struct rig r;

	rig_init(&r);
	/* the ring of the CPU that it comes to is read first: here it has come back already */
	come(&r, 9, 1700);
	offcpu_times_settle(r.t, &r.out, false);
	CHECK_EQ(r.out.n, 0);
	leave(&r, 9, 1000, 1);
	offcpu_times_settle(r.t, &r.out, false);
	check_sample(&r, 0, 9, 1700, 700, PD_OFFCPU_S);
	CHECK_EQ(offcpu_times_counts(r.t).missed, 0);
	rig_fini(&r);
}

TEST(what_follows_a_switch_that_waits_waits_as_well)
{
	struct rig r;

	rig_init(&r);
	leave(&r, 9, 1000, 1);
	offcpu_times_settle(r.t, &r.out, false);
	leave(&r, 9, 1500, 2); /* its coming is in a ring that was read before */
	come(&r, 9, 1600);
	offcpu_times_settle(r.t, &r.out, false);
	CHECK_EQ(r.out.n, 0);
	come(&r, 9, 1200);
	offcpu_times_settle(r.t, &r.out, false);
	check_sample(&r, 0, 9, 1200, 200, PD_OFFCPU_S);
	check_sample(&r, 1, 9, 1600, 100, PD_OFFCPU_D);
	CHECK_EQ(offcpu_times_counts(r.t).missed, 0);
	rig_fini(&r);
}

TEST(preempted_by_the_switch_record)
{
	struct rig r;

	rig_init(&r);
	left(&r, 9, 1000, true);
	come(&r, 9, 1100);
	left(&r, 9, 1200, false);
	come(&r, 9, 1500);
	offcpu_times_settle(r.t, &r.out, false);
	check_sample(&r, 0, 9, 1100, 100, PD_OFFCPU_PREEMPTED);
	check_sample(&r, 1, 9, 1500, 300, PD_OFFCPU_ASLEEP);
	CHECK_EQ(sample(&r, 0)[0] >> 48, 8 * (1 + WORDS + 1));
	rig_fini(&r);
}

TEST(a_new_thread_waits_until_it_runs_and_an_ended_one_is_left_out)
{
	struct rig r;

	rig_init(&r);
	offcpu_times_begin(r.t, 3, 9, 1000);
	come(&r, 9, 1040);
	offcpu_times_end(r.t, 9, 1100);
	leave(&r, 9, 1101, 0x20);
	offcpu_times_settle(r.t, &r.out, true);
	check_sample(&r, 0, 9, 1040, 40, PD_OFFCPU_QUEUED);
	CHECK(!sample(&r, 1));
	rig_fini(&r);
}

TEST(begin_and_end_of_the_recording)
{
	struct rig r;

	rig_init(&r);
	leave(&r, 9, 1000, 1);
	come(&r, 8, 1300); /* off the CPU since before the recording */
	left(&r, 7, 1500, false);
	offcpu_times_settle(r.t, &r.out, true);
	check_sample(&r, 0, 8, 1300, 300, PD_OFFCPU_ASLEEP);
	check_sample(&r, 1, 9, 1500, 500, PD_OFFCPU_S);
	CHECK(!sample(&r, 2));
	rig_fini(&r);
}

TEST(a_time_with_a_loss_in_it_is_left_out)
{
	struct rig r;

	rig_init(&r);
	leave(&r, 9, 1000, 1);
	offcpu_times_lost(r.t, 1200);
	come(&r, 9, 1300);
	leave(&r, 9, 1400, 1);
	come(&r, 9, 1500);
	offcpu_times_settle(r.t, &r.out, false);
	check_sample(&r, 0, 9, 1500, 100, PD_OFFCPU_S);
	CHECK_EQ(offcpu_times_counts(r.t).broken, 1);
	CHECK_EQ(offcpu_times_counts(r.t).made, 1);
	CHECK_EQ(offcpu_times_counts(r.t).ns, 100);
	rig_fini(&r);
}

TEST(short_records_and_the_idle_thread)
{
	struct rig r;
	u64 rec[4] = { PD_RECORD_SAMPLE | 32ull << 48, 1, 2, 3 };

	rig_init(&r);
	offcpu_times_sample(r.t, span_of(rec, sizeof(rec)));
	leave(&r, 0, 1000, 1);
	come(&r, 0, 1100);
	offcpu_times_settle(r.t, &r.out, true);
	CHECK_EQ(r.out.n, 0);
	rig_fini(&r);
}

/* SPDX-License-Identifier: MIT */
/* Times off the CPU from what rings say of switches, in whatever order the rings are read. */
#include "record/offcpu/offcpu_times.h"

#include "base/mem.h"
#include "fileformat/record.h"
#include "record/model/regs_option.h"
#include "tests/frame/fake_tree.h"
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

/* ---- looks at sleeping threads ---- */

/* A machine whose clock and memory the test sets; memory holds 24 bytes at STACK. */
#define STACK 0x7fff00007000

struct fake_host {
	struct fake_tree tree;
	u64 now;
	const char *moves_to; /* what /proc/3/task/9/syscall becomes while memory is read; NULL:
				 stays */
};

static u64 fake_now(void *ctx)
{
	return ((struct fake_host *)ctx)->now;
}

static size_t fake_read(void *ctx, u32 pid, u64 addr, u8 *to, size_t n)
{
	struct fake_host *h = ctx;

	CHECK_EQ(pid, 3);
	if (h->moves_to)
		fake_file(&h->tree, "3/task/9/syscall", "%s", h->moves_to);
	if (addr != STACK || n < 24)
		return 0;
	memset(to, 0xab, 24);
	/* a whole number of words is kept */
	return 23;
}

static const char asleep[] = "35 0x1 0x2 0x3 0x4 0x5 0x6 0x7fff00007000 0x400123\n";

static void look_init(struct rig *r, struct fake_host *h)
{
	*r = (struct rig){ 0 };
	*h = (struct fake_host){ 0 };
	r->made.attr.sample_type = PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID |
				   PD_SAMPLE_TIME | PD_SAMPLE_CPU | PD_SAMPLE_PERIOD |
				   PD_SAMPLE_CALLCHAIN | PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER;
	r->made.attr.sample_regs_user = regs_option_frame();
	r->t = offcpu_times_new(NULL, &r->made);
	h->tree = fake_tree_new();
	fake_file(&h->tree, "3/task/9/syscall", "%s", asleep);
	fake_file(&h->tree, "3/task/9/status",
		  "Name:\tx\nvoluntary_ctxt_switches:\t5\nnonvoluntary_ctxt_switches:\t1\n");
	offcpu_times_look(r->t, &(struct late_look){ h->tree.root, fake_now, fake_read, h });
}

static void look_fini(struct rig *r, struct fake_host *h)
{
	fake_tree_free(&h->tree);
	rig_fini(r);
}

/* Where the registers of a sample are: behind an empty call chain. */
#define REGS_AT 8
#define FRAME_REGS ((size_t)__builtin_popcountll(regs_option_frame()))

TEST(a_long_sleep_is_looked_at)
{
	struct fake_host h;
	struct rig r;
	const u64 *w;

	look_init(&r, &h);
	left(&r, 9, 1000, false);
	h.now = 2000000;
	offcpu_times_settle(r.t, &r.out, false); /* not long yet */
	h.now = 7000000;
	offcpu_times_settle(r.t, &r.out, false);
	h.now = 9000000;
	come(&r, 9, 8000000);
	left(&r, 9, 8000500, false);
	come(&r, 9, 8000700); /* too short for a look */
	offcpu_times_settle(r.t, &r.out, false);
	offcpu_times_settle(r.t, &r.out, true);
	check_sample(&r, 0, 9, 8000000, 7999000, PD_OFFCPU_ASLEEP);
	w = sample(&r, 0);
	CHECK_EQ(w[2], 0x400123); /* ip */
	CHECK_EQ(w[7], 0);        /* call chain */
	CHECK_EQ(w[REGS_AT], 2);
	CHECK_EQ(w[REGS_AT + 1], 0);
	CHECK_EQ(w[REGS_AT + FRAME_REGS - 1], STACK);
	CHECK_EQ(w[REGS_AT + FRAME_REGS], 0x400123);
	CHECK_EQ(w[REGS_AT + FRAME_REGS + 1], 16);
	CHECK_EQ(w[REGS_AT + FRAME_REGS + 2], 0xababababababababull);
	CHECK_EQ(w[REGS_AT + FRAME_REGS + 4], 16);
	CHECK_EQ(get_u16((const u8 *)w + 6, false), 8 * (REGS_AT + FRAME_REGS + 5));
	check_sample(&r, 1, 9, 8000700, 200, PD_OFFCPU_ASLEEP);
	CHECK_EQ(sample(&r, 1)[REGS_AT], 0);
	CHECK_EQ(offcpu_times_counts(r.t).looked, 1);
	look_fini(&r, &h);
}

TEST(a_look_at_a_thread_that_goes_on_is_not_used)
{
	static const char *const moves[] = { "running\n", "-1 0x7fff00007000 0x400125\n", "\n",
					     "35\n" };
	struct fake_host h;
	struct rig r;

	for (size_t i = 0; i < ARRAY_SIZE(moves) + 2; i++) {
		look_init(&r, &h);
		h.moves_to = i < ARRAY_SIZE(moves) ? moves[i] : NULL;
		left(&r, 9, 1000, false);
		h.now = 7000000;
		/* before the look it came and went again: its time is older than the look */
		if (i == ARRAY_SIZE(moves) + 1)
			h.now = 9000000;
		offcpu_times_settle(r.t, &r.out, false);
		h.moves_to = NULL;
		come(&r, 9, 8000000);
		offcpu_times_settle(r.t, &r.out, false);
		check_sample(&r, 0, 9, 8000000, 7999000, PD_OFFCPU_ASLEEP);
		CHECK_EQ(sample(&r, 0)[REGS_AT], i == ARRAY_SIZE(moves) ? 2 : 0);
		look_fini(&r, &h);
	}
}

TEST(a_thread_that_sleeps_all_the_time)
{
	struct fake_host h;
	struct rig r;

	look_init(&r, &h);
	h.now = 1000;
	offcpu_times_exists(r.t, 3, 9);
	offcpu_times_exists(r.t, 3, 10); /* of which /proc says nothing */
	h.now = 6000000;
	offcpu_times_settle(r.t, &r.out, false);
	CHECK_EQ(r.out.n, 0);
	h.now = 9001000;
	offcpu_times_settle(r.t, &r.out, true);
	check_sample(&r, 0, 9, 9001000, 9000000, PD_OFFCPU_ASLEEP);
	CHECK_EQ(sample(&r, 0)[REGS_AT], 2);
	CHECK_EQ(offcpu_times_counts(r.t).made, 1);
	look_fini(&r, &h);
}

TEST(short_times_are_left_out_and_counted)
{
	struct rig r;

	rig_init(&r);
	offcpu_times_leave_out(r.t, 500);
	leave(&r, 9, 1000, 1);
	come(&r, 9, 1499);
	leave(&r, 9, 2000, 1);
	come(&r, 9, 2500);
	offcpu_times_settle(r.t, &r.out, false);
	check_sample(&r, 0, 9, 2500, 500, PD_OFFCPU_S);
	CHECK_EQ(offcpu_times_counts(r.t).made, 1);
	CHECK_EQ(offcpu_times_counts(r.t).brief, 1);
	CHECK_EQ(offcpu_times_counts(r.t).brief_ns, 499);
	rig_fini(&r);
}

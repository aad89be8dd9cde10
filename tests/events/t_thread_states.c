/* SPDX-License-Identifier: MIT */
/* Threads' states: the sums of all states are the time observed, whatever happens. */
#include "events/state/thread_states.h"
#include "session/switch_gaps.h"

#include "tests/frame/unit.h"

static struct state_event at(u64 time, u32 tid)
{
	return (struct state_event){
		.tid = tid, .cpu = 0, .time = time, .pid = tid, .source = SWITCH_BY_SAMPLE
	};
}

static void out(struct thread_states *t, u64 time, u32 tid, enum task_state s)
{
	struct state_event ev = at(time, tid);
	struct perr e;

	CHECK_EQ(thread_states_out(t, &ev, s, &e), 0);
}

static void in(struct thread_states *t, u64 time, u32 tid)
{
	struct state_event ev = at(time, tid);
	struct perr e;

	CHECK_EQ(thread_states_in(t, &ev, &e), 0);
}

static void wake(struct thread_states *t, u64 time, u32 tid)
{
	struct state_event ev = at(time, tid);
	struct perr e;

	CHECK_EQ(thread_states_wake(t, &ev, &e), 0);
}

static void end(struct thread_states *t, u64 time, u32 tid)
{
	struct state_event ev = at(time, tid);
	struct perr e;

	CHECK_EQ(thread_states_end(t, &ev, &e), 0);
}

static void finish(struct thread_states *t, u64 time)
{
	struct perr e;

	CHECK_EQ(thread_states_finish(t, time, &e), 0);
	for (size_t i = 0; i < t->nr; i++) {
		u64 sum = 0;

		for (size_t k = 0; k < NR_TASK_STATES; k++)
			sum += t->all[i].sum[k];
		CHECK_EQ(sum, thread_times_observed(&t->all[i]));
	}
}

TEST(a_sleep_is_divided_by_its_waking)
{
	struct thread_states t;

	thread_states_init(&t);
	in(&t, 100, 7);
	out(&t, 150, 7, TASK_DISK);
	wake(&t, 190, 7);
	wake(&t, 195, 7);
	in(&t, 200, 7);
	out(&t, 230, 7, TASK_PREEMPTED);
	wake(&t, 231, 7);
	in(&t, 240, 7);
	finish(&t, 300);
	CHECK_EQ(t.nr, 1);
	CHECK_EQ(t.all[0].sum[TASK_RUNNING], 50 + 30 + 60);
	CHECK_EQ(t.all[0].sum[TASK_DISK], 40);
	CHECK_EQ(t.all[0].sum[TASK_WOKEN], 10);
	CHECK_EQ(t.all[0].sum[TASK_PREEMPTED], 10);
	CHECK_EQ(t.all[0].nr_switches, 3);
	CHECK_EQ(t.nr_missed, 0);
	thread_states_fini(&t);
}

TEST(time_across_a_loss_is_unknown)
{
	struct thread_states t;

	thread_states_init(&t);
	in(&t, 100, 7);
	out(&t, 150, 7, TASK_SLEEP);
	thread_states_lost(&t);
	in(&t, 200, 7);
	out(&t, 260, 7, TASK_SLEEP);
	finish(&t, 300);
	CHECK_EQ(t.all[0].sum[TASK_UNKNOWN], 50);
	CHECK_EQ(t.all[0].sum[TASK_RUNNING], 50 + 60);
	CHECK_EQ(t.all[0].sum[TASK_SLEEP], 40);
	CHECK_EQ(t.nr_broken, 1);
	thread_states_fini(&t);
}

TEST(time_without_a_switch_that_must_have_been_is_unknown)
{
	struct thread_states t;

	thread_states_init(&t);
	out(&t, 100, 7, TASK_SLEEP);
	out(&t, 150, 7, TASK_SLEEP);
	in(&t, 170, 7);
	in(&t, 190, 7);
	finish(&t, 200);
	CHECK_EQ(t.all[0].sum[TASK_UNKNOWN], 50 + 20);
	CHECK_EQ(t.all[0].sum[TASK_SLEEP], 20);
	CHECK_EQ(t.all[0].sum[TASK_RUNNING], 10);
	CHECK_EQ(t.nr_missed, 2);
	thread_states_fini(&t);
}

TEST(a_sample_and_a_record_of_one_switch_count_once)
{
	struct state_event ev = at(155, 7);
	struct thread_states t;
	struct perr e;

	thread_states_init(&t);
	in(&t, 100, 7);
	out(&t, 150, 7, TASK_WAITING);
	ev.source = SWITCH_BY_RECORD;
	CHECK_EQ(thread_states_out(&t, &ev, TASK_PREEMPTED, &e), 0);
	ev.time = 180;
	CHECK_EQ(thread_states_in(&t, &ev, &e), 0);
	finish(&t, 200);
	CHECK_EQ(t.all[0].sum[TASK_PREEMPTED], 30);
	CHECK_EQ(t.all[0].sum[TASK_RUNNING], 70);
	CHECK_EQ(t.nr_missed, 0);
	thread_states_fini(&t);
}

TEST(an_interval_off_the_cpu_ends_what_ran_before)
{
	struct state_event ev = at(180, 7);
	struct thread_states t;
	struct perr e;

	thread_states_init(&t);
	CHECK_EQ(thread_states_begin(&t, &(struct state_event){ .tid = 7, .time = 100 },
				     TASK_RUNNING, &e),
		 0);
	wake(&t, 170, 7);
	CHECK_EQ(thread_states_was_out(&t, &ev, 30, TASK_SLEEP, &e), 0);
	finish(&t, 200);
	CHECK_EQ(t.all[0].sum[TASK_RUNNING], 50 + 20);
	CHECK_EQ(t.all[0].sum[TASK_SLEEP], 20);
	CHECK_EQ(t.all[0].sum[TASK_WOKEN], 10);
	thread_states_fini(&t);
}

TEST(switches_after_the_end_of_a_thread_are_not_of_another_one)
{
	struct thread_states t;

	thread_states_init(&t);
	in(&t, 100, 7);
	end(&t, 150, 7);
	out(&t, 160, 7, TASK_ZOMBIE);
	out(&t, 170, 0, TASK_SLEEP);
	finish(&t, 200);
	CHECK_EQ(t.nr, 1);
	CHECK_EQ(t.all[0].sum[TASK_RUNNING], 50);
	thread_states_fini(&t);
}

TEST(an_event_that_comes_late_takes_no_time_back)
{
	struct thread_states t;

	thread_states_init(&t);
	in(&t, 100, 7);
	out(&t, 90, 7, TASK_SLEEP);
	in(&t, 120, 7);
	finish(&t, 130);
	CHECK_EQ(t.nr_negative, 1);
	CHECK_EQ(t.all[0].sum[TASK_SLEEP], 20);
	CHECK_EQ(t.all[0].sum[TASK_RUNNING], 10);
	thread_states_fini(&t);
}

TEST(states_by_bits_and_by_name)
{
	CHECK_EQ(task_state_of(0), TASK_PREEMPTED);
	CHECK_EQ(task_state_of(0x100), TASK_PREEMPTED);
	CHECK_EQ(task_state_of(0x101), TASK_PREEMPTED);
	CHECK_EQ(task_state_of(1), TASK_SLEEP);
	CHECK_EQ(task_state_of(0x80), TASK_IDLE);
	CHECK_EQ(task_state_of(0x1000), TASK_WAITING);
	CHECK_EQ(task_state_find(span_of("D", 1)), TASK_DISK);
	CHECK_EQ(task_state_find(span_of("R+", 2)), TASK_PREEMPTED);
	CHECK_EQ(task_state_find(span_of("run queue", 9)), TASK_WOKEN);
	CHECK_EQ(task_state_find(span_of("run", 3)), NR_TASK_STATES);
}

/* ---- switches that nothing tells of ---- */

static void check_gaps(const struct switch_gaps *g, const char *want)
{
	struct out o;

	out_init_mem(&o);
	switch_gaps_put(g, &o);
	out_char(&o, 0);
	CHECK_STR(o.buf, want);
	out_fini(&o);
}

TEST(switches_that_are_missing_without_a_loss)
{
	struct switch_gaps g = { 0 };

	/* of chosen threads only these leave a CPU */
	switch_gaps_take(&g, 1, 5, "a", 6);
	switch_gaps_take(&g, 1, 7, "a", 8);
	check_gaps(&g, "");
	/* but the kernel's are of all */
	switch_gaps_take(&g, 0, 5, "kworker/0:1", 9);
	switch_gaps_take(&g, 0, 9, NULL, 0);
	switch_gaps_take(&g, 1, 8, "a", 0);
	check_gaps(&g, "# switches that are missing although nothing was reported lost: 1 "
		       "(CPU 1: 1)\n");
	switch_gaps_lost(&g);
	switch_gaps_take(&g, 0, 4, "a", 0);
	switch_gaps_take(&g, 1, 3, "a", 0);
	switch_gaps_take(&g, 0, 4, "a", 0);
	check_gaps(&g, "# switches that are missing although nothing was reported lost: 2 "
		       "(CPU 0: 1, CPU 1: 1)\n");
	CHECK_EQ(switch_gaps_missing(&g), 2);
	switch_gaps_take(&g, UINT32_MAX, 1, NULL, 2);
	switch_gaps_restart(&g);
	check_gaps(&g, "");
	switch_gaps_take(&g, 1, 5, NULL, 0);
	CHECK_EQ(switch_gaps_missing(&g), 1);
	switch_gaps_fini(&g);
}

TEST(a_thread_that_was_asked_for_before_a_restart_is_still_that_thread)
{
	struct thread_states t;

	thread_states_init(&t);
	in(&t, 100, 1);
	in(&t, 100, 2);
	end(&t, 150, 1);
	out(&t, 200, 2, TASK_SLEEP);
	thread_states_restart(&t);
	CHECK_EQ(t.nr, 1);
	in(&t, 260, 2);
	finish(&t, 300);
	CHECK_EQ(t.nr, 1);
	CHECK_EQ(t.all[0].tid, 2);
	CHECK_EQ(t.all[0].sum[TASK_SLEEP], 60);
	CHECK_EQ(t.all[0].sum[TASK_RUNNING], 40);
	thread_states_fini(&t);
}

TEST(threads_that_have_ended_make_room_and_events_of_others_are_counted)
{
	struct thread_states t;

	thread_states_init(&t);
	t.max_threads = 3;
	in(&t, 100, 1);
	in(&t, 110, 2);
	in(&t, 120, 3);
	/* no room: three are there, and none has ended */
	in(&t, 130, 4);
	out(&t, 140, 4, TASK_SLEEP);
	wake(&t, 150, 4);
	CHECK_EQ(t.nr, 3);
	CHECK_EQ(t.nr_dropped, 3);
	end(&t, 160, 2);
	in(&t, 170, 5);
	CHECK_EQ(t.nr, 3);
	CHECK_EQ(t.nr_forgotten, 1);
	out(&t, 180, 3, TASK_DISK);
	CHECK_EQ(t.nr, 3);
	t.max_threads = 0;
	t.full = true;
	in(&t, 190, 6);
	CHECK_EQ(t.nr_dropped, 4);
	finish(&t, 200);
	CHECK_EQ(t.all[1].tid, 3);
	CHECK_EQ(t.all[1].sum[TASK_RUNNING], 60);
	CHECK_EQ(t.all[1].sum[TASK_DISK], 20);
	thread_states_fini(&t);
}

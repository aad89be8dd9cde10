/* SPDX-License-Identifier: MIT */
/* The counts and the text of plat --as=sched-latency. */
#include "events/perf_texts/sched_latency.h"

#include "tests/frame/unit.h"

#define MS 1000000ull
#define DASHES_50 "--------------------------------------------------"
#define RULE_139 " " DASHES_50 DASHES_50 "---------------------------------------\n"
#define HEAD                                                                          \
	"\n" RULE_139                                                                 \
	"  Task                  |   Runtime ms  |  Count   | Avg delay ms    | Max " \
	"delay ms    | Max delay start           | Max delay end          |\n" RULE_139
#define RULE_113 " " DASHES_50 DASHES_50 "-------------\n"
#define RULE_51 " ---------------------------------------------------\n"

static void named(struct sched_latency *l, u32 tid, const char *comm)
{
	task_ids_comm(&l->tasks, tid, span_of(comm, strlen(comm)));
}

static void switched(struct sched_latency *l, u64 time, u32 prev, u64 state, u32 next)
{
	const struct latency_switch sw = {
		.cpu = 1, .prev = prev, .next = next, .prev_state = state, .time = time
	};

	sched_latency_switch(l, &sw);
}

static void check_text(const struct sched_latency *l, const struct latency_layout *how,
		       const char *rows, const char *end)
{
	struct out o, want;

	out_init_mem(&o);
	out_init_mem(&want);
	sched_latency_put(l, how, &o);
	out_printf(&want, "%s%s%s%s", HEAD, rows, RULE_113, end);
	out_char(&o, '\0');
	out_char(&want, '\0');
	CHECK_STR(o.buf, want.buf);
	out_fini(&o);
	out_fini(&want);
}

static const struct latency_thread *last_of(struct sched_latency *l, u32 tid)
{
	u32 i = task_ids_of(&l->tasks, tid);

	return &l->all[i];
}

TEST(waits_begin_with_a_waking_or_when_the_cpu_is_taken)
{
	struct sched_latency l;

	sched_latency_init(&l);
	sched_latency_wake(&l, 7, 100);
	switched(&l, 130, 0, 0, 7);
	/* 0x100: another thread took the CPU */
	switched(&l, 200, 7, 0x100, 8);
	switched(&l, 250, 8, 1, 7);
	CHECK_EQ(last_of(&l, 7)->nr, 2);
	CHECK_EQ(last_of(&l, 7)->waited, 30 + 50);
	CHECK_EQ(last_of(&l, 7)->max_from, 200);
	CHECK_EQ(last_of(&l, 7)->max_to, 250);
	/* 8 was seen first when it came to the CPU, and sleeps: this is no wait */
	CHECK_EQ(last_of(&l, 8)->nr, 1);
	CHECK_EQ(last_of(&l, 8)->waited, 0);
	switched(&l, 300, 7, 2, 8);
	CHECK_EQ(last_of(&l, 8)->nr, 1);
	sched_latency_fini(&l);
}

TEST(a_waking_of_a_thread_that_does_not_sleep_counts_nothing)
{
	struct sched_latency l;

	sched_latency_init(&l);
	switched(&l, 100, 0, 0, 7);
	sched_latency_wake(&l, 7, 120);
	CHECK_EQ(l.nr_wakings, 0);
	switched(&l, 140, 7, 1, 0);
	sched_latency_wake(&l, 7, 130);
	CHECK_EQ(l.nr_wakings, 1);
	CHECK_EQ(l.nr_unordered, 1);
	switched(&l, 150, 0, 0, 7);
	CHECK_EQ(last_of(&l, 7)->nr, 1);
	sched_latency_fini(&l);
}

TEST(an_id_that_is_used_again_is_another_thread)
{
	struct sched_latency l;
	const struct latency_layout by_name = { 0 }, by_thread = { .by_thread = true };

	sched_latency_init(&l);
	named(&l, 7, "make");
	sched_latency_wake(&l, 7, 10 * MS);
	switched(&l, 12 * MS, 0, 0, 7);
	sched_latency_runtime(&l, 7, 3 * MS, 15 * MS);
	switched(&l, 15 * MS, 7, 0x10, 0);
	task_ids_fork(&l.tasks, 9, 7);
	task_ids_fork(&l.tasks, 7, 9);
	sched_latency_wake(&l, 7, 2000 * MS + 1999);
	switched(&l, 2001 * MS + 999, 0, 0, 7);
	check_text(&l, &by_name,
		   "  make:(2)              |      3.000 ms |        2 | avg:   1.500 ms | max:   "
		   "2.000 ms | max start:     0.010000 s | max end:     0.012000 s\n",
		   "  TOTAL:                |      3.000 ms |        2 |\n" RULE_51 "\n");
	check_text(&l, &by_thread,
		   "  make:7                |      3.000 ms |        1 | avg:   2.000 ms | max:   "
		   "2.000 ms | max start:     0.010000 s | max end:     0.012000 s\n"
		   "  make:7                |      0.000 ms |        1 | avg:   0.999 ms | max:   "
		   "0.999 ms | max start:     2.000001 s | max end:     2.001000 s\n",
		   "  TOTAL:                |      3.000 ms |        2 |\n" RULE_51 "\n");
	sched_latency_fini(&l);
}

TEST(rows_are_in_the_order_of_the_keys)
{
	struct sched_latency l;
	const struct latency_layout by_runtime = { .keys = { LATENCY_BY_RUNTIME }, .nr_keys = 1 };

	sched_latency_init(&l);
	named(&l, 1, "a name of more than 24 bytes");
	sched_latency_wake(&l, 1, 10 * MS);
	sched_latency_wake(&l, 2, 10 * MS);
	switched(&l, 11 * MS, 0, 0, 1);
	switched(&l, 14 * MS, 1, 1, 2);
	sched_latency_runtime(&l, 1, 2, 14 * MS);
	sched_latency_runtime(&l, 2, 1 * MS, 14 * MS);
	check_text(
		&l, &by_runtime,
		"  :2:2                  |      1.000 ms |        1 | avg:   4.000 ms | max:   "
		"4.000 ms | max start:     0.010000 s | max end:     0.014000 s\n"
		"  a name of more than 24 bytes:1 |      0.000 ms |        1 | avg:   1.000 ms | "
		"max:   1.000 ms | max start:     0.010000 s | max end:     0.011000 s\n",
		"  TOTAL:                |      1.000 ms |        2 |\n" RULE_51 "\n");
	sched_latency_fini(&l);
}

TEST(what_makes_the_figures_doubtful_is_said)
{
	struct sched_latency l;
	const struct latency_layout how = { .nr_records = 200 };

	sched_latency_init(&l);
	sched_latency_wake(&l, 7, 100);
	switched(&l, 100, 0, 0, 7);
	switched(&l, 200, 8, 0, 0);
	l.nr_lost = 10;
	l.nr_losses = 2;
	l.nr_unordered = 1;
	check_text(&l, &how,
		   "  :7:7                  |      0.000 ms |        1 | avg:   0.000 ms | max:   "
		   "0.000 ms | max start:     0.000000 s | max end:     0.000000 s\n",
		   "  TOTAL:                |      0.000 ms |        1 |\n" RULE_51
		   "  INFO: 100.000% unordered timestamps (1 out of 1)\n"
		   "  INFO: 5.000% lost events (10 out of 200, in 2 chunks)\n"
		   "  INFO: 100.000% context switch bugs (1 out of 1) (due to lost events?)\n\n");
	sched_latency_fini(&l);
}

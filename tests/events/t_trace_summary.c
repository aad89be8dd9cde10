/* SPDX-License-Identifier: MIT */
/* The counts and the text of plat --as=trace-s. */
#include "events/perf_texts/trace_summary.h"

#include "tests/frame/unit.h"

#define HEAD                                                                                   \
	"\n   syscall            calls  errors  total       min       avg       max       "    \
	"stddev\n                                     (msec)    (msec)    (msec)    (msec)   " \
	"     (%)\n   --------------- --------  ------ -------- --------- --------- "          \
	"---------     ------\n"

static void check_text(const struct trace_summary *s, bool with_errors, const char *want)
{
	struct out o;

	out_init_mem(&o);
	trace_summary_put(s, with_errors, &o);
	out_char(&o, '\0');
	CHECK_STR(o.buf, want);
	out_fini(&o);
}

static void call(struct trace_summary *s, u32 tid, const char *name, u64 time, u64 ns, s64 result)
{
	trace_summary_begin(s, tid, name, time);
	trace_summary_end(s, tid, (u64)name[0], name, result, time + ns);
}

TEST(times_and_errors_of_each_thread)
{
	struct trace_summary s;

	trace_summary_init(&s);
	task_ids_comm(&s.tasks, 7, span_of("app", 3));
	call(&s, 7, "read", 1000000, 1000000, 5);
	call(&s, 7, "read", 3000000, 3000000, -4);
	call(&s, 7, "read", 7000000, 2000000, -11);
	call(&s, 7, "close", 9000000, 250, -4);
	call(&s, 9, "read", 9000000, 500000, 0);
	check_text(
		&s, false,
		"\n Summary of events:\n\n :9 (9), 2 events, 20.0%\n" HEAD
		"   read                   1      0     0.500     0.500     0.500     0.500      "
		"0.00%\n\n\n app (7), 8 events, 80.0%\n" HEAD
		"   read                   3      2     6.000     1.000     2.000     3.000     "
		"28.87%\n"
		"   close                  1      1     0.000     0.000     0.000     0.000      "
		"0.00%\n\n\n");
	trace_summary_fini(&s);
}

TEST(errors_stand_below_their_call)
{
	struct trace_summary s;

	trace_summary_init(&s);
	call(&s, 7, "open", 100, 10, -13);
	call(&s, 7, "open", 200, 10, -2);
	call(&s, 7, "open", 300, 10, -2);
	call(&s, 7, "open", 400, 10, -512);
	call(&s, 7, "mmap", 500, 100, -5000);
	check_text(
		&s, true,
		"\n Summary of events:\n\n :7 (7), 10 events, 100.0%\n" HEAD
		"   mmap                   1      1     0.000     0.000     0.000     0.000      "
		"0.00%\n"
		"   open                   4      4     0.000     0.000     0.000     0.000      "
		"0.00%\n"
		"\t\t\t\tENOENT: 2\n\t\t\t\tEACCES: 1\n\t\t\t\t(unknown): 1\n\n\n");
	trace_summary_fini(&s);
}

TEST(an_end_without_a_begin_takes_no_time)
{
	struct trace_summary s;

	trace_summary_init(&s);
	trace_summary_begin(&s, 7, "clone", 100);
	task_ids_fork(&s.tasks, 7, 7);
	trace_summary_end(&s, 7, 56, "clone", 0, 900);
	CHECK_EQ(s.nr_calls, 1);
	CHECK_EQ(s.calls[0].max, 0);
	CHECK_EQ(s.calls[0].thread, task_ids_of(&s.tasks, 7));
	trace_summary_fini(&s);
}

TEST(calls_with_the_same_total_are_in_the_order_of_their_names)
{
	struct trace_summary s;

	trace_summary_init(&s);
	call(&s, 7, "write", 100, 1000, 0);
	call(&s, 7, "close", 2000, 1000, 0);
	check_text(
		&s, false,
		"\n Summary of events:\n\n :7 (7), 4 events, 100.0%\n" HEAD
		"   close                  1      0     0.001     0.001     0.001     0.001      "
		"0.00%\n"
		"   write                  1      0     0.001     0.001     0.001     0.001      "
		"0.00%\n\n\n");
	trace_summary_fini(&s);
}

TEST(an_id_that_is_used_again_has_two_tables)
{
	struct trace_summary s;

	trace_summary_init(&s);
	call(&s, 7, "read", 1000, 1000000, 0);
	task_ids_fork(&s.tasks, 7, 1);
	call(&s, 7, "close", 3000000, 2000000, 0);
	check_text(
		&s, false,
		"\n Summary of events:\n\n :7 (7), 2 events, 50.0%\n" HEAD
		"   read                   1      0     1.000     1.000     1.000     1.000      "
		"0.00%\n\n\n :7 (7), 2 events, 50.0%\n" HEAD
		"   close                  1      0     2.000     2.000     2.000     2.000      "
		"0.00%\n\n\n");
	trace_summary_fini(&s);
}

TEST(numbers_of_no_call_count_only_among_all_events)
{
	struct trace_summary s;

	trace_summary_init(&s);
	trace_summary_begin(&s, 7, NULL, 100);
	trace_summary_end(&s, 7, UINT64_MAX, NULL, -38, 200);
	CHECK_EQ(s.nr_events, 2);
	CHECK_EQ(s.nr_calls, 0);
	check_text(&s, true, "\n Summary of events:\n\n");
	trace_summary_fini(&s);
}

/* SPDX-License-Identifier: MIT */
/* The rows and the text of plat --as=ftrace-latency. */
#include "events/perf_texts/ftrace_latency.h"

#include <stdlib.h>

#include "tests/frame/unit.h"

#define BLANKS_46 "                                              "

/* Prints durations (ns, up to a 0) and compares what stands before the statistics, and these. */
static void check(struct ftrace_layout layout, const u64 *ns, const char *rows, const char *stats)
{
	struct ftrace_latency l;
	struct out o, want;
	struct perr e;

	CHECK_EQ(ftrace_latency_init(&l, &layout, &e), 0);
	for (; *ns; ns++)
		ftrace_latency_add(&l, *ns);
	out_init_mem(&o);
	out_init_mem(&want);
	ftrace_latency_put(&l, &o);
	out_printf(&want,
		   "#   DURATION     |      COUNT | GRAPH                                          "
		   "|\n%s\n# statistics  (in %s)\n%s",
		   rows, layout.nsec ? "nsec" : "usec", stats);
	out_char(&o, '\0');
	out_char(&want, '\0');
	CHECK_STR(o.buf, want.buf);
	out_fini(&o);
	out_fini(&want);
	ftrace_latency_fini(&l);
}

TEST(rows_of_powers_of_two_hold_what_they_say)
{
	static const u64 ns[] = {
		999, 1000, 1999, 2000, 1023999, 1024000, 1048575999, 1048576000, 0
	};

	check((struct ftrace_layout){ .hide_empty = true }, ns,
	      "     0 -    1 us |          1 | #####                                          |\n"
	      "     1 -    2 us |          2 | ###########                                    |\n"
	      "     2 -    4 us |          1 | #####                                          |\n"
	      "   512 - 1024 us |          1 | #####                                          |\n"
	      "     1 -    2 ms |          1 | #####                                          |\n"
	      "   512 - 1024 ms |          1 | #####                                          |\n"
	      "     1 - ...  s  |          1 | #####                                          |\n",
	      "  total time:              2099206\n    avg time:               262401\n"
	      "    max time:              1048576\n    min time:                    0\n"
	      "       count:                    8\n");
}

TEST(rows_of_powers_of_two_in_ns)
{
	static const u64 ns[] = { 1, 1024, 1u << 20, 0 };

	check((struct ftrace_layout){ .nsec = true, .hide_empty = true }, ns,
	      "     1 -    2 ns |          1 | ###############                                |\n"
	      "     1 -    2 us |          1 | ###############                                |\n"
	      "     1 - ...  ms |          1 | ###############                                |\n",
	      "  total time:              1049601\n    avg time:               349867\n"
	      "    max time:              1048576\n    min time:                    1\n"
	      "       count:                    3\n");
}

TEST(rows_of_one_width)
{
	static const u64 ns[] = { 499999, 500000, 799999, 1100000, 2899999, 2900000, 0 };

	check((struct ftrace_layout){ .range = 300, .min = 500, .max = 3000 }, ns,
	      "     0 -  500 us |          1 | #######                                        |\n"
	      "   500 -  800 us |          2 | ###############                                |\n"
	      "   800 - 1100 us |          0 |"
	      " " BLANKS_46 " |\n"
	      "  1.10 - 1.40 ms |          1 | #######                                        |\n"
	      "  1.40 - 1.70 ms |          0 |"
	      " " BLANKS_46 " |\n"
	      "  1.70 - 2.00 ms |          0 |"
	      " " BLANKS_46 " |\n"
	      "  2.00 - 2.30 ms |          0 |"
	      " " BLANKS_46 " |\n"
	      "  2.30 - 2.60 ms |          0 |"
	      " " BLANKS_46 " |\n"
	      "  2.60 - 2.90 ms |          1 | #######                                        |\n"
	      "  2.90 - ...  ms |          1 | #######                                        |\n",
	      "  total time:                 8700\n    avg time:                 1450\n"
	      "    max time:                 2900\n    min time:                  499\n"
	      "       count:                    6\n");
}

TEST(nothing_was_found)
{
	struct ftrace_latency l;
	struct perr e;
	struct out o;

	CHECK_EQ(ftrace_latency_init(&l, &(struct ftrace_layout){ 0 }, &e), 0);
	out_init_mem(&o);
	ftrace_latency_put(&l, &o);
	out_char(&o, '\0');
	CHECK_STR(o.buf, "No data found\n");
	out_fini(&o);
	ftrace_latency_fini(&l);
}

TEST(sums_that_do_not_fit_stay_the_largest_number)
{
	struct ftrace_latency l;
	struct perr e;

	CHECK_EQ(ftrace_latency_init(&l, &(struct ftrace_layout){ 0 }, &e), 0);
	ftrace_latency_add(&l, UINT64_MAX - 1);
	ftrace_latency_add(&l, 5);
	CHECK_EQ(l.total, UINT64_MAX);
	CHECK_EQ(l.counts[l.nr - 1], 1);
	ftrace_latency_fini(&l);
}

TEST(wrong_limits_are_refused)
{
	static const struct ftrace_layout wrong[] = {
		{ .min = 1 },
		{ .max = 1 },
		{ .range = 5, .max = 3 },
		{ .range = 5, .min = 3, .max = 7 },
		{ .range = 1, .max = 1000000 },
		{ .range = UINT64_MAX },
		{ .range = 1, .min = UINT64_MAX },
		{ .range = 1, .max = UINT64_MAX },
	};
	struct ftrace_latency l;
	struct perr e;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		CHECK_EQ(ftrace_latency_init(&l, &wrong[i], &e), PERR_USAGE);
}

/* SPDX-License-Identifier: MIT */
#include "report/pscript/debug_unwind.h"

#include "tests/frame/unit.h"

static bool is_at(struct debug_unwind *d, u64 time)
{
	return debug_unwind_is_at(d, &(struct pd_sample){ .time = time });
}

TEST(a_time_stands_for_all_that_are_printed_so)
{
	struct debug_unwind d;
	struct perr e;

	CHECK_EQ(debug_unwind_parse(&d, "12.345678", &e), 0);
	CHECK(d.given);
	CHECK(!is_at(&d, 12345677999));
	CHECK(is_at(&d, 12345678000));
	CHECK(is_at(&d, 12345678999));
	CHECK(!is_at(&d, 12345679000));
	CHECK_EQ(debug_unwind_parse(&d, "12.345678901", &e), 0);
	CHECK(!is_at(&d, 12345678900));
	CHECK(is_at(&d, 12345678901));
	CHECK(!is_at(&d, 12345678902));
	CHECK_EQ(debug_unwind_parse(&d, "12", &e), 0);
	CHECK(is_at(&d, 12000000000));
	CHECK(is_at(&d, 12999999999));
	CHECK(!is_at(&d, 13000000000));
}

TEST(what_is_no_time_is_refused)
{
	static const char *const wrong[] = { "",
					     ".",
					     ".5",
					     "1,5",
					     "1.5s",
					     "-1",
					     "1.0000000001",
					     "99999999999999999999",
					     "18446744073.0" };
	struct debug_unwind d;
	struct perr e;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		CHECK_EQ(debug_unwind_parse(&d, wrong[i], &e), PERR_USAGE);
		CHECK(!d.given);
	}
	CHECK_EQ(debug_unwind_parse(&d, "18446744072.999999999", &e), 0);
	CHECK(is_at(&d, 18446744072999999999ull));
	CHECK_EQ(debug_unwind_parse(&d, NULL, &e), 0);
	CHECK(!d.given);
}

TEST(times_of_the_neighbours_are_told)
{
	struct debug_unwind d;
	struct perr e;

	CHECK_EQ(debug_unwind_parse(&d, "2.5", &e), 0);
	CHECK(!is_at(&d, 1000000000));
	CHECK(!is_at(&d, 2499999999));
	CHECK(!is_at(&d, 3000000001));
	CHECK(!is_at(&d, 4000000000));
	CHECK_EQ(debug_unwind_no_sample(&d, &e), PERR_NOTFOUND);
	CHECK_STR(e.text, "no wanted sample has the time 2.5; the one before: 2.499999999, the one "
			  "after: 3.000000001");
}

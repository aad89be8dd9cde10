/* SPDX-License-Identifier: MIT */
/* When less is done for a sample, and what the last stack of a thread then gives. */
#include "record/live/last_chains.h"
#include "record/live/overload.h"

#include "tests/frame/unit.h"

#define MS 1000000ull

/* Sweeps of `busy` ms each 10 ms. */
static void sweeps(struct overload *o, u64 *now, unsigned int n, u64 busy)
{
	while (n--) {
		*now += 10 * MS;
		overload_begin(o, *now);
		overload_end(o, *now + busy * MS);
	}
	*now += 10 * MS;
	overload_begin(o, *now);
}

TEST(less_is_done_when_the_reader_is_too_slow)
{
	struct overload o = { 0 };
	u64 now = 1000 * MS;

	/* a reader that has slept is not overloaded, whatever the rings hold */
	sweeps(&o, &now, 10, 2);
	CHECK_EQ(overload_level(&o, 99, now), OVERLOAD_NONE);
	/* unless the sweep does not come to its end */
	CHECK_EQ(overload_level(&o, 99, now + 99 * MS), OVERLOAD_NONE);
	CHECK_EQ(overload_level(&o, 30, now + 100 * MS), OVERLOAD_REUSE);

	sweeps(&o, &now, 10, 9);
	CHECK_EQ(overload_level(&o, 0, now), OVERLOAD_NONE);
	CHECK_EQ(overload_level(&o, 24, now), OVERLOAD_NONE);
	CHECK_EQ(overload_level(&o, 25, now), OVERLOAD_REUSE);
	CHECK_EQ(overload_level(&o, 50, now), OVERLOAD_FEW);
	CHECK_EQ(overload_level(&o, 74, now), OVERLOAD_FEW);
	CHECK_EQ(overload_level(&o, 75, now), OVERLOAD_DROP);
	CHECK_EQ(overload_level(&o, 100, now), OVERLOAD_DROP);

	/* and everything again when it has time */
	sweeps(&o, &now, 10, 1);
	CHECK_EQ(overload_level(&o, 100, now), OVERLOAD_NONE);
}

TEST(last_stack_of_a_thread)
{
	u64 ips[] = { 1, 2, 3, 4, 5 }, sps[] = { 10, 20, 30, 40, 50 };
	u64 new_ips[] = { 7, 8, 3 }, new_sps[] = { 14, 24, 30 };
	struct unwind_frames f = { .ips = ips, .sps = sps, .nr = 5 };
	struct unwind_frames g = { .ips = new_ips, .sps = new_sps, .nr = 3 };
	static struct last_chains l;
	const struct last_chain *c;
	size_t callers = 0;

	CHECK(last_chains_find(&l, 77, 3, 30, &callers) == NULL);
	last_chains_put(&l, 77, &f, SIZE_MAX, 9);
	c = last_chains_find(&l, 77, 3, 30, &callers);
	CHECK(c && callers == 3 && c->nr == 5 && c->end == 9);
	/* another thread, frame or stack pointer */
	CHECK(last_chains_find(&l, 78, 3, 30, &callers) == NULL);
	CHECK(last_chains_find(&l, 77, 3, 31, &callers) == NULL);
	CHECK(last_chains_find(&l, 77, 6, 30, &callers) == NULL);

	/* three frames of which the last one is known: the two callers stay */
	last_chains_put(&l, 77, &g, 3, 9);
	c = last_chains_find(&l, 77, 8, 24, &callers);
	CHECK(c && callers == 2 && c->nr == 5);
	CHECK_EQ(c->ips[0], 7);
	CHECK_EQ(c->ips[3], 4);
	CHECK_EQ(c->sps[4], 50);
	/* a whole new one */
	last_chains_put(&l, 77, &g, SIZE_MAX, 1);
	c = last_chains_find(&l, 77, 3, 30, &callers);
	CHECK(c && c->nr == 3 && callers == 3 && c->end == 1);
	last_chains_fini(&l);
}

/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "record/sink/sink_thread.h"
#include "tests/frame/unit.h"

struct slow {
	u32 done, limit;
	bool idle;
};

static int slow_work(void *ctx, struct sink_job *job, struct perr *e)
{
	struct slow *s = ctx;

	if (job->kind == SINK_JOB_IDLE) {
		__atomic_store_n(&s->idle, true, __ATOMIC_RELAXED);
		return 0;
	}
	usleep(2000);
	if (++s->done > s->limit)
		return perr_set(e, PERR_IO, "number %u fails", s->done);
	return 0;
}

TEST(a_full_queue_makes_the_caller_wait)
{
	struct slow s = { .limit = 1000 };
	struct sink_thread *t = sink_thread_new(slow_work, &s, 3000, 5);
	struct wbuf b = { 0 };
	struct perr e;
	int i;

	CHECK(t != NULL);
	for (i = 0; i < 20; i++) {
		wb_zero(&b, 1000);
		CHECK_EQ(sink_thread_put(t, SINK_JOB_RAW, &b, &e), 0);
		CHECK_EQ(b.n, 0);
	}
	/* larger than the bound: alone */
	wb_zero(&b, 10000);
	CHECK_EQ(sink_thread_put(t, SINK_JOB_RAW, &b, &e), 0);
	CHECK_EQ(sink_thread_drain(t, &e), 0);
	CHECK_EQ(s.done, 21);
	CHECK_EQ(sink_thread_queued_max(t), 10000);
	/* a drained queue does not say it is idle, one that ran empty does */
	__atomic_store_n(&s.idle, false,
			 __ATOMIC_RELAXED); /* it may have, between two calls above */
	usleep(20000);
	CHECK(!__atomic_load_n(&s.idle, __ATOMIC_RELAXED));
	wb_zero(&b, 8);
	CHECK_EQ(sink_thread_put(t, SINK_JOB_RAW, &b, &e), 0);
	for (i = 0; i < 1000 && !__atomic_load_n(&s.idle, __ATOMIC_RELAXED); i++)
		usleep(5000);
	CHECK(__atomic_load_n(&s.idle, __ATOMIC_RELAXED));
	sink_thread_free(t);
	wb_fini(&b);
}

TEST(an_error_of_the_thread_comes_with_the_next_call)
{
	struct slow s = { .limit = 0 };
	struct sink_thread *t = sink_thread_new(slow_work, &s, 3000, 5);
	struct wbuf b = { 0 };
	struct perr e;

	CHECK(t != NULL);
	wb_zero(&b, 8);
	CHECK_EQ(sink_thread_put(t, SINK_JOB_RAW, &b, &e), 0);
	CHECK_EQ(sink_thread_drain(t, &e), PERR_IO);
	CHECK_STR(e.text, "number 1 fails");
	CHECK_EQ(sink_thread_put(t, SINK_JOB_RAW, &b, &e), PERR_IO);
	sink_thread_free(t);
	wb_fini(&b);
}

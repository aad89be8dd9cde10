/* SPDX-License-Identifier: MIT */
#include "record/open/event_rate.h"

#include <linux/perf_event.h>

#include "base/mem.h"
#include "tests/frame/unit.h"

struct sets {
	int fds[16];
	u64 values[16];
	size_t nr;
};

static int take_ioctl(void *ctx, int fd, unsigned long request, u64 arg)
{
	struct sets *s = ctx;

	CHECK(request == PERF_EVENT_IOC_PERIOD);
	CHECK(s->nr < ARRAY_SIZE(s->fds));
	s->fds[s->nr] = fd;
	s->values[s->nr++] = *(const u64 *)(uintptr_t)arg;
	return 0;
}

static void add(struct rec_evlist *l, u32 type, u64 config, bool freq, u64 n, int fd)
{
	struct rec_event *ev = evlist_add(l, "e", type, config);

	ev->attr.flags = freq ? 1ull << PD_ATTR_FREQ : 0;
	ev->attr.sample_period_or_freq = n;
	ev->fds = xcalloc(2, sizeof(*ev->fds));
	ev->nr_fds = 2;
	ev->fds[0] = fd;
	ev->fds[1] = -1;
}

TEST(clocks_take_periods_and_others_frequencies)
{
	struct sets s = { 0 };
	const struct rec_sys sys = { .ioctl = take_ioctl, .ctx = &s };
	struct rec_evlist l;

	evlist_init(&l);
	CHECK(event_rate_lowest(&l) <= 0);
	add(&l, PD_TYPE_TRACEPOINT, 5, false, 1, 3);
	add(&l, PD_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, true, 4000, 4);
	l.events[1]->is_dummy = true;
	CHECK(event_rate_lowest(&l) <= 0);
	event_rate_set(&l, 0.5, &sys);
	CHECK_EQ(s.nr, 0);

	add(&l, PD_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, true, 1000, 5);
	add(&l, PD_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, false, 250000, 6);
	add(&l, PD_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, true, 2000, 7);
	add(&l, PD_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, false, 2000, 8);
	CHECK_EQ((u64)event_rate_lowest(&l), 1000);
	event_rate_set(&l, 0.25, &sys);
	CHECK_EQ(s.nr, 3);
	CHECK(s.fds[0] == 5 && s.values[0] == 4000000);
	CHECK(s.fds[1] == 6 && s.values[1] == 1000000);
	CHECK(s.fds[2] == 7 && s.values[2] == 500);
	CHECK_EQ(l.events[2]->period_now, 4000000);
	CHECK(!l.events[4]->period_now);
	evlist_fini(&l);
}

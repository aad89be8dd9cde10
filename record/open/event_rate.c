/* SPDX-License-Identifier: MIT */
#include "record/open/event_rate.h"

#include <linux/perf_event.h>

#define NS_PER_SECOND 1000000000.0
/* The kernel takes no shorter period of a clock. */
#define LEAST_CLOCK_NS 10000.0

static bool is_clock(const struct pd_attr *a)
{
	return a->type == PD_TYPE_SOFTWARE &&
	       (a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* Returns the samples per second that the event was opened for; 0: they depend on the load. */
static double rate_of(const struct rec_event *ev)
{
	const struct pd_attr *a = &ev->attr;

	if (ev->is_dummy || !a->sample_period_or_freq)
		return 0;
	if (pd_attr_has(a, PD_ATTR_FREQ))
		return (double)a->sample_period_or_freq;
	return is_clock(a) ? NS_PER_SECOND / (double)a->sample_period_or_freq : 0;
}

double event_rate_lowest(const struct rec_evlist *l)
{
	double lowest = 0;

	for (size_t i = 0; i < l->nr; i++) {
		double rate = rate_of(l->events[i]);

		if (rate > 0 && (lowest <= 0 || rate < lowest))
			lowest = rate;
	}
	return lowest;
}

void event_rate_set(struct rec_evlist *l, double share, const struct rec_sys *sys)
{
	for (size_t i = 0; i < l->nr; i++) {
		struct rec_event *ev = l->events[i];
		double rate = rate_of(ev) * share;
		u64 value;

		if (rate <= 0)
			continue;
		/*
		 * The kernel turns a clock's frequency into a period when it opens the event
		 * (perf_swevent_init_hrtimer), so that here it takes a period in ns, whatever
		 * attr.freq is; of other events with attr.freq it takes a frequency in Hz.
		 */
		if (is_clock(&ev->attr))
			value = (u64)(NS_PER_SECOND / rate > LEAST_CLOCK_NS ? NS_PER_SECOND / rate
									    : LEAST_CLOCK_NS);
		else
			value = rate < 1 ? 1 : (u64)(rate + 0.5);
		if (is_clock(&ev->attr))
			ev->period_now = value;
		for (size_t k = 0; k < ev->nr_fds; k++)
			if (ev->fds[k] >= 0)
				sys->ioctl(sys->ctx, ev->fds[k], PERF_EVENT_IOC_PERIOD,
					   (u64)(uintptr_t)&value);
	}
}

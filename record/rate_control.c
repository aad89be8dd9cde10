/* SPDX-License-Identifier: MIT */
#include "record/rate_control.h"

#define NS 1e9
#define LEAST_SECONDS 1.0
#define SAMPLES_BETWEEN 50.0
/* Time over which what was used beyond the budget is saved again. */
#define DEBT_SECONDS 10.0
/* The rate does not fall below this, in samples per second and CPU. */
#define LOWEST_RATE 1.0
/* Smaller changes are not worth the part of a period that they cost. */
#define LEAST_CHANGE 0.05
/* Limits of one step, since the load of one second may be a peak. */
#define MOST_DOWN 0.25
#define MOST_UP 2.0

static double clamp(double v, double low, double high)
{
	return v < low ? low : v > high ? high : v;
}

void rate_control_start(struct rate_control *c, double budget, double full_rate, u64 now_ns,
			u64 cpu_ns)
{
	*c = (struct rate_control){ .budget = budget,
				    .full_rate = full_rate,
				    .share = 1,
				    .lowest = 1,
				    .start_ns = now_ns,
				    .start_cpu_ns = cpu_ns,
				    .last_ns = now_ns,
				    .last_cpu_ns = cpu_ns };
}

u64 rate_control_due(const struct rate_control *c)
{
	double seconds = SAMPLES_BETWEEN / (c->full_rate * c->share);

	return c->last_ns + (u64)((seconds > LEAST_SECONDS ? seconds : LEAST_SECONDS) * NS);
}

bool rate_control_step(struct rate_control *c, u64 now_ns, u64 cpu_ns)
{
	double seconds, used, want, share, most = DEBT_SECONDS * c->budget;

	if (now_ns < rate_control_due(c))
		return false;
	seconds = (double)(now_ns - c->last_ns) / NS;
	used = (double)(cpu_ns - c->last_cpu_ns) / NS / seconds;
	c->last_ns = now_ns;
	c->last_cpu_ns = cpu_ns;
	c->debt = clamp(c->debt + (used - c->budget) * seconds, -most, most);
	/* what a full rate leaves unused is not saved up for later */
	if (c->share >= 1 && c->debt < 0)
		c->debt = 0;
	want = clamp(c->budget - c->debt / DEBT_SECONDS, c->budget / 4, c->budget * 1.25);
	share = c->share * clamp(used > 0 ? want / used : MOST_UP, MOST_DOWN, MOST_UP);
	share = clamp(share, LOWEST_RATE / c->full_rate, 1);
	if (share > c->share * (1 - LEAST_CHANGE) && share < c->share * (1 + LEAST_CHANGE) &&
	    (share < 1 || c->share >= 1))
		return false;
	c->share = share;
	if (share < c->lowest)
		c->lowest = share;
	return true;
}

double rate_control_used(const struct rate_control *c, u64 now_ns, u64 cpu_ns)
{
	u64 wall = now_ns - c->start_ns;

	return wall ? (double)(cpu_ns - c->start_cpu_ns) / (double)wall : 0;
}

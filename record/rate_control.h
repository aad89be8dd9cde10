/* SPDX-License-Identifier: MIT */
/*
 * Chooses the sampling rate that keeps the recorder's own CPU time within a budget (--max-cpu).
 * What the recorder does besides samples (maps of new processes, new files) is part of its time, so
 * the rate falls when there is more of it. Pure arithmetic: time and CPU time are passed in.
 */
#ifndef RECORD_RATE_CONTROL_H
#define RECORD_RATE_CONTROL_H

#include "base/types.h"

struct rate_control {
	double budget;    /* CPUs that the recorder may use: 0.01 of 2 CPUs is 0.02 */
	double full_rate; /* samples per second and CPU that were asked for */
	double share;     /* the part of it that is in force, 0 to 1 */
	double lowest;    /* the lowest share so far */
	double debt;      /* CPU seconds used beyond the budget, within 10 s of it */
	u64 start_ns, start_cpu_ns;
	u64 last_ns, last_cpu_ns; /* of the last decision */
};

/* full_rate: at least 1. now_ns, cpu_ns: any clock, and CPU time of this process. */
void rate_control_start(struct rate_control *c, double budget, double full_rate, u64 now_ns,
			u64 cpu_ns);

/* Returns when rate_control_step will next decide. */
u64 rate_control_due(const struct rate_control *c);

/*
 * Decides at most once a second, and only after 50 samples of each CPU: the kernel begins a new
 * period at a change and forgets the one that has begun, half a period on average, which this keeps
 * to 1 %. Returns true if c->share has changed.
 */
bool rate_control_step(struct rate_control *c, u64 now_ns, u64 cpu_ns);

/* Returns the CPUs used on average since the start. */
double rate_control_used(const struct rate_control *c, u64 now_ns, u64 cpu_ns);

#endif

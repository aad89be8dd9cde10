/* SPDX-License-Identifier: MIT */
/*
 * Tells when the events are to be enabled and disabled (-D), when --switch-output by time starts
 * the next file, and when the recording ends (--duration, --for).
 */
#ifndef RECORD_SCHEDULE_H
#define RECORD_SCHEDULE_H

#include "record/model/rec_opts.h"

enum due { DUE_NOTHING, DUE_ENABLE, DUE_DISABLE, DUE_SWITCH, DUE_END };

struct schedule {
	const struct rec_opts *o;
	u64 start_ns;     /* time of the start, CLOCK_MONOTONIC */
	size_t next_edge; /* index of the next start or end of a range of -D; even: a start */
	bool delay_over;
	u64 next_switch_ns; /* 0: --switch-output by time was not given */
	u64 end_ns;         /* UINT64_MAX: --duration was not given */
};

/*
 * Starts the schedule of o's options at `now`, a time of CLOCK_MONOTONIC in ns, as are the times
 * passed to the functions below. o must outlive the schedule.
 */
void schedule_start(struct schedule *s, const struct rec_opts *o, u64 now);

/* Returns true if the options delay the start, so that events begin disabled. */
bool schedule_starts_disabled(const struct rec_opts *o);

/*
 * Returns an action that is due at `now`, or DUE_NOTHING. Each action is returned once; enabling
 * and disabling come before switching files. Call it until it returns DUE_NOTHING.
 */
enum due schedule_due(struct schedule *s, u64 now);

/* Returns the milliseconds until the next action is due, rounded up, at most `most`. */
int schedule_wait_ms(const struct schedule *s, u64 now, int most);

#endif

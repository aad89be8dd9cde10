/* SPDX-License-Identifier: MIT */
/* What is due when: the start after -D, its ranges, and --switch-output by time. */
#ifndef RECORD_SCHEDULE_H
#define RECORD_SCHEDULE_H

#include "record/model/rec_opts.h"

enum due { DUE_NOTHING, DUE_ENABLE, DUE_DISABLE, DUE_SWITCH };

struct schedule {
	const struct rec_opts *o;
	u64 start_ns;     /* CLOCK_MONOTONIC */
	size_t next_edge; /* of the ranges: even ones switch on */
	bool delay_over;
	u64 next_switch_ns; /* 0: none */
};

void schedule_start(struct schedule *s, const struct rec_opts *o, u64 now);

/* True when the events are to be off at the start. */
bool schedule_starts_disabled(const struct rec_opts *o);

/* What is due at `now`; each thing once, the earliest first. */
enum due schedule_due(struct schedule *s, u64 now);

/* Milliseconds until something is due, at most `most`. */
int schedule_wait_ms(const struct schedule *s, u64 now, int most);

#endif

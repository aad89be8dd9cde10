/* SPDX-License-Identifier: MIT */
/*
 * The values that counters had in the samples so far. A sample with PERF_SAMPLE_READ holds running
 * totals; its period is the difference from the sample before (docs/FORMAT.md 2.5).
 */
#ifndef SESSION_COUNTER_VALUES_H
#define SESSION_COUNTER_VALUES_H

#include "base/hash.h"
#include "fileformat/events.h"

/* All zero is valid: every counter begins at 0. counter_values_fini() frees it. */
struct counter_values {
	struct idmap index; /* (id, thread + 1 or 0) -> index in values */
	u64 *values;
	size_t nr, cap;
};

void counter_values_fini(struct counter_values *c);

/*
 * Sets the counter's value to `value` and returns by how much it has grown. ev: the event that id
 * belongs to. tid: the sampled thread; an inherited counter has a total for each thread.
 */
u64 counter_values_advance(struct counter_values *c, const struct pd_event *ev, u64 id, u32 tid,
			   u64 value);

#endif

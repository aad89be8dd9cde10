/* SPDX-License-Identifier: MIT */
/*
 * Gaps in the records: a LOST record lies where records of a ring are missing. What began before a
 * gap and ended behind it may have another end, or another begin, among the lost records.
 */
#ifndef EVENTS_LOSSES_H
#define EVENTS_LOSSES_H

#include "base/out.h"
#include "session/replay.h"

/*
 * All zero: none yet. The kernel writes a LOST record with the next record that fits into its ring.
 * Where none comes any more, only the number of an event's lost samples is known, which the
 * recorder writes at the end.
 */
struct losses {
	u64 nr;      /* LOST records */
	u64 events;  /* that they count */
	u64 samples; /* that LOST_SAMPLES records count: these, and those that no LOST record counts
		      */
	u64 largest;
	u64 largest_time;
	u64 anywhere; /* of those: of no known CPU */
	u64 *of_cpu;  /* the others */
	size_t nr_cpus, cap_cpus;
};

/* Takes note of a record; only those of type LOST and LOST_SAMPLES count. */
void losses_take(struct losses *l, const struct replay_event *ev, bool swap);
void losses_fini(struct losses *l);

/* Records that no LOST record counts. */
static inline u64 losses_without_time(const struct losses *l)
{
	return l->samples > l->events ? l->samples - l->events : 0;
}

/* Writes a line that starts with "# lost" if there are such records; else nothing. */
void losses_put_without_time(const struct losses *l, struct out *o);

/* How many gaps there were until now; on_cpu: that could have taken records of this CPU. */
static inline u64 losses_epoch(const struct losses *l, bool on_cpu, u32 cpu)
{
	if (!on_cpu)
		return l->nr;
	return l->anywhere + (cpu < l->nr_cpus ? l->of_cpu[cpu] : 0);
}

#endif

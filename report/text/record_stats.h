/* SPDX-License-Identifier: MIT */
/* Counts of a recording's records by type and event, as perf report --stats and -D print them. */
#ifndef REPORT_TEXT_RECORD_STATS_H
#define REPORT_TEXT_RECORD_STATS_H

#include "base/out.h"
#include "fileformat/perfdata.h"
#include "session/counter_values.h"

#define RECORD_STATS_TYPES 256

/* What is counted of one event. */
struct record_stats_event {
	u64 samples, lost_samples, dropped_samples;
};

/* All zero is a valid empty count; record_stats_fini() frees it. */
struct record_stats {
	bool samples_only; /* count no lost samples of events */
	u64 types[RECORD_STATS_TYPES], total;
	struct record_stats_event *events; /* by pd_event.idx */
	size_t nr, cap;
	struct counter_values counters;
};

void record_stats_fini(struct record_stats *s);

/* Counts a record of pd. Records of types that perf does not know are left out. */
void record_stats_count(struct record_stats *s, const struct perfdata *pd,
			const struct pd_record *r);

/* Prints the counts; skip_empty: nothing of types and events without any. */
void record_stats_print(const struct record_stats *s, struct out *o, const struct perfdata *pd,
			bool skip_empty);

#endif

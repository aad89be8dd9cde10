/* SPDX-License-Identifier: MIT */
/* Samples by thread and time, and how many of them lie in the cells of a screen. */
#ifndef REPORT_TUI_GRAPH_TIME_LANES_H
#define REPORT_TUI_GRAPH_TIME_LANES_H

#include "base/types.h"

struct time_lane {
	u32 pid, tid;
	char *name; /* the command that the thread had last, as recorded */
	u64 samples;
};

struct time_sample {
	u64 time; /* ns */
	u32 lane;
	u32 count; /* samples that it stands for */
};

struct time_lanes {
	struct time_lane *lanes; /* those of most samples first */
	size_t nr_lanes;
	struct time_sample *samples;
	size_t nr_samples; /* at least one */
	u64 first, last;   /* times of the first and the last sample */
};

void time_lanes_fini(struct time_lanes *t);

/* A stretch of time, ns; both ends are in it. */
struct time_span {
	u64 from, to;
};

/* A stretch of time cut into slices, one for each column. */
struct time_slices {
	struct time_span span;
	int nr;
	u64 *counts;     /* samples by lane, then by slice; lane nr_lanes is the sum of all */
	u64 most;        /* in a slice of a lane */
	u64 most_of_all; /* in a slice of the sum */
};

/* Counts; the caller frees s->counts. nr is 1 or more. */
void time_slices_count(struct time_slices *s, const struct time_lanes *t, struct time_span span,
		       int nr);

/* What slices [first, last] stand for: slices share no time and leave none out. */
struct time_span time_slices_span(const struct time_slices *s, int first, int last);
/* The slice that a time within the span lies in. */
int time_slices_at(const struct time_slices *s, u64 time);

#endif

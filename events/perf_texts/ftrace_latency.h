/* SPDX-License-Identifier: MIT */
/*
 * What `perf ftrace latency` prints: a histogram of durations, and their sum, average, longest and
 * shortest one. Its rows are powers of two, or of one width. Given durations in ns.
 */
#ifndef EVENTS_PERF_TEXTS_FTRACE_LATENCY_H
#define EVENTS_PERF_TEXTS_FTRACE_LATENCY_H

#include "base/err.h"
#include "base/out.h"

struct ftrace_layout {
	bool nsec;       /* the unit of rows, limits and statistics is ns, not us */
	bool hide_empty; /* rows without durations are not printed */
	u64 range;       /* width of a row, in units; 0: powers of two */
	/* where the row of shorter ones ends and that of longer ones begins, in units; 0: the usual
	 * place. With range alone. */
	u64 min, max;
};

struct ftrace_latency {
	struct ftrace_layout layout; /* min and max are set */
	u64 *counts; /* by row; the first is of shorter ones, the last of longer ones */
	size_t nr;
	u64 n, total, min, max; /* ns; total is UINT64_MAX if it does not fit */
};

/*
 * PERR_USAGE: limits without a range, limits that leave no row between them, or more rows than
 * 100000. Free with ftrace_latency_fini().
 */
int ftrace_latency_init(struct ftrace_latency *l, const struct ftrace_layout *layout,
			struct perr *e) MUST_CHECK;
void ftrace_latency_fini(struct ftrace_latency *l);

void ftrace_latency_add(struct ftrace_latency *l, u64 ns);

/* Writes the text. */
void ftrace_latency_put(const struct ftrace_latency *l, struct out *o);

#endif

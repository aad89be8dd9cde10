/* SPDX-License-Identifier: MIT */
/* One of the recordings that are compared: its samples counted, ready for a histogram. */
#ifndef REPORT_DIFF_DIFF_SIDE_H
#define REPORT_DIFF_DIFF_SIDE_H

#include "profile/reader_command.h"
#include "report/table/hist.h"
#include "session/common_options.h"

/* What all recordings are read by. Pointers are borrowed as long as the sides live. */
struct diff_config {
	const struct reader_command *rc;
	const struct table_config *table; /* its mode is TABLE_DIFF */
	const struct symbols_config *symbols;
	struct filter *filter; /* its times are set for each recording */
	const struct stack_options *stacks;
	const struct chain_option *chain; /* NULL: call chains are not shown */
	unsigned int nr_threads;
	u64 max_mem, time_quantum_ns;
	bool squares; /* intervals are wanted: rows tell the squares of their samples' periods */
};

/* A recording. Zero it, call diff_side_read(), then diff_side_fini() in any case. */
struct diff_side {
	const char *path;
	struct perfdata *pd;
	struct session *session;
	struct counts *counts;
	struct hist_layout layout;
	struct hist_data data;
	struct hist_stacks *stacks;
	struct verdict *verdict; /* for the caller to take; NULL: nothing counted, none wanted */
	bool *wanted;            /* by row: it passes the filters on threads and places */
};

/*
 * Opens and counts a recording; path and time (--time of this recording, NULL: none) are borrowed.
 * Returns 0, or the code of what failed. A damaged recording whose first part could be counted also
 * gives a code.
 */
int diff_side_read(struct diff_side *s, const struct diff_config *cfg, const char *path,
		   const char *time, struct perr *e) MUST_CHECK;
void diff_side_fini(struct diff_side *s);

/*
 * Lists and counts the entries of one event (pd_event.idx, borrowed) in *h, in the order in which
 * perf keeps them while it reads the file: h->shown[h->lines[i]]. The caller calls hist_fini().
 * relative: totals are without the rows that filters leave out.
 */
void diff_side_count(struct diff_side *s, struct hist *h, const u32 *event, bool relative,
		     unsigned int nr_threads);

#endif

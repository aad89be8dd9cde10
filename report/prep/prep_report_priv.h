/* SPDX-License-Identifier: MIT */
/* A report while it is made, for the files that print it or show it. */
#ifndef REPORT_PREP_PREP_REPORT_PRIV_H
#define REPORT_PREP_PREP_REPORT_PRIV_H

#include "base/progress.h"
#include "profile/event_choice.h"
#include "profile/object_order.h"
#include "report/annotate/function_cycles.h"
#include "report/prep/prep_report.h"

struct report {
	const struct reader_command *rc;
	struct prep_options *opt;
	struct perfdata *pd;
	struct out *o;
	struct session *session;
	struct counts *counts;
	struct chain_frames frames; /* taken over by data */
	/* the caller's; NULL in it: none was made; NULL: none is to be made */
	struct verdict **verdict;
	struct progress progress; /* shown until something is printed */
	struct hist_data data;
	struct function_cycles cycles; /* of a table with KEY_CYCLES */
	struct hist_layout layout;
	struct hist_stacks *stacks;
	struct chain_tree *tree;
	struct object_order *objects;
	/* by row: it passes the filters on threads and places; NULL: all rows do. See
	 * count_samples. */
	bool *wanted;
	bool again;                /* the recording was counted before: no warnings, no progress */
	u32 switch_on, switch_off; /* pd_event.idx + 1 */
	bool children, chains;
	/* Rows on the terminal begin behind the signs of call trees: rows of branches too, as in
	 * perf */
	bool room_for_signs;
	/* with --wall: pd_event.idx + 1 of the only event that has a table: its rows are all time
	 */
	u32 wall;
	bool latency; /* Latency columns are shown by default if enough samples ran in parallel */
};

/*
 * Counts the samples and prepares what tables are made from. r has all that is known before:
 * options, recording, layout and session. After damage in the middle of the recording it holds the
 * samples before it, and the code is returned as well; r->stacks is NULL if there is nothing to
 * show.
 */
int report_count(struct report *r, struct perr *e) MUST_CHECK;
/* Frees what report_count() has made. */
void report_uncount(struct report *r);

/*
 * Counts the samples again, by time and thread only: rows have LANES_COLUMNS of
 * report/charts/count_lanes.h, with times in steps of 1 ns. The caller frees *ret. PERR_NOTFOUND:
 * samples have no times; else as counts_run().
 */
int report_count_times(struct report *r, struct counts **ret, struct perr *e) MUST_CHECK;

/*
 * Counts the samples from one time to another (ns, both included) as --time would, and prepares
 * what tables are made from. r is borrowed until report_free_part(*ret). *ret is NULL if no sample
 * was taken then. Errors: those of report_count().
 */
int report_count_part(const struct report *r, u64 from, u64 to, struct report **ret,
		      struct perr *e) MUST_CHECK;
void report_free_part(struct report *part);

/* How many threads may work on the report. */
unsigned int report_nr_threads(const struct report *r);

/* Which events share a table; r is borrowed. */
struct event_tables report_event_tables(const struct report *r);

/* True if any event has samples that the options let through. */
bool report_has_samples(const struct report *r);

/* Lists the entries of these events and fits the totals to the filters. events is borrowed. */
void report_list_hist(struct report *r, struct hist *h, const u32 *events, size_t nr);

/*
 * Appends "Samples: 11K of event 'cycles'", then `between`, then "Event count (approx.): 123".
 */
void report_put_event(const struct report *r, const struct event_tables *tables,
		      const struct hist *h, const char *between, struct out *o);

/* Prints the same as comments, with what else the options choose. */
void report_print_event(const struct report *r, const struct event_tables *tables,
			const struct hist *h);

/*
 * Shows the tables on the terminal until the user leaves, instead of printing them. PERR_IO,
 * PERR_UNSUPPORTED: there is no terminal to show them on.
 */
int report_view(struct report *r, struct perr *e) MUST_CHECK;

#endif

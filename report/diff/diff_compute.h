/* SPDX-License-Identifier: MIT */
/* The methods of -c: what is computed from a row's periods in two recordings, as in perf diff. */
#ifndef REPORT_DIFF_DIFF_COMPUTE_H
#define REPORT_DIFF_DIFF_COMPUTE_H

#include "base/err.h"
#include "base/out.h"

enum diff_method {
	DIFF_DELTA,     /* new share - base share, in percentage points */
	DIFF_DELTA_ABS, /* the same; rows are sorted by its absolute value */
	DIFF_RATIO,     /* new period / base period */
	DIFF_WDIFF,     /* new period * new_weight - base period * base_weight */
	DIFF_NR_METHODS
};

struct diff_compute {
	enum diff_method method;
	s64 base_weight, new_weight; /* of DIFF_WDIFF */
};

/* A row's periods in two recordings, and the recordings' periods. 0 where one lacks the row. */
struct diff_periods {
	u64 base, new;
	u64 base_total, new_total;
};

/* One computed difference. */
union diff_value {
	double number; /* of all methods but DIFF_WDIFF */
	s64 weighted;  /* of DIFF_WDIFF; it wraps, as in perf */
};

/*
 * Parser of -c for OPT_PARSE: "delta", "delta-abs", "ratio" or "wdiff:W1,W2" (weights of the base
 * and of the new recording, neither 0) to a struct diff_compute. NULL: the default, delta-abs.
 * PERR_USAGE: anything else. PERR_UNSUPPORTED: "cycles", which is perf's alone.
 */
int diff_compute_parse(void *compute, const char *arg, struct perr *e) MUST_CHECK;

/* Returns the share of a total in percent; 0 of an empty total. */
double diff_share(u64 period, u64 total);

union diff_value diff_compute_value(const struct diff_compute *c, const struct diff_periods *p);

/* Compares for display: negative if x comes first, because it is the larger one. */
int diff_compute_order(const struct diff_compute *c, union diff_value x, union diff_value y);

/* Appends how the value is computed, with the periods in place: "(5 * 100 / 20) - (...)". */
void diff_compute_put_formula(const struct diff_compute *c, const struct diff_periods *p,
			      struct out *o);

#endif

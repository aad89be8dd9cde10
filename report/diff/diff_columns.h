/* SPDX-License-Identifier: MIT */
/*
 * The columns of a comparison: figures of each recording, and keys. By default those of perf diff:
 * the baseline's share, for each other recording what -c computes, then the keys.
 */
#ifndef REPORT_DIFF_DIFF_COLUMNS_H
#define REPORT_DIFF_DIFF_COLUMNS_H

#include "report/diff/diff_compute.h"
#include "report/table/hist_columns.h"

enum diff_figure {
	DIFF_BASELINE, /* the baseline's share */
	DIFF_SHARE,    /* a recording's share */
	DIFF_COMPUTED, /* a difference from the baseline, by diff_column.method */
	DIFF_FORMULA,
	DIFF_PERIOD,
	DIFF_SAMPLES,
	DIFF_INTERVAL, /* of the difference */
	DIFF_NOISE,    /* "noise" where the interval holds no difference */
	DIFF_KEY,
};

struct diff_column {
	enum diff_figure figure;
	enum diff_method method; /* of DIFF_COMPUTED, DIFF_FORMULA, DIFF_INTERVAL, DIFF_NOISE */
	size_t side;             /* of figures: the recording, 0 is the baseline */
	size_t out;              /* of DIFF_KEY: index in hist_layout.out */
};

/* Which columns are wanted. */
struct diff_column_options {
	enum diff_method method;
	const char *fields; /* -F: "baseline,delta,symbol"; NULL: the default columns */
	bool formula, period, samples, interval;
	bool chosen; /* somebody asked for the interval; otherwise narrow terminals go without it */
};

struct diff_columns {
	struct diff_column *items;
	size_t nr, cap;
};

/*
 * Splits the words of -F into figures and keys. Returns the keys, separated by commas, in malloc'd
 * memory, for hist_layout_init(); "" if there are none. fields may be NULL and may begin with "+".
 */
char *diff_columns_keys_of(const char *fields);

/*
 * Makes the columns for nr_sides recordings whose keys are those of the layout. Call
 * diff_columns_fini() afterwards.
 */
void diff_columns_init(struct diff_columns *c, const struct diff_column_options *opt,
		       const struct hist_layout *l, size_t nr_sides);
void diff_columns_fini(struct diff_columns *c);

/* True if a column needs the squares of periods (diff_config.squares). */
bool diff_columns_need_squares(const struct diff_column_options *opt);

/* Returns the title of a column of figures, without the recording's number. */
const char *diff_column_title(const struct diff_column *c);
/* Returns the least width of a column of figures, in characters. */
int diff_column_width(const struct diff_column *c);

#endif

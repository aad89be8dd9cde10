/* SPDX-License-Identifier: MIT */
/*
 * The rows of one event in several recordings side by side. Rows of two recordings are one row if
 * their keys have the same values. Symbols are compared by name, since addresses differ between
 * builds, so all addresses of an object without a symbol are one row, as in perf diff. The first
 * recording is the baseline.
 */
#ifndef REPORT_DIFF_DIFF_TABLE_H
#define REPORT_DIFF_DIFF_TABLE_H

#include "report/diff/diff_compute.h"
#include "report/diff/diff_interval.h"
#include "report/diff/diff_side.h"

/* What the rows are compared by. */
struct diff_options {
	struct diff_compute compute;
	u64 order;            /* the recording whose differences sort the rows; 0: the baseline */
	bool relative;        /* shares are of the rows that pass the filters */
	bool baseline_only;   /* only rows that the baseline and another recording have */
	double percent_limit; /* only rows with at least this share in one recording */
};

/* What the value of a key is in all recordings, since most ids belong to one. */
enum diff_key_kind {
	DIFF_KEY_NUMBER, /* the id: a CPU, a thread id, an address */
	DIFF_KEY_TEXT,   /* the text of the id */
	DIFF_KEY_SYMBOL, /* the symbol's name; all addresses without one are equal */
	DIFF_KEY_LOCAL,  /* a text of the place, or that of the cell */
};

enum diff_key_kind diff_key_kind(const struct sort_key *key);

/* A row in one recording. */
struct diff_cell {
	u32 entry; /* of the recording's histogram; DIFF_ABSENT: the recording lacks the row */
	u64 period, samples;
	double squares; /* of the samples' periods; 0 unless diff_config.squares */
};

#define DIFF_ABSENT UINT32_MAX

/* What shares of one recording are of. */
struct diff_total {
	u64 period, samples;
	double squares;
};

struct diff_row {
	u32 side;  /* the first recording that has the row: its entry is shown */
	u32 cells; /* number in diff_table.cells of the row's cell for the baseline */
	u32 keys;  /* number in diff_table.keys */
};

struct diff_table {
	const struct diff_options *opt;
	struct diff_side *sides; /* borrowed */
	size_t nr_sides;
	struct hist *hists;        /* by side; zero where the recording lacks the event */
	u32 *events;               /* by side: pd_event.idx */
	u32 **row_of;              /* by side and entry: number of the row (diff_row.keys) */
	struct diff_total *totals; /* by side */
	struct diff_row *rows;     /* in the order of display after diff_order_rows() */
	size_t nr, cap;
	struct diff_cell *cells;
	size_t nr_cells, cap_cells;
	struct tuple_table keys; /* each row's keys, as numbers that hold in all recordings */
	struct intern texts;     /* of keys that are no numbers; 0: none */
};

/*
 * Makes the rows of an event of the baseline (pd_event.idx) and of the events of the same type and
 * config in the others. All sides have the same keys. opt and sides are borrowed until
 * diff_table_fini().
 */
void diff_table_init(struct diff_table *t, const struct diff_options *opt, struct diff_side *sides,
		     size_t nr_sides, u32 event, unsigned int nr_threads);
void diff_table_fini(struct diff_table *t);

/* Returns a row's cell of one recording. */
static inline const struct diff_cell *diff_cell_of(const struct diff_table *t,
						   const struct diff_row *r, size_t side)
{
	return &t->cells[r->cells + side];
}

/*
 * Returns the number (diff_row.keys) of the row that a counted row of a recording belongs to;
 * DIFF_ABSENT if it is left out.
 */
u32 diff_row_of_counted(const struct diff_table *t, size_t side, u32 counted);

/* True if the row has at least this share, in percent, of one of the recordings. */
bool diff_row_reaches(const struct diff_table *t, const struct diff_row *r, double percent);

/* Returns the sum of the squares of a counted row's periods, which differ by less than 1/16. */
static inline double diff_squares_of(const struct count_row *r)
{
	return r->samples ? (double)r->period * (double)r->period / (double)r->samples : 0;
}

/* True if the recording has the event. */
static inline bool diff_side_has_event(const struct diff_table *t, size_t side)
{
	return t->hists[side].d;
}

/* Returns the periods that differences between the baseline and one recording are made of. */
struct diff_periods diff_periods_of(const struct diff_table *t, const struct diff_row *r,
				    size_t side);

/*
 * Returns the interval of the difference that the method computes between the baseline and one
 * recording. Unknown where that method has no value, and without diff_config.squares.
 */
struct diff_interval diff_row_interval(const struct diff_table *t, const struct diff_row *r,
				       size_t side, enum diff_method method);

/* True if the recording's difference from the baseline is within the error of sampling. */
bool diff_row_is_noise(const struct diff_table *t, const struct diff_row *r, size_t side,
		       enum diff_method method);

/* Returns the cell of a row in a column of keys, field number `out` of the sides' layouts. */
struct key_cell diff_key_cell(const struct diff_table *t, const struct diff_row *r, size_t out);

#endif

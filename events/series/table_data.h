/* SPDX-License-Identifier: MIT */
/* The rows of an analysis for programs: as lines of values, or as JSON. All times are ns. */
#ifndef EVENTS_SERIES_TABLE_DATA_H
#define EVENTS_SERIES_TABLE_DATA_H

#include "events/table_text.h"

/*
 * Writes a line of titles and a line for each row: n, for what is measured also total, min, avg,
 * the quantiles and max, then the values of the row. A text that holds the separator, a quote or a
 * line end is quoted, its quotes doubled. order: rows in their order, nr of them.
 */
void table_data_put_csv(struct out *o, const struct pairs *p, const struct table_options *opt,
			struct value_text *t, const u32 *order, size_t nr);

/* Which rows are written, and what is said of them. */
struct table_data {
	const u32 *order; /* rows in their order */
	size_t nr;
	u64 until;       /* when an interval ended, ns; 0: there are none */
	const char *leg; /* of a chain; NULL: this is none */
};

/* Writes one object: rows, the sums of all, and what became of begins, ends and losses. */
void table_data_put_object(struct out *o, const struct pairs *p, const struct table_options *opt,
			   struct value_text *t, const struct table_data *d);

#endif

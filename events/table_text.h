/* SPDX-License-Identifier: MIT */
/* The table of an analysis as text: one line for each row, histograms, the longest pairs, and what
 * became of begins and ends that made no pair. */
#ifndef EVENTS_TABLE_TEXT_H
#define EVENTS_TABLE_TEXT_H

#include "events/pairs.h"
#include "events/value_text.h"

#define MAX_QUANTILES 8

enum table_sort {
	SORT_TOTAL,
	SORT_N,
	SORT_AVG,
	SORT_MAX,
	SORT_LAST_QUANTILE, /* of the columns */
};

enum table_unit { UNIT_AUTO, UNIT_NS, UNIT_US, UNIT_MS, UNIT_S };

struct table_options {
	u32 quantiles[MAX_QUANTILES]; /* of 1,000,000 */
	size_t nr_quantiles;
	enum table_sort sort;
	enum table_unit unit;
	u64 top;        /* rows; 0: all */
	bool json;      /* see table_data.h */
	char separator; /* of values, see table_data.h; 0: a table for people */
	bool hist;
	bool stacks; /* of the longest pairs */
};

/* Writes all that is printed at the end. */
void table_text_put(struct out *o, const struct pairs *p, const struct table_options *opt,
		    struct value_text *t);

/* Writes a part of it: the head, these rows in this order, and with opt->hist their histograms. */
void table_text_put_rows(struct out *o, const struct pairs *p, const struct table_options *opt,
			 struct value_text *t, const u32 *order, size_t nr);
/* Writes what follows the rows: the longest pairs, and what made no pair, but not
 * which switches are missing. */
void table_text_put_rest(struct out *o, const struct pairs *p, const struct table_options *opt,
			 struct value_text *t);

/* The rows in the order in which they are printed; malloc'd. *ret_nr: how many are wanted. */
u32 *table_text_order(const struct pairs *p, const struct table_options *opt, size_t *ret_nr);

/* Writes one pair: its time, key and row, and its two events; with their stacks, where these are
 * wanted. */
void table_text_put_pair(struct out *o, const struct pairs *p, const struct pair *pair,
			 const struct table_options *opt, struct value_text *t);

/* Writes a begin that has waited for so long, in ns, and has no end yet. */
void table_text_put_open(struct out *o, const struct pairs *p, const struct open_begin *b, u64 ns,
			 const struct table_options *opt, struct value_text *t);
/* Writes one event: when and where it was, and its fields; with its stack, where that is wanted. */
void table_text_put_event(struct out *o, const struct pairs *p, const struct occurrence *at,
			  const struct table_options *opt, struct value_text *t);

/* -I: a line with the time, in ns, at which an interval ended. */
void table_text_put_time(struct out *o, u64 time);

#endif

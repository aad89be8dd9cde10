/* SPDX-License-Identifier: MIT */
/* The cells of a histogram's entries as text, and what their columns are like. */
#ifndef REPORT_TABLE_HIST_CELLS_H
#define REPORT_TABLE_HIST_CELLS_H

#include "report/table/hist.h"
#include "report/table/table.h"

/* Returns how many characters fit all cells of a column and its title. */
int hist_column_width(const struct hist *h, const struct hist_field *f);
enum table_kind hist_column_kind(const struct hist_layout *l, const struct hist_field *f);

/* Returns part / total, 0 for a total of 0. */
double hist_share_of(u64 part, u64 total);

/* Appends a share, from 0 to 1, as a percentage; returns its tone. */
enum table_tone hist_put_share(struct out *o, double share);
/* Appends a figure of event number `event` as text; returns its tone. */
enum table_tone hist_put_figure(const struct hist *h, const struct hist_stat *s, enum hist_number n,
				size_t event, struct out *o);
/* Appends the cell of a key without the blanks that keys print up to the column's width. */
void hist_put_key(const struct hist *h, const struct hist_field *f, int width, u32 entry,
		  struct out *o);

#endif

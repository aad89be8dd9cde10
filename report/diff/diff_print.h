/* SPDX-License-Identifier: MIT */
/* A comparison as text, in the layout of perf diff. */
#ifndef REPORT_DIFF_DIFF_PRINT_H
#define REPORT_DIFF_DIFF_PRINT_H

#include "report/diff/diff_chains.h"
#include "report/diff/diff_columns.h"
#include "report/diff/diff_table.h"

struct diff_text {
	const struct diff_table *table; /* sorted by diff_order_rows() */
	const struct diff_columns *columns;
	const char *separator;      /* -t; NULL: columns are aligned */
	struct diff_chains *chains; /* NULL: no call chains */
	bool may_leave_out; /* intervals and marks of noise, on a terminal too narrow for them */
	bool titles;
	bool color;
};

/* Appends the titles and a line for each row, followed by those of its call chains. o need not be
 * in memory. */
void diff_print(struct out *o, const struct diff_text *t);

#endif

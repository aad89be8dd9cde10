/* SPDX-License-Identifier: MIT */
/* A table of given rows, for tests of what shows tables. Its columns: share, object, function. */
#ifndef TESTS_REPORT_MADE_TABLE_H
#define TESTS_REPORT_MADE_TABLE_H

#include "report/table/table.h"

/* A row of a made table; rows below have a parent. */
struct made_row {
	const char *object, *function;
	double share;
	u32 parent; /* index + 1; 0: a top row */
	bool joined;
};

struct made_table {
	struct table table;
	const struct made_row *rows;
	size_t nr;
	table_row order[64]; /* top rows */
	size_t nr_top;
};

/* The rows are borrowed. Sorting by any column sorts by function. */
struct made_table made_table(const struct made_row *rows, size_t nr);

#endif

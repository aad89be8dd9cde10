/* SPDX-License-Identifier: MIT */
/*
 * The cells of a table's columns that are no figures, each distinct one once: filters and searches
 * look at these instead of at all rows. They are made in parts while no key is pressed, or at once
 * when they are needed.
 */
#ifndef REPORT_TUI_ROWS_CELLS_H
#define REPORT_TUI_ROWS_CELLS_H

#include "base/err.h"
#include "base/hash.h"
#include "report/table/table.h"

/* The cells of one column. */
struct rows_column {
	bool figure;    /* it has none */
	u32 *of;        /* by top row: the number of its cell */
	size_t *starts; /* by number: where its text begins in texts; NUL ends it */
	u64 *values;    /* by number: what table_ops.value() says */
	size_t nr, cap_starts, cap_values;
	struct out texts;
	size_t made;          /* how many rows of rows_cells.rows are done */
	struct idmap numbers; /* by value, while not all are done */
};

struct rows_cells {
	struct table *table;
	table_row *rows; /* the top rows of the table, in the order of their numbers */
	size_t nr_rows;
	struct rows_column *columns;
	size_t nr_columns;
};

/* table and rows, in the order of their numbers, are borrowed; none is above max_row. */
void rows_cells_init(struct rows_cells *c, struct table *table, table_row *rows, size_t nr_rows,
		     size_t max_row);
void rows_cells_fini(struct rows_cells *c);

/* Makes some cells that are missing; false: there are none. */
bool rows_cells_go_on(struct rows_cells *c);
/* Returns the cells of a column, which is not of figures; all of them are made. */
const struct rows_column *rows_cells_of(struct rows_cells *c, size_t col);

static inline const char *rows_cell_text(const struct rows_column *c, size_t number)
{
	return c->texts.buf + c->starts[number];
}

/* What cells are compared with. */
struct rows_match;

/*
 * Reads a regular expression, of any case if it has no capital letters. Free the result with
 * rows_match_free(). PERR_USAGE: it does not compile.
 */
int rows_match_new(const char *pattern, struct rows_match **ret, struct perr *e) MUST_CHECK;
void rows_match_free(struct rows_match *m);
/* Returns by number of cell whether it matches; the caller frees it. */
u8 *rows_match_cells(const struct rows_match *m, const struct rows_column *c);

#endif

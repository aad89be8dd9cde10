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
	u64 *bytes;     /* by number: rows_bytes_of() its text */
	size_t nr, cap_starts, cap_values, cap_bytes;
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

/*
 * The bytes of a text as bits, letters of any case as one, with all bits set if bytes are not of
 * ASCII. A text with another one in it, in any case, has all bits of that one.
 */
u64 rows_bytes_of(const char *text);

static inline u64 rows_byte_bit(char c)
{
	if ((c | 32) >= 'a' && (c | 32) <= 'z')
		return 1ull << ((c | 32) - 'a');
	return 1ull << (c >= '0' && c <= '9' ? 26 + c - '0' : 36 + (u8)c % 28);
}

#endif

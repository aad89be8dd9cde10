/* SPDX-License-Identifier: MIT */
/*
 * What the view of rows shows of a table, without a screen: which rows pass the filters, in which
 * order, which call trees are open, where the cursor is, what a search found. Every step can be
 * undone. The cursor stays on its row while filters and orders change.
 */
#ifndef REPORT_TUI_ROWS_MODEL_H
#define REPORT_TUI_ROWS_MODEL_H

#include "base/err.h"
#include "report/table/table.h"
#include "report/tui/rows_cells.h"

/*
 * Lets rows through by a cell: those that are equal to a value, whose text contains a text, or that
 * match an expression in any column.
 */
struct rows_filter {
	size_t col; /* of rows_model.entries */
	u64 value;
	char *text;   /* contained in the cell; NULL: the cell is equal to value */
	bool matches; /* text is a regular expression, and col is not looked at */
	char *words;  /* for the title: "dso libc.so.6" */
	bool exclude; /* the others pass */
};

/* What a step changes, and undo brings back. */
struct rows_state {
	struct rows_filter *filters;
	size_t nr_filters;
	double limit;      /* least percentage of rows */
	double tree_limit; /* and of branches of call trees; negative: that of the options */
	size_t sort_col;   /* TABLE_NO_COLUMN: the order of the table */
	bool descending;
	bool relative; /* percentages are of the rows that pass the filters */
	bool objects;  /* call trees show objects */
	bool all_open; /* call trees are open, except of flipped rows; else closed, except of them
			*/
	table_row *flipped; /* sorted */
	size_t nr_flipped;
	table_row cursor; /* the top row at or above the cursor */
	u32 line;         /* lines below it */
};

/* A line on the screen: a top row or a frame of its call tree. */
struct rows_line {
	table_row row;
	u32 indent; /* columns before the sign */
	char sign;  /* '+', '-' or blank */
	bool share; /* it shows its share of the row above */
};

/* The lines of one top row with the open part of its call tree; the first one is the row itself. */
struct rows_lines {
	struct rows_line *lines;
	size_t nr, cap;
	table_row of; /* the top row */
	u32 made;     /* rows_model.changes when they were made, + 1; 0: never */
};

#define ROWS_CACHED 256 /* top rows whose lines are kept */

/* All rows of all levels that filters and the limit leave, as they stand with all of them open. */
struct rows_walk {
	table_row *rows; /* NULL: not listed */
	table_row *above;
	size_t nr, cap, cap_above;
	u32 *at; /* by row: index in rows, + 1; 0: it is not among them */
	size_t nr_at;
};

struct rows_model {
	struct table *table;
	struct table *entries; /* whose top rows filters look at: table, or table->entries */
	struct rows_state state;
	struct rows_state *steps; /* for undo and redo; steps[at] is the present one's place */
	size_t nr_steps, cap_steps, at;
	size_t expected_from, expected_to; /* of `order`: expect() was called for them */
	table_row *order;                  /* the top rows that are shown; see rows_at() */
	size_t nr_settled; /* the first ones of `order` that are where they belong */
	size_t nr;
	u32 *place;    /* by top row: its index in order, + 1; 0: it is not shown */
	size_t nr_all; /* top rows of the table */
	size_t max_row;
	u32 changes;    /* of open and closed rows */
	table_row keep; /* the row at the cursor before a step; TABLE_TOP: there was none */
	struct rows_cells cells;
	table_row *all; /* the top rows of `entries`, in the order of their numbers */
	size_t nr_entries, max_entry;
	size_t sorted_by; /* the order that the table has now, as state.sort_col */
	bool sorted_descending;
	struct rows_lines cache[ROWS_CACHED];
	/* the search */
	char *pattern; /* NULL: none */
	u64 *found;    /* a bit by index in order, or in walk */
	size_t nr_found;
	struct rows_walk walk; /* of a table with levels */
	double found_own;      /* share of the samples taken in what was found */
};

/* A place in the model: index in order, and a line below that row. */
struct rows_pos {
	size_t at;
	u32 line;
};

/* table is borrowed. limit: least percentage. */
void rows_model_init(struct rows_model *m, struct table *table, double limit);
void rows_model_fini(struct rows_model *m);

/* Makes some of what later keys need; false: all is made. */
bool rows_go_on(struct rows_model *m);

/*
 * Gives m, which has no steps yet, the filters, order and limit of another table of the same
 * columns: rows are known by the texts of their cells. Each filter is a step.
 */
void rows_take_over(struct rows_model *m, const struct rows_model *from);

/* Begins a step: the caller then changes m->state and calls rows_apply(). */
void rows_step(struct rows_model *m);
/* Makes order and cursor fit m->state. */
void rows_apply(struct rows_model *m);
/* Return false when there is nothing to undo or redo. */
bool rows_undo(struct rows_model *m);
bool rows_redo(struct rows_model *m);

/* A step that adds a filter; text and words are copied. text NULL: by value. */
void rows_add_filter(struct rows_model *m, const struct rows_filter *f);
/* A step that puts f in the place of filter number i; as rows_add_filter(). */
void rows_replace_filter(struct rows_model *m, size_t i, const struct rows_filter *f);
/* Takes back the last step, as if it had never been. */
void rows_cancel_step(struct rows_model *m);
/* A step that removes the newest filter. False: there is none. */
bool rows_drop_filter(struct rows_model *m);
/* Returns the number of a filter by this value, nr_filters if there is none. */
size_t rows_find_filter(const struct rows_model *m, size_t col, u64 value);
/* A step that removes filter number i. */
void rows_remove_filter(struct rows_model *m, size_t i);

/* Puts all of m->order where it belongs, if the table has sorted only some rows so far. */
void rows_settle(struct rows_model *m);

/* The top row at index i, which is below m->nr. */
static inline table_row rows_at(struct rows_model *m, size_t i)
{
	if (i >= m->nr_settled)
		rows_settle(m);
	return m->order[i];
}

/* The lines of the row at index i of order. Valid until the next call for another row. */
const struct rows_lines *rows_lines_at(struct rows_model *m, size_t i);

struct rows_pos rows_cursor(const struct rows_model *m);
/* The line at the cursor; NULL: the table shows no rows. */
const struct rows_line *rows_line_at_cursor(struct rows_model *m);
void rows_set_cursor(struct rows_model *m, struct rows_pos p);
/* Moves p by one line; false: it is at the end. */
bool rows_next(struct rows_model *m, struct rows_pos *p);
bool rows_prev(struct rows_model *m, struct rows_pos *p);
/* Moves the cursor by so many lines, as far as there are any. */
void rows_move(struct rows_model *m, long lines);
void rows_move_to_end(struct rows_model *m);

/* Whether what is below a row is shown; without a step, see below. */
bool rows_is_open(const struct rows_state *s, table_row r);
void rows_set_open(struct rows_state *s, table_row r, bool open);

/* Steps: the row at the cursor is opened or closed by one level; with all levels; all rows are. */
void rows_toggle(struct rows_model *m);
void rows_toggle_whole(struct rows_model *m, bool only_close);
void rows_open_all(struct rows_model *m, bool open);

/*
 * Searches the cells of all rows shown for a regular expression, in any case if it has no capital
 * letters. NULL ends the search. PERR_USAGE: it does not compile.
 */
int rows_search(struct rows_model *m, const char *pattern, struct perr *e) MUST_CHECK;
/*
 * Moves the cursor to the next row that was found; returns its number from 1, 0: there is none.
 * Opening the rows above it is a step; *ret_opened: there was one. ret_opened may be NULL.
 */
size_t rows_find(struct rows_model *m, int direction, bool *ret_opened);
bool rows_is_found(const struct rows_model *m, const struct rows_line *l);
/* How many rows were found up to a line. */
size_t rows_number_of_found(const struct rows_model *m, const struct rows_line *l);
/*
 * The rows that are searched, by index: top rows in their order, or those of all levels as if all
 * were open; of the latter only after rows_search(). SIZE_MAX: the row is not among them.
 */
size_t rows_nr_searched(const struct rows_model *m);
size_t rows_searched_index(const struct rows_model *m, table_row r);
bool rows_is_found_at(const struct rows_model *m, size_t i);
/* How many rows were found up to index i. */
size_t rows_number_found_at(const struct rows_model *m, size_t i);
/* Forgets where rows of levels stand; rows_apply() does it. */
void rows_forget_walk(struct rows_model *m);

/* Rows of further levels are hidden by the limit, as top rows are. */
bool rows_is_light(const struct rows_model *m, table_row r);

/* The entry that the cursor is on or below: a top row, or a row of a level. TABLE_TOP: none. */
table_row rows_entry_at_cursor(struct rows_model *m);
/*
 * The row of m->entries with the cell that a row of m->table has in a column of m->entries. A row
 * of a level above that column has the one of the first row below it.
 */
table_row rows_entry_of(struct rows_model *m, table_row r, size_t col);

/*
 * Returns by top row of m->entries whether filters let it through, in an array that the caller
 * frees; NULL: there are no filters.
 */
bool *rows_passing(struct rows_model *m);

/* The first column of this kind, TABLE_NO_COLUMN if there is none. */
size_t rows_column_of(const struct table *t, enum table_kind kind);

#endif

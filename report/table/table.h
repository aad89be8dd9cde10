/* SPDX-License-Identifier: MIT */
/*
 * The interface between makers of tables (hist_table.h) and viewers that print or draw them: rows,
 * columns, cells as text, and sorting by a column.
 *
 *	struct table *t = hist_table_new(...);		(or another maker of tables)
 *	for (i = 0; i < t->ops->nr_rows(t, TABLE_TOP); i++) {
 *		r = t->ops->row(t, TABLE_TOP, i);
 *		t->ops->cell(t, r, 0, &out, &tone);
 *	}
 *	t->ops->free(t);
 */
#ifndef REPORT_TABLE_TABLE_H
#define REPORT_TABLE_TABLE_H

#include "base/out.h"
#include "base/types.h"

/* What the cells of a column are. */
enum table_kind {
	TABLE_FIGURE,
	TABLE_KEY, /* a key that is none of those below */
	TABLE_COMM,
	TABLE_THREAD,
	TABLE_OBJECT,
	TABLE_FUNCTION,
	TABLE_SOCKET,
};

/* What a viewer needs to know about a column. */
struct table_column {
	const char *title; /* borrowed from the table */
	int width;         /* characters that fit the widest cell and the title */
	bool right;        /* cells are aligned to the right */
	bool number;       /* cells are figures: viewers show the highest first */
	enum table_kind kind;
	size_t event; /* of a figure: which event of a group it is of, from 0 */
};

/* How a child row, a frame of a call tree, is drawn. */
struct table_branch {
	bool joined; /* it belongs to the same samples as the row above it, its only parent */
	bool share;  /* its label begins with its share, which the parent's does not tell */
	double percent;
};

/* How to draw a cell. Hot is for 5 % or more (red in perf), warm for more than 0.5 % (green). */
enum table_tone { TONE_PLAIN, TONE_HOT, TONE_WARM, TONE_DIM };

/* The number of a row. It stays the same as long as the table lives. */
typedef u32 table_row;

/* Stands for the parent of the top rows in nr_rows() and row(). */
#define TABLE_TOP UINT32_MAX

struct map;

/* Where a row's code is, for viewers that can show it. Texts are borrowed from the table. */
struct table_place {
	const char *function;  /* NULL: no symbol is known */
	const char *object;    /* the recorded file name; NULL: nothing was mapped there */
	u64 addr;              /* address in the object; without an object the run-time ip */
	const struct map *map; /* of the object; NULL: nothing was mapped there */
};

/* For sort(): the order that the table had when it was made. */
#define TABLE_NO_COLUMN SIZE_MAX

struct table;

/* The functions of a table whose rows may have child rows. Child rows are made on demand. */
struct table_ops {
	size_t (*nr_columns)(const struct table *t);
	/* Describes column col, which is below nr_columns(). */
	void (*column)(const struct table *t, size_t col, struct table_column *ret);
	/* Returns the number of rows directly below the parent, a row or TABLE_TOP. */
	size_t (*nr_rows)(struct table *t, table_row parent);
	/* Says that rows below these top rows will be asked for soon: that is faster at once. */
	void (*expect)(struct table *t, const table_row *rows, size_t nr);
	/* Whether a row has rows directly below it. Unlike nr_rows() it makes none. */
	bool (*has_rows)(struct table *t, table_row parent);
	/* Returns row i below the parent in the present order; i is below nr_rows(). */
	table_row (*row)(struct table *t, table_row parent, size_t i);
	/*
	 * Returns how many of the first top rows are in their order: settle() puts the others in
	 * theirs. Until then each of them has some place behind.
	 */
	size_t (*nr_settled)(const struct table *t);
	/*
	 * Does a part of that work, some milliseconds. False: all rows are in their order. sort()
	 * and pick() finish the work first.
	 */
	bool (*settle)(struct table *t);
	/*
	 * Whether the top rows are in the order of share(), the highest first, whole() or not.
	 * NULL: they need not be.
	 */
	bool (*by_share)(const struct table *t);
	/*
	 * True for a row that has cells in all columns: top rows, and rows of further levels below
	 * them. False for a frame of a call tree, which branch() labels.
	 */
	bool (*is_entry)(const struct table *t, table_row r);
	/* Appends the text of a cell to o, without blanks around it; an empty cell has none. */
	void (*cell)(struct table *t, table_row r, size_t col, struct out *o, enum table_tone *ret);
	/* Returns the row's share of the whole table, from 0 to 1: for limits and colours. */
	double (*share)(const struct table *t, table_row r);
	/* Returns the share of the samples that were taken in a top row itself, not in callees. */
	double (*own)(const struct table *t, table_row r);
	/*
	 * Returns the number of a top row's value in a column that is no figure. Cells of one
	 * column are equal when their numbers are.
	 */
	u64 (*value)(const struct table *t, table_row r, size_t col);
	/*
	 * Appends the label of a child row, in a tree drawn without columns: "12.50% name", with
	 * the object behind it if `objects`.
	 */
	void (*branch)(struct table *t, table_row r, bool objects, struct out *o,
		       struct table_branch *ret);
	/*
	 * Shares are of the samples of these top rows from now on, instead of all samples. rows
	 * NULL: of all again.
	 */
	void (*whole)(struct table *t, const table_row *rows, size_t nr);
	/*
	 * Leaves out branches of call trees below this percentage; negative: below that of the
	 * options. Rows of trees that were made before stay valid. NULL: the table has no trees.
	 */
	void (*limit)(struct table *t, double percent);
	/*
	 * For tables with `entries`; others have NULL. Only the entries that passing has by their
	 * rows are counted from now on: rows without any are gone, until NULL brings all back.
	 * passing may be freed afterwards. Also ends what whole() did.
	 */
	void (*pick)(struct table *t, const bool *passing);
	/*
	 * Says which cell of `entries` names a row of the levels. False for a frame of a call tree.
	 * NULL for tables without `entries`.
	 */
	bool (*named)(const struct table *t, table_row r, table_row *ret_entry, size_t *ret_col);
	/*
	 * Says where the row's code is. False if the row stands for more than one function; object
	 * and map are set even then, but may be those of a part of its samples.
	 */
	bool (*place)(const struct table *t, table_row r, struct table_place *ret);
	/*
	 * Sorts the top rows by a column; rows with equal cells keep their order. TABLE_NO_COLUMN:
	 * as at first. Returns 0, or -1 if the table cannot be sorted by this column.
	 */
	int (*sort)(struct table *t, size_t col, bool descending);
	void (*free)(struct table *t);
};

/* The first member of every table. */
struct table {
	const struct table_ops *ops;
	bool trees; /* top rows begin with a sign, or a blank where they have no child rows */
	/*
	 * Child rows may be entries of further levels: rows of all levels are sums of the top rows
	 * of this table, which has a column for each key. NULL: there are no levels.
	 */
	struct table *entries;
};

#endif

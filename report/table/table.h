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

/* What a viewer needs to know about a column. */
struct table_column {
	const char *title; /* borrowed from the table */
	int width;         /* characters that fit the widest cell and the title */
	bool right;        /* cells are aligned to the right */
	bool number;       /* cells are figures: viewers show the highest first */
};

/* How to draw a cell. Hot is for 5 % or more (red in perf), warm for more than 0.5 % (green). */
enum table_tone { TONE_PLAIN, TONE_HOT, TONE_WARM, TONE_DIM };

/* The number of a row. It stays the same as long as the table lives. */
typedef u32 table_row;

/* Stands for the parent of the top rows in nr_rows() and row(). */
#define TABLE_TOP UINT32_MAX

/* Where a row's code is, for viewers that can show it. Texts are borrowed from the table. */
struct table_place {
	const char *function; /* NULL: no symbol is known */
	const char *object;   /* the recorded file name; NULL: nothing was mapped there */
	u64 addr;             /* address in the object; without an object the run-time ip */
};

struct table;

/* The functions of a table whose rows may have child rows. Child rows are made on demand. */
struct table_ops {
	size_t (*nr_columns)(const struct table *t);
	/* Describes column col, which is below nr_columns(). */
	void (*column)(const struct table *t, size_t col, struct table_column *ret);
	/* Returns the number of rows directly below the parent, a row or TABLE_TOP. */
	size_t (*nr_rows)(struct table *t, table_row parent);
	/* Returns row i below the parent in the present order; i is below nr_rows(). */
	table_row (*row)(struct table *t, table_row parent, size_t i);
	/* Appends the text of a cell to o, without blanks around it; an empty cell has none. */
	void (*cell)(struct table *t, table_row r, size_t col, struct out *o, enum table_tone *ret);
	/* Returns the row's share of the whole table, from 0 to 1: for limits and colours. */
	double (*share)(const struct table *t, table_row r);
	/* Says where the row's code is. False if the row stands for more than one function. */
	bool (*place)(const struct table *t, table_row r, struct table_place *ret);
	/*
	 * Sorts the top rows by a column; rows with equal cells keep their order. Returns 0, or -1
	 * if the table cannot be sorted by this column.
	 */
	int (*sort)(struct table *t, size_t col, bool descending);
	void (*free)(struct table *t);
};

/* The first member of every table. */
struct table {
	const struct table_ops *ops;
};

#endif

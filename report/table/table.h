/* SPDX-License-Identifier: MIT */
/*
 * A table: rows and cells, whatever they are made of, shown by whatever prints or draws them.
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

struct table_column {
	const char *title; /* borrowed from the table */
	int width;         /* characters that the widest cell and the title need */
	bool right;        /* cells are aligned to the right */
	bool number;       /* cells are figures: viewers show the highest first */
};

/* How a cell is to be drawn. Hot and warm are perf's red and green: from 5 %, above 0.5 %. */
enum table_tone { TONE_PLAIN, TONE_HOT, TONE_WARM, TONE_DIM };

/* A row, by a number that stays the same as long as the table lives. */
typedef u32 table_row;

/* The parent of the rows that stand below no other. */
#define TABLE_TOP UINT32_MAX

/* Where a row's code is, for viewers that open it. Texts are borrowed from the table. */
struct table_place {
	const char *function; /* NULL: no symbol is known */
	const char *object;   /* as it was recorded; NULL: nothing was mapped there */
	u64 addr;             /* in the object; without one as it was recorded */
};

struct table;

/* A table whose rows may have rows below them. Rows are made when they are asked for. */
struct table_ops {
	size_t (*nr_columns)(const struct table *t);
	void (*column)(const struct table *t, size_t col, struct table_column *ret);
	/* How many rows stand directly below the parent. */
	size_t (*nr_rows)(struct table *t, table_row parent);
	/* Row i of these, in the present order; i is below nr_rows. */
	table_row (*row)(struct table *t, table_row parent, size_t i);
	/* Appends the text of a cell to o, without blanks around it; nothing where it is empty. */
	void (*cell)(struct table *t, table_row r, size_t col, struct out *o, enum table_tone *ret);
	/* The row's share of the whole table, from 0 to 1: for limits, colours and bars. */
	double (*share)(const struct table *t, table_row r);
	/* False where the row stands for more than one function. */
	bool (*place)(const struct table *t, table_row r, struct table_place *ret);
	/*
	 * Puts the rows at the top in the order of a column; rows with equal cells keep the order
	 * that they had. Returns 0, or -1 where the table cannot be sorted by this column.
	 */
	int (*sort)(struct table *t, size_t col, bool descending);
	void (*free)(struct table *t);
};

/* The first member of every table. */
struct table {
	const struct table_ops *ops;
};

#endif

/* SPDX-License-Identifier: MIT */
#include "tests/report/made_table.h"

#include <stdlib.h>

#define NR_COLUMNS 3 /* own share, object, function */

static struct made_table *made(const struct table *t)
{
	return (struct made_table *)(uintptr_t)t;
}

static size_t made_nr_columns(const struct table *t)
{
	(void)t;
	return NR_COLUMNS;
}

static void made_column(const struct table *t, size_t col, struct table_column *ret)
{
	static const struct table_column columns[NR_COLUMNS] = {
		{ .title = "Overhead", .width = 8, .right = true, .number = true },
		{ .title = "Object", .width = 8, .kind = TABLE_OBJECT },
		{ .title = "Symbol", .width = 12, .kind = TABLE_FUNCTION },
	};

	(void)t;
	*ret = columns[col];
}

static size_t made_nr_rows(struct table *t, table_row parent)
{
	size_t nr = 0;

	if (parent == TABLE_TOP)
		return made(t)->nr_top;
	for (size_t i = 0; i < made(t)->nr; i++)
		nr += made(t)->rows[i].parent == parent + 1;
	return nr;
}

static void made_expect(struct table *t, const table_row *rows, size_t nr)
{
	(void)t;
	(void)rows;
	(void)nr;
}

static bool made_has_rows(struct table *t, table_row parent)
{
	return made_nr_rows(t, parent);
}

static table_row made_row(struct table *t, table_row parent, size_t i)
{
	if (parent == TABLE_TOP)
		return made(t)->order[i];
	for (table_row r = 0;; r++)
		if (made(t)->rows[r].parent == parent + 1 && !i--)
			return r;
}

static size_t made_nr_settled(const struct table *t)
{
	return made(t)->nr_top;
}

static bool made_settle(struct table *t)
{
	(void)t;
	return false;
}

static bool made_is_entry(const struct table *t, table_row r)
{
	return !made(t)->rows[r].parent;
}

static void made_cell(struct table *t, table_row r, size_t col, struct out *o, enum table_tone *ret)
{
	const struct made_row *row = &made(t)->rows[r];

	*ret = TONE_PLAIN;
	if (!col)
		out_printf(o, "%.2f%%", row->share * 100);
	else
		out_str(o, col == 1 ? row->object : row->function);
}

static double made_share(const struct table *t, table_row r)
{
	return made(t)->rows[r].share;
}

/* Equal texts have equal numbers. */
static u64 made_value(const struct table *t, table_row r, size_t col)
{
	const struct made_row *rows = made(t)->rows;

	for (table_row i = 0;; i++)
		if (!strcmp(col == 1 ? rows[i].object : rows[i].function,
			    col == 1 ? rows[r].object : rows[r].function))
			return i;
}

static void made_branch(struct table *t, table_row r, bool objects, struct out *o,
			struct table_branch *ret)
{
	const struct made_row *row = &made(t)->rows[r];

	*ret = (struct table_branch){ .joined = row->joined,
				      .share = !row->joined,
				      .percent = row->share * 100 };
	if (ret->share)
		out_printf(o, "%.2f%% ", ret->percent);
	out_str(o, row->function);
	if (objects)
		out_printf(o, " %s", row->object);
}

static void made_whole(struct table *t, const table_row *rows, size_t nr)
{
	(void)t;
	(void)rows;
	(void)nr;
}

static bool made_place(const struct table *t, table_row r, struct table_place *ret)
{
	*ret = (struct table_place){ .function = made(t)->rows[r].function };
	return true;
}

static void list_top(struct made_table *t)
{
	t->nr_top = 0;
	for (table_row i = 0; i < t->nr; i++)
		if (!t->rows[i].parent)
			t->order[t->nr_top++] = i;
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct made_row *rows = ctx;

	return strcmp(rows[*(const table_row *)a].function, rows[*(const table_row *)b].function);
}

/* By names from the last to the first, or as at first. */
static int made_sort(struct table *t, size_t col, bool descending)
{
	(void)descending;
	list_top(made(t));
	if (col != TABLE_NO_COLUMN)
		qsort_r(made(t)->order, made(t)->nr_top, sizeof(table_row), compare_rows,
			(void *)(uintptr_t)made(t)->rows);
	return 0;
}

static const struct table_ops made_ops = {
	.nr_columns = made_nr_columns,
	.column = made_column,
	.nr_rows = made_nr_rows,
	.expect = made_expect,
	.has_rows = made_has_rows,
	.nr_settled = made_nr_settled,
	.settle = made_settle,
	.row = made_row,
	.is_entry = made_is_entry,
	.cell = made_cell,
	.share = made_share,
	.own = made_share,
	.value = made_value,
	.branch = made_branch,
	.whole = made_whole,
	.place = made_place,
	.sort = made_sort,
};

struct made_table made_table(const struct made_row *rows, size_t nr)
{
	struct made_table t = { .table = { .ops = &made_ops, .trees = true },
				.rows = rows,
				.nr = nr };

	list_top(&t);
	return t;
}

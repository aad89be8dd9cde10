/* SPDX-License-Identifier: MIT */
#include "report/table/level_table.h"

#include "base/mem.h"
#include "report/table/hist_cells.h"
#include "report/table/hist_levels.h"
#include "report/table/hist_table.h"

#define STEP 3 /* columns that viewers indent a level by */

/* Rows below nr_lines are lines of the levels; the ones behind them are frames of call trees. */
struct level_table {
	struct table table;
	struct hist *h;
	struct table *entries; /* a hist_table: it has the cells of keys and the call trees */
	bool *picked;          /* by entry: it is counted; NULL: all are */
	struct hist_levels levels;
	size_t *columns;           /* of `entries`: figures, then the keys by level */
	size_t nr_figures, frames; /* frames: index in `columns` of the one that names frames */
	char *title;               /* of the column of keys */
	int width;
	u32 *below;  /* lines in order, those below one line after each other */
	u32 *starts; /* by line + 1, 0 for the top: index in `below` of its first line */
	size_t sorted_by;
	bool descending;
};

static struct level_table *level_table_of(const struct table *t)
{
	return (struct level_table *)(uintptr_t)t;
}

static bool is_line(const struct level_table *t, table_row r)
{
	return r < t->levels.nr;
}

/* The row of t->entries that stands behind a row: a frame of a call tree, or an entry. */
static table_row inner_row(const struct level_table *t, table_row r)
{
	return is_line(t, r) ? t->levels.lines[r].entry : (table_row)(r - t->levels.nr + t->h->nr);
}

/* Rows below a line of the last level, and below frames, are those of call trees. */
static bool has_frames(const struct level_table *t, table_row r)
{
	return !is_line(t, r) || t->levels.lines[r].level + 1 == t->levels.nr_levels;
}

/* ---- columns */

static size_t level_nr_columns(const struct table *table)
{
	return level_table_of(table)->nr_figures + 1;
}

static void level_column(const struct table *table, size_t col, struct table_column *ret)
{
	const struct level_table *t = level_table_of(table);

	t->entries->ops->column(t->entries, t->columns[col], ret);
	if (col < t->nr_figures)
		return;
	ret->title = t->title;
	ret->width = t->width;
}

static void find_columns(struct level_table *t)
{
	const struct table_ops *ops = t->entries->ops;
	size_t nr = ops->nr_columns(t->entries), at = 0, i;
	struct table_column c;
	struct out title;

	t->columns = xcalloc(nr + 1, sizeof(*t->columns));
	for (i = 0; i < nr; i++) {
		ops->column(t->entries, i, &c);
		if (c.number)
			t->columns[at++] = i;
	}
	t->nr_figures = at;
	out_init_mem(&title);
	for (i = 0; i < nr; i++) {
		ops->column(t->entries, i, &c);
		if (c.number)
			continue;
		out_printf(&title, "%s%s", at > t->nr_figures ? " / " : "",
			   c.title + strspn(c.title, " "));
		c.width += (int)(at - t->nr_figures) * STEP;
		t->width = c.width > t->width ? c.width : t->width;
		if (at == t->nr_figures || c.kind == TABLE_FUNCTION)
			t->frames = at;
		t->columns[at++] = i;
	}
	t->width = (int)title.len > t->width ? (int)title.len : t->width;
	t->title = xstrndup(title.len ? title.buf : "", title.len);
	out_fini(&title);
}

/* ---- rows */

static size_t level_nr_rows(struct table *table, table_row parent)
{
	const struct level_table *t = level_table_of(table);

	if (parent == TABLE_TOP)
		return t->starts[1] - t->starts[0];
	if (has_frames(t, parent))
		return t->entries->ops->nr_rows(t->entries, inner_row(t, parent));
	return t->starts[parent + 2] - t->starts[parent + 1];
}

/* Top rows with call trees are those of the only level. */
static void level_expect(struct table *table, const table_row *rows, size_t nr)
{
	const struct level_table *t = level_table_of(table);
	u32 *entries;

	if (t->levels.nr_levels > 1)
		return;
	entries = xcalloc(nr + 1, sizeof(*entries));
	for (size_t i = 0; i < nr; i++)
		entries[i] = inner_row(t, rows[i]);
	t->entries->ops->expect(t->entries, entries, nr);
	free(entries);
}

static bool level_has_rows(struct table *table, table_row parent)
{
	const struct level_table *t = level_table_of(table);

	return has_frames(t, parent) ? t->entries->ops->has_rows(t->entries, inner_row(t, parent))
				     : level_nr_rows(table, parent);
}

static table_row level_row(struct table *table, table_row parent, size_t i)
{
	const struct level_table *t = level_table_of(table);
	table_row r;

	if (parent == TABLE_TOP)
		return t->below[i];
	if (!has_frames(t, parent))
		return t->below[t->starts[parent + 1] + i];
	r = t->entries->ops->row(t->entries, inner_row(t, parent), i);
	return (table_row)(r - t->h->nr + t->levels.nr);
}

static size_t level_nr_settled(const struct table *table)
{
	const struct level_table *t = level_table_of(table);

	return t->starts[1] - t->starts[0];
}

static bool level_settle(struct table *table)
{
	(void)table;
	return false;
}

static bool level_is_entry(const struct table *table, table_row r)
{
	return is_line(level_table_of(table), r);
}

/*
 * Puts the lines below each line next to each other: a counting sort by their parents. Lines
 * without entries that are counted are left out.
 */
static void list_below(struct level_table *t)
{
	const struct hist_levels *y = &t->levels;
	u32 *next = xcalloc(y->nr + 1, sizeof(*next)), line;

	memset(t->starts, 0, (y->nr + 2) * sizeof(*t->starts));
	for (line = 0; line < y->nr; line++)
		t->starts[y->lines[line].parent + 1] += y->lines[line].nr > 0;
	for (line = 0; line <= y->nr; line++) {
		t->starts[line + 1] += t->starts[line];
		next[line] = t->starts[line];
	}
	for (line = 0; line < y->nr; line++)
		if (y->lines[line].nr)
			t->below[next[y->lines[line].parent]++] = line;
	free(next);
}

/* ---- cells */

/* Which figure of which event a column shows. */
static size_t figure_of(const struct level_table *t, size_t col, const struct hist_field **ret)
{
	return hist_table_figure(t->entries, t->columns[col], ret);
}

static void level_cell(struct table *table, table_row r, size_t col, struct out *o,
		       enum table_tone *ret)
{
	const struct level_table *t = level_table_of(table);
	const struct hist_field *f;
	size_t event;

	if (is_line(t, r) && col < t->nr_figures) {
		event = figure_of(t, col, &f);
		*ret = hist_put_figure(t->h,
				       hist_stat_at(t->h, hist_levels_stats(&t->levels, r), event),
				       f->number, event, o);
		return;
	}
	if (is_line(t, r))
		col += t->levels.lines[r].level;
	else if (col == t->nr_figures)
		col = t->frames;
	t->entries->ops->cell(t->entries, inner_row(t, r), t->columns[col], o, ret);
}

static double level_share(const struct table *table, table_row r)
{
	const struct level_table *t = level_table_of(table);

	return is_line(t, r) ? hist_levels_percent(&t->levels, r) / 100
			     : t->entries->ops->share(t->entries, inner_row(t, r));
}

static u64 level_value(const struct table *table, table_row r, size_t col)
{
	const struct level_table *t = level_table_of(table);

	return t->entries->ops->value(t->entries, inner_row(t, r), t->columns[col]);
}

static void level_branch(struct table *table, table_row r, bool objects, struct out *o,
			 struct table_branch *ret)
{
	const struct level_table *t = level_table_of(table);

	t->entries->ops->branch(t->entries, inner_row(t, r), objects, o, ret);
}

static void level_whole(struct table *table, const table_row *rows, size_t nr)
{
	const struct level_table *t = level_table_of(table);
	const struct hist_levels *y = &t->levels;
	bool *shown;
	table_row *below;
	size_t nr_below = 0, i;

	if (!rows) {
		t->entries->ops->whole(t->entries, NULL, 0);
		return;
	}
	shown = xcalloc(y->nr + 1, sizeof(*shown));
	below = xcalloc(t->h->nr_lines + 1, sizeof(*below));
	for (i = 0; i < nr; i++)
		shown[rows[i]] = true;
	for (i = 0; i < t->h->nr_lines; i++) {
		u32 entry = t->h->lines[i];

		if (shown[y->line_of[entry * y->nr_levels]] && (!t->picked || t->picked[entry]))
			below[nr_below++] = entry;
	}
	t->entries->ops->whole(t->entries, below, nr_below);
	free(shown);
	free(below);
}

static void level_limit(struct table *table, double percent)
{
	const struct level_table *t = level_table_of(table);

	t->entries->ops->limit(t->entries, percent);
}

static bool level_named(const struct table *table, table_row r, table_row *ret_entry,
			size_t *ret_col)
{
	const struct level_table *t = level_table_of(table);

	if (!is_line(t, r))
		return false;
	*ret_entry = t->levels.lines[r].entry;
	*ret_col = t->columns[t->nr_figures + t->levels.lines[r].level];
	return true;
}

static bool level_place(const struct table *table, table_row r, struct table_place *ret)
{
	const struct level_table *t = level_table_of(table);
	bool placed = t->entries->ops->place(t->entries, inner_row(t, r), ret);
	struct table_column c;

	if (is_line(t, r)) {
		t->entries->ops->column(t->entries,
					t->columns[t->nr_figures + t->levels.lines[r].level], &c);
		placed &= c.kind == TABLE_FUNCTION;
	}
	return placed;
}

/* ---- order */

static int compare_figures(const struct level_table *t, u32 a, u32 b)
{
	const struct hist_field *f;
	size_t event = figure_of(t, t->sorted_by, &f);
	const struct hist *h = t->h;
	u64 x = hist_number_value(hist_stat_at(h, hist_levels_stats(&t->levels, a), event),
				  f->number);
	u64 z = hist_number_value(hist_stat_at(h, hist_levels_stats(&t->levels, b), event),
				  f->number);

	return (x > z) - (x < z);
}

static int compare_keys(const struct level_table *t, u32 a, u32 b)
{
	const struct hist_levels *y = &t->levels;
	const struct hist_field *f = &t->h->layout->out[y->keys[y->lines[a].level]];

	return sort_key_sort(t->h->d, hist_field_key(t->h->layout, f),
			     hist_key_id(t->h, &t->h->entries[y->lines[a].entry], f->key),
			     hist_key_id(t->h, &t->h->entries[y->lines[b].entry], f->key));
}

static int compare_lines(const void *a, const void *b, void *ctx)
{
	const struct level_table *t = ctx;
	u32 x = *(const u32 *)a, z = *(const u32 *)b;
	int cmp = 0;

	if (t->sorted_by < t->nr_figures)
		cmp = compare_figures(t, x, z);
	else if (t->sorted_by == t->nr_figures)
		cmp = compare_keys(t, x, z);
	if (cmp)
		return t->descending ? -cmp : cmp;
	return hist_levels_compare(&t->levels, x, z);
}

static void sort_lines(struct level_table *t)
{
	for (size_t i = 0; i <= t->levels.nr; i++)
		qsort_r(t->below + t->starts[i], t->starts[i + 1] - t->starts[i], sizeof(*t->below),
			compare_lines, t);
}

static int level_sort(struct table *table, size_t col, bool descending)
{
	struct level_table *t = level_table_of(table);
	const struct hist_layout *l = t->h->layout;

	/* sort_key_sort tells such values apart but has no order for them */
	for (size_t i = 0; col == t->nr_figures && i < t->levels.nr_levels; i++)
		if (hist_field_key(l, &l->out[t->levels.keys[i]])->key->flags & KEY_UNORDERED)
			return -1;
	t->sorted_by = col;
	t->descending = descending;
	sort_lines(t);
	return 0;
}

static void level_pick(struct table *table, const bool *passing)
{
	struct level_table *t = level_table_of(table);

	t->entries->ops->whole(t->entries, NULL, 0);
	if (!passing && !t->picked)
		return;
	free(t->picked);
	t->picked = NULL;
	if (passing) {
		t->picked = xcalloc(t->h->nr + 1, sizeof(*t->picked));
		for (size_t i = 0; i < t->h->nr_lines; i++)
			t->picked[t->h->lines[i]] = passing[t->h->lines[i]];
	}
	hist_levels_count(&t->levels, t->picked);
	list_below(t);
	sort_lines(t);
}

/* ---- */

static void level_free(struct table *table)
{
	struct level_table *t = level_table_of(table);

	t->entries->ops->free(t->entries);
	hist_levels_fini(&t->levels);
	free(t->columns);
	free(t->title);
	free(t->below);
	free(t->starts);
	free(t->picked);
	free(t);
}

static const struct table_ops level_table_ops = {
	.nr_columns = level_nr_columns,
	.column = level_column,
	.nr_rows = level_nr_rows,
	.expect = level_expect,
	.has_rows = level_has_rows,
	.nr_settled = level_nr_settled,
	.settle = level_settle,
	.row = level_row,
	.is_entry = level_is_entry,
	.cell = level_cell,
	.share = level_share,
	.own = level_share,
	.value = level_value,
	.branch = level_branch,
	.whole = level_whole,
	.limit = level_limit,
	.pick = level_pick,
	.named = level_named,
	.place = level_place,
	.sort = level_sort,
	.free = level_free,
};

struct table *level_table_new(struct hist *h, struct chain_tree *tree, unsigned int nr_threads)
{
	struct level_table *t = xcalloc(1, sizeof(*t));

	t->table.ops = &level_table_ops;
	t->h = h;
	t->entries = hist_table_new(h, tree, nr_threads);
	hist_levels_init(&t->levels, h);
	find_columns(t);
	t->table.trees = true;
	t->table.entries = t->entries;
	t->sorted_by = TABLE_NO_COLUMN;
	t->below = xcalloc(t->levels.nr + 1, sizeof(*t->below));
	t->starts = xcalloc(t->levels.nr + 2, sizeof(*t->starts));
	list_below(t);
	sort_lines(t);
	if (!t->levels.nr_levels) {
		level_free(&t->table);
		return NULL;
	}
	return &t->table;
}

/* SPDX-License-Identifier: MIT */
#include "report/table/hist_table.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "profile/chain_tree_priv.h"
#include "report/table/hist_cells.h"
#include "report/table/hist_trees.h"
#include "report/table/hist_uses.h"
#include "report/table/hist_view_order.h"

/* A column of the table: a key, or a figure of one event. */
struct column {
	const struct hist_field *field;
	size_t event;
	int width;
};

struct hist_table {
	struct table table;
	struct hist *h;
	struct hist_settling settling;
	struct hist_trees trees; /* rows of call trees are number h->nr and up */
	struct column *columns;
	size_t nr_columns, cap_columns;
	size_t tree_column;      /* the column that names the frames of call trees */
	u32 *first_lines;        /* h->lines as they were at first; NULL: as they are now */
	bool is_sorted;          /* h->lines are sorted by a column */
	struct hist_totals *all; /* h->totals of all samples, while those of some count; or NULL */
	u64 all_whole;
};

static struct hist_table *hist_table_of(const struct table *t)
{
	return (struct hist_table *)(uintptr_t)t;
}

/* The row of a call tree; NULL: r is an entry. */
static const struct hist_tree_row *tree_row_of(const struct hist_table *t, table_row r)
{
	return r < t->h->nr ? NULL : &t->trees.rows[r - t->h->nr];
}

/* Number in t->trees.rows of the first row below a parent that is not TABLE_TOP. */
static u32 rows_below(struct hist_table *t, table_row parent, size_t *ret_nr)
{
	const struct hist_tree_row *r = tree_row_of(t, parent);

	if (!r)
		return hist_trees_of_entry(&t->trees, parent, ret_nr);
	*ret_nr = r->nr;
	return r->first;
}

/* ---- columns */

static void add_columns(struct hist_table *t)
{
	const struct hist_layout *l = t->h->layout;
	bool found = false;

	for (size_t i = 0; i < l->nr_out; i++) {
		const struct hist_field *f = &l->out[i];
		size_t nr = f->is_key ? 1 : t->h->nr_events;
		int width;

		if (f->elided)
			continue;
		width = f->user_width ? f->user_width : hist_column_width(t->h, f);
		if (f->is_key && !found) {
			t->tree_column = t->nr_columns;
			found = hist_field_key(l, f)->key->flags & KEY_SYMBOL;
		}
		for (size_t ev = 0; ev < nr; ev++)
			vec_push(t->columns, t->nr_columns, t->cap_columns,
				 ((struct column){ f, ev, width }));
	}
}

static size_t hist_table_nr_columns(const struct table *table)
{
	return hist_table_of(table)->nr_columns;
}

static void hist_table_column(const struct table *table, size_t col, struct table_column *ret)
{
	const struct hist_table *t = hist_table_of(table);
	const struct column *c = &t->columns[col];

	*ret = (struct table_column){ .title = hist_field_title(t->h->layout, c->field),
				      .width = c->width,
				      .right = !c->field->is_key,
				      .number = !c->field->is_key,
				      .kind = hist_column_kind(t->h->layout, c->field),
				      .event = c->event };
}

/* ---- rows */

static size_t hist_table_nr_rows(struct table *table, table_row parent)
{
	struct hist_table *t = hist_table_of(table);
	size_t nr;

	if (parent == TABLE_TOP)
		return t->h->nr_lines;
	(void)rows_below(t, parent, &nr);
	return nr;
}

static void hist_table_expect(struct table *table, const table_row *rows, size_t nr)
{
	hist_trees_expect(&hist_table_of(table)->trees, rows, nr);
}

static bool hist_table_has_rows(struct table *table, table_row parent)
{
	struct hist_table *t = hist_table_of(table);
	const struct hist_tree_row *r = tree_row_of(t, parent);

	return r ? r->nr : hist_trees_has_rows(&t->trees, parent);
}

static table_row hist_table_row(struct table *table, table_row parent, size_t i)
{
	struct hist_table *t = hist_table_of(table);
	size_t nr;

	if (parent == TABLE_TOP)
		return t->h->lines[i];
	return (table_row)(t->h->nr + rows_below(t, parent, &nr) + i);
}

static size_t hist_table_nr_settled(const struct table *table)
{
	const struct hist_table *t = hist_table_of(table);

	return t->settling.left ? t->settling.nr_settled : t->h->nr_lines;
}

static bool hist_table_settle(struct table *table)
{
	return hist_settle_go_on(&hist_table_of(table)->settling);
}

static bool hist_table_by_share(const struct table *table)
{
	const struct hist_table *t = hist_table_of(table);

	return !t->is_sorted && !t->settling.left && hist_sorts_by_share(t->h);
}

static bool hist_table_is_entry(const struct table *table, table_row r)
{
	return !tree_row_of(hist_table_of(table), r);
}

size_t hist_table_figure(const struct table *table, size_t col, const struct hist_field **ret)
{
	const struct hist_table *t = hist_table_of(table);

	*ret = t->columns[col].field;
	return t->columns[col].event;
}

/* ---- cells */

/* The period that shares in call trees are of: of all samples, filtered ones included. */
static u64 tree_total(const struct hist *h)
{
	return h->whole ? h->whole : h->totals[0].period;
}

static void put_frame(const struct hist_table *t, u32 frame, struct out *o)
{
	struct chain_frame f;

	chain_tree_describe(t->trees.tree, frame, &f);
	if (f.name)
		out_str(o, f.name);
	else
		out_printf(o, "%#llx", (unsigned long long)f.ip);
	if (f.name && f.inlined)
		out_str(o, " (inlined)");
}

/* Appends a figure of a call tree's row. Call trees have the leader's period and samples only. */
static enum table_tone put_tree_cell(const struct hist_table *t, const struct hist_tree_row *r,
				     size_t col, struct out *o)
{
	const struct column *c = &t->columns[col];
	enum hist_number whole = t->h->children ? HIST_CHILDREN : HIST_OVERHEAD;

	if (c->field->is_key) {
		if (col == t->tree_column)
			put_frame(t, r->frame, o);
		return TONE_PLAIN;
	}
	if (c->event)
		return TONE_PLAIN;
	if (c->field->number == whole)
		return hist_put_share(o, hist_share_of(r->period, tree_total(t->h)));
	if (c->field->number == HIST_PERIOD)
		out_dec(o, r->period, 0);
	else if (c->field->number == HIST_SAMPLES)
		out_dec(o, r->samples, 0);
	return TONE_PLAIN;
}

static void hist_table_cell(struct table *table, table_row row, size_t col, struct out *o,
			    enum table_tone *ret)
{
	struct hist_table *t = hist_table_of(table);
	const struct hist_tree_row *r = tree_row_of(t, row);

	*ret = TONE_PLAIN;
	if (r)
		*ret = put_tree_cell(t, r, col, o);
	else if (t->columns[col].field->is_key)
		hist_put_key(t->h, t->columns[col].field, t->columns[col].width, row, o);
	else
		*ret = hist_put_figure(t->h, hist_stat_of(t->h, row, t->columns[col].event),
				       t->columns[col].field->number, t->columns[col].event, o);
}

static double hist_table_share(const struct table *table, table_row row)
{
	const struct hist_table *t = hist_table_of(table);
	const struct hist_tree_row *r = tree_row_of(t, row);

	return r ? hist_share_of(r->period, tree_total(t->h)) : hist_percent(t->h, row) / 100;
}

static double hist_table_own(const struct table *table, table_row row)
{
	const struct hist *h = hist_table_of(table)->h;

	return hist_share_of(hist_stat_of(h, row, 0)->period, h->totals[0].period);
}

static u64 hist_table_value(const struct table *table, table_row row, size_t col)
{
	const struct hist_table *t = hist_table_of(table);

	return hist_key_id(t->h, &t->h->entries[row], t->columns[col].field->key);
}

static void put_weight(const struct hist_table *t, const struct hist_tree_row *r, struct out *o,
		       struct table_branch *ret)
{
	const struct chain_option *chain = t->h->chain;
	u64 total = chain->mode == CHAIN_FRACTAL ? r->of : tree_total(t->h);

	ret->percent = hist_share_of(r->period, total) * 100;
	if (chain->value == CHAIN_PERCENT)
		out_printf(o, "%.2f%% ", ret->percent);
	else
		out_printf(o, "%llu ",
			   (unsigned long long)(chain->value == CHAIN_PERIOD ? r->period
									     : r->samples));
}

static void hist_table_branch(struct table *table, table_row row, bool objects, struct out *o,
			      struct table_branch *ret)
{
	struct hist_table *t = hist_table_of(table);
	const struct hist_tree_row *r = tree_row_of(t, row);
	struct chain_frame f;

	*ret = (struct table_branch){ .joined = r->nth, .share = r->share };
	if (r->share)
		put_weight(t, r, o, ret);
	put_frame(t, r->frame, o);
	chain_tree_describe(t->trees.tree, r->frame, &f);
	if (objects)
		out_printf(o, " %s", f.map ? f.map->dso_name : "[unknown]");
}

static void hist_table_whole(struct table *table, const table_row *rows, size_t nr)
{
	struct hist_table *t = hist_table_of(table);
	size_t nr_events = t->h->nr_events, i, ev;

	if (t->all) {
		memcpy(t->h->totals, t->all, nr_events * sizeof(*t->all));
		t->h->whole = t->all_whole;
		free(t->all);
		t->all = NULL;
	}
	if (!rows)
		return;
	t->all = xcalloc(nr_events, sizeof(*t->all));
	memcpy(t->all, t->h->totals, nr_events * sizeof(*t->all));
	t->all_whole = t->h->whole;
	for (ev = 0; ev < nr_events; ev++) {
		struct hist_totals *sum = &t->h->totals[ev];

		*sum = (struct hist_totals){ .latency = t->all[ev].latency };
		for (i = 0; i < nr; i++) {
			sum->period += hist_stat_of(t->h, rows[i], ev)->period;
			sum->samples += hist_stat_of(t->h, rows[i], ev)->samples;
		}
	}
	t->h->whole = t->h->totals[0].period;
}

static void hist_table_limit(struct table *table, double percent)
{
	struct hist_table *t = hist_table_of(table);

	hist_table_whole(table, NULL, 0);
	if (t->h->chain)
		hist_trees_limit(&t->trees, percent < 0 ? t->h->chain->min_percent : percent);
}

static bool hist_table_place(const struct table *table, table_row row, struct table_place *ret)
{
	const struct hist_table *t = hist_table_of(table);
	const struct hist_tree_row *r = tree_row_of(t, row);
	const struct frame *fr;

	*ret = (struct table_place){ 0 };
	if (!r && !(t->h->layout->flags & (KEY_SYMBOL | KEY_DSO)))
		return false;
	fr = hist_frame(t->h->d, r ? r->frame : t->h->entries[row].place.frame);
	*ret = (struct table_place){
		.function = fr->has_sym ? fr->sym->name : NULL,
		.object = fr->map ? fr->map->dso_name : NULL,
		.addr = fr->map ? map_ip_to_addr(fr->map, fr->ip) : fr->ip,
		.map = fr->map,
	};
	return r || t->h->layout->flags & KEY_SYMBOL;
}

/* ---- order */

static int hist_table_sort(struct table *table, size_t col, bool descending)
{
	struct hist_table *t = hist_table_of(table);
	size_t size = t->h->nr_lines * sizeof(u32);
	const struct column *c;

	if (col == TABLE_NO_COLUMN) {
		if (t->first_lines)
			memcpy(t->h->lines, t->first_lines, size);
		t->is_sorted = false;
		return 0;
	}
	c = &t->columns[col];
	/* sort_key_sort tells such values apart but has no order for them */
	if (c->field->is_key && hist_field_key(t->h->layout, c->field)->key->flags & KEY_UNORDERED)
		return -1;
	while (hist_settle_go_on(&t->settling))
		;
	if (!t->first_lines) {
		t->first_lines = xmalloc(size + 1);
		memcpy(t->first_lines, t->h->lines, size);
	}
	hist_lines_sort(t->h, c->field, c->event, descending);
	t->is_sorted = true;
	return 0;
}

static void hist_table_free(struct table *table)
{
	struct hist_table *t = hist_table_of(table);

	hist_table_whole(table, NULL, 0);
	hist_settle_fini(&t->settling);
	hist_trees_fini(&t->trees);
	free(t->columns);
	free(t->first_lines);
	free(t);
}

static const struct table_ops hist_table_ops = {
	.nr_columns = hist_table_nr_columns,
	.column = hist_table_column,
	.nr_rows = hist_table_nr_rows,
	.expect = hist_table_expect,
	.has_rows = hist_table_has_rows,
	.nr_settled = hist_table_nr_settled,
	.settle = hist_table_settle,
	.by_share = hist_table_by_share,
	.row = hist_table_row,
	.is_entry = hist_table_is_entry,
	.cell = hist_table_cell,
	.share = hist_table_share,
	.own = hist_table_own,
	.value = hist_table_value,
	.branch = hist_table_branch,
	.whole = hist_table_whole,
	.limit = hist_table_limit,
	.place = hist_table_place,
	.sort = hist_table_sort,
	.free = hist_table_free,
};

struct arrangement {
	struct hist_table *t;
	struct order_tree *display;
};

/* Widths do not depend on the order of lines. */
static void sort_or_add_columns(void *ctx, size_t part)
{
	struct arrangement *a = ctx;

	if (part)
		hist_sort(a->t->h, a->display);
	else
		add_columns(a->t);
}

static struct hist_table *make_table(struct hist *h, struct chain_tree *tree)
{
	struct hist_table *t = xcalloc(1, sizeof(*t));

	t->table.ops = &hist_table_ops;
	t->table.trees = h->chain && tree;
	t->h = h;
	return t;
}

struct table *hist_table_new(struct hist *h, struct chain_tree *tree, unsigned int nr_threads)
{
	struct hist_table *t = make_table(h, tree);
	struct arrangement a = { .t = t };

	a.display = hist_count_beside_sorting(h, nr_threads);
	parallel_run(nr_threads, 2, sort_or_add_columns, &a);
	hist_trees_init(&t->trees, h, h->chain ? tree : NULL);
	return &t->table;
}

static void count_or_add_columns(void *ctx, size_t part)
{
	struct hist_table *t = ctx;

	if (part)
		add_columns(t);
	else
		hist_count(t->h);
}

static void gather_or_settle(void *ctx, size_t part)
{
	struct hist_table *t = ctx;

	if (part)
		hist_settle_begin(&t->settling, t->h);
	else
		hist_gather_uses(t->h);
}

struct table *hist_table_new_early(struct hist *h, struct chain_tree *tree, unsigned int nr_threads)
{
	struct hist_table *t = make_table(h, tree);

	hist_pick_shown(h);
	parallel_run(nr_threads, 2, count_or_add_columns, t);
	parallel_run(nr_threads, 2, gather_or_settle, t);
	hist_trees_init(&t->trees, h, h->chain ? tree : NULL);
	return &t->table;
}

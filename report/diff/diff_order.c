/* SPDX-License-Identifier: MIT */
#include "report/diff/diff_order.h"

static bool is_in(const struct diff_table *t, const struct diff_row *r, size_t side)
{
	return diff_cell_of(t, r, side)->entry != DIFF_ABSENT;
}

static bool is_in_others(const struct diff_table *t, const struct diff_row *r)
{
	for (size_t i = 1; i < t->nr_sides; i++)
		if (is_in(t, r, i))
			return true;
	return false;
}

/* What is true for x only comes first, what is true for y only last. */
static int by_truth(bool x, bool y)
{
	return x == y ? 0 : x ? -1 : 1;
}

static int by_difference(const struct diff_table *t, const struct diff_row *x,
			 const struct diff_row *y, size_t side)
{
	const struct diff_compute *c = &t->opt->compute;
	struct diff_periods p = diff_periods_of(t, x, side), q = diff_periods_of(t, y, side);

	return diff_compute_order(c, diff_compute_value(c, &p), diff_compute_value(c, &q));
}

/* The criterion of -o. Without the baseline there is a delta, but no ratio. */
static int by_chosen_side(const struct diff_table *t, const struct diff_row *x,
			  const struct diff_row *y)
{
	size_t side = (size_t)t->opt->order;
	enum diff_method m = t->opt->compute.method;
	int cmp;

	if (!side)
		return 0;
	cmp = by_truth(is_in(t, x, side), is_in(t, y, side));
	if (cmp || !is_in(t, x, side))
		return cmp;
	if (m != DIFF_DELTA && m != DIFF_DELTA_ABS) {
		cmp = by_truth(is_in(t, x, 0), is_in(t, y, 0));
		if (cmp || !is_in(t, x, 0))
			return cmp;
	}
	return by_difference(t, x, y, side);
}

/* The criterion of a recording's column. */
static int by_side(const struct diff_table *t, const struct diff_row *x, const struct diff_row *y,
		   size_t side)
{
	int cmp = by_truth(is_in_others(t, x), is_in_others(t, y));

	if (!cmp)
		cmp = by_truth(is_in(t, x, side), is_in(t, y, side));
	return cmp || !is_in(t, x, side) ? cmp : by_difference(t, x, y, side);
}

static int by_key(const struct diff_table *t, const struct key_inst *k, u64 x, u64 y)
{
	if (x == y)
		return 0;
	if (diff_key_kind(k->key) == DIFF_KEY_NUMBER)
		return sort_key_sort(&t->sides[0].data, k, x, y);
	if (!x || !y) /* no name comes last */
		return x ? -1 : 1;
	return strcmp(intern_text(&t->texts, (u32)x), intern_text(&t->texts, (u32)y));
}

static int by_keys(const struct diff_table *t, const struct diff_row *x, const struct diff_row *y)
{
	const struct hist_layout *l = &t->sides[0].layout;
	int cmp = 0;

	for (size_t i = 0; i < l->nr_sort && !cmp; i++) {
		const struct hist_field *f = &l->sort[i];

		if (!f->elided)
			cmp = by_key(t, hist_field_key(l, f),
				     tuple_table_get(&t->keys, x->keys)[f->key],
				     tuple_table_get(&t->keys, y->keys)[f->key]);
	}
	return cmp;
}

static int by_figures(const struct diff_table *t, const struct diff_row *x,
		      const struct diff_row *y)
{
	u64 p = diff_cell_of(t, x, 0)->period, q = diff_cell_of(t, y, 0)->period;
	int cmp = by_chosen_side(t, x, y);

	if (!cmp && p != q)
		cmp = p > q ? -1 : 1;
	for (size_t side = 1; side < t->nr_sides && !cmp; side++)
		cmp = by_side(t, x, y, side);
	return cmp;
}

static int by_number(const struct diff_row *x, const struct diff_row *y)
{
	return x->keys < y->keys ? -1 : x->keys > y->keys;
}

static int compare_rows(const void *a, const void *b, void *table)
{
	int cmp = by_figures(table, a, b);

	if (!cmp)
		cmp = by_keys(table, a, b);
	return cmp ? cmp : by_number(a, b);
}

static int compare_chain_rows(const void *a, const void *b, void *table)
{
	int cmp = by_figures(table, a, b);

	return cmp ? cmp : by_number(a, b);
}

void diff_order_rows(struct diff_table *t)
{
	if (t->nr)
		qsort_r(t->rows, t->nr, sizeof(*t->rows), compare_rows, t);
}

void diff_order_chain_rows(struct diff_table *t, struct diff_row *rows, size_t nr)
{
	if (nr)
		qsort_r(rows, nr, sizeof(*rows), compare_chain_rows, t);
}

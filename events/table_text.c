/* SPDX-License-Identifier: MIT */
#include "events/table_text.h"

#include <inttypes.h>

#include "base/mem.h"
#include "events/power_text.h"

#define DETAIL_INDENT 4
#define STACK_INDENT 12

/* A unit of times: so many ns, with its name. */
struct unit {
	u64 ns;
	const char *name;
};

static const struct unit units[] = {
	[UNIT_NS] = { 1, "ns" },
	[UNIT_US] = { 1000, "us" },
	[UNIT_MS] = { 1000000, "ms" },
	[UNIT_S] = { 1000000000, "s" },
};

/* What is printed, and how. */
struct table {
	struct out *o;
	const struct pairs *p;
	const struct table_options *opt;
	struct value_text *t;
	struct unit total, one; /* of sums, of single values; ns 0: they are no times */
	bool measured;          /* there are values, not only counts */
};

static struct unit unit_for(u64 ns)
{
	return units[ns < 1000000 ? UNIT_US : ns < 1000000000 ? UNIT_MS : UNIT_S];
}

static void choose_units(struct table *t)
{
	const struct distribution *all = &t->p->rows.all;

	if (!t->p->roles.has_begins)
		return;
	t->one = t->opt->unit == UNIT_AUTO ? unit_for(distribution_quantile(all, 500000))
					   : units[t->opt->unit];
	t->total = t->opt->unit == UNIT_AUTO ? unit_for(all->sum) : t->one;
}

/* Appends a number of a unit in a column, with three digits of fraction for times above ns. */
static void put_value(struct table *t, const struct unit *u, u64 v, int width)
{
	u64 whole;

	if (u->ns <= 1) {
		out_dec(t->o, v, width);
		return;
	}
	whole = v / u->ns;
	out_dec(t->o, whole, width - 4);
	out_char(t->o, '.');
	out_dec0(t->o, v % u->ns / (u->ns / 1000), 3);
}

/* ---- rows ---- */

static u64 sort_value(const struct table *t, const struct distribution *d)
{
	const struct table_options *opt = t->opt;

	if (!t->measured || opt->sort == SORT_N)
		return d->n;
	switch (opt->sort) {
	case SORT_AVG: return d->sum / d->n;
	case SORT_MAX: return d->max;
	case SORT_LAST_QUANTILE:
		return opt->nr_quantiles
			       ? distribution_quantile(d, opt->quantiles[opt->nr_quantiles - 1])
			       : d->max;
	default: return d->sum;
	}
}

static int row_order(const void *x, const void *y, void *arg)
{
	const struct table *t = arg;
	u32 a = *(const u32 *)x, b = *(const u32 *)y;
	u64 va = sort_value(t, &t->p->rows.items[a]);
	u64 vb = sort_value(t, &t->p->rows.items[b]);

	if (va != vb)
		return va > vb ? -1 : 1;
	return a < b ? -1 : a > b;
}

static u32 *sort_rows(struct table *t)
{
	size_t nr = t->p->rows.nr;
	u32 *order = xcalloc(nr + 1, sizeof(*order));

	for (size_t i = 0; i < nr; i++)
		order[i] = (u32)i;
	qsort_r(order, nr, sizeof(*order), row_order, t);
	return order;
}

static void put_row_name(struct table *t, const u64 *key)
{
	const struct roles *r = &t->p->roles;

	for (size_t k = 0; k < r->nr_row; k++) {
		if (k)
			out_str(t->o, "  ");
		value_text_put(t->t, t->o, r->row_shows[k], key[k], &t->p->rows);
	}
}

static void put_numbers(struct table *t, const struct distribution *d)
{
	const struct table_options *opt = t->opt;

	out_dec(t->o, d->n, 12);
	if (!t->measured) {
		u64 all = t->p->rows.all.n;

		out_printf(t->o, " %7.2f%%", all ? 100.0 * (double)d->n / (double)all : 0.0);
		return;
	}
	put_value(t, &t->total, d->sum, 14);
	put_value(t, &t->one, d->min, 12);
	put_value(t, &t->one, d->n ? d->sum / d->n : 0, 12);
	for (size_t i = 0; i < opt->nr_quantiles; i++) {
		put_value(t, &t->one, distribution_quantile(d, opt->quantiles[i]), 12);
		out_char(t->o, distribution_is_last(d, opt->quantiles[i]) ? '*' : ' ');
	}
	put_value(t, &t->one, d->max, 12);
}

static void put_title(struct table *t, const char *title, const struct unit *u, int width)
{
	char text[32];

	snprintf(text, sizeof(text), "%s%s%s", title, u->ns ? " " : "", u->ns ? u->name : "");
	out_str_width(t->o, text, width);
}

static void put_head(struct table *t)
{
	const struct table_options *opt = t->opt;

	out_char(t->o, '#');
	put_title(t, "n", &(struct unit){ 0 }, 11);
	if (!t->measured) {
		out_str(t->o, "    share");
	} else {
		put_title(t, "total", &t->total, 14);
		put_title(t, "min", &t->one, 12);
		put_title(t, "avg", &t->one, 12);
		for (size_t i = 0; i < opt->nr_quantiles; i++) {
			char title[24];

			snprintf(title, sizeof(title), "p%.15g", opt->quantiles[i] / 10000.0);
			put_title(t, title, &t->one, 12);
			out_char(t->o, ' ');
		}
		put_title(t, "max", &t->one, 12);
	}
	for (size_t k = 0; k < t->p->roles.nr_row; k++) {
		out_str(t->o, "  ");
		out_str(t->o, t->p->roles.row_titles[k]);
	}
	out_char(t->o, '\n');
}

static void put_row(struct table *t, const struct distribution *d, const u64 *key, const char *name)
{
	put_numbers(t, d);
	if (key && t->p->roles.nr_row) {
		out_str(t->o, "  ");
		put_row_name(t, key);
	} else if (name) {
		out_str(t->o, "  ");
		out_str(t->o, name);
	}
	out_char(t->o, '\n');
}

/* ---- histograms ---- */

static void put_hists(struct table *t, const u32 *order, size_t nr)
{
	const struct rows *rows = &t->p->rows;
	const char *what = t->one.ns ? "ns" : "values";

	if (!t->p->roles.nr_row)
		nr = rows->nr ? 1 : 0;
	for (size_t i = 0; i < nr; i++) {
		out_printf(t->o, "\n# %s", what);
		if (t->p->roles.nr_row) {
			out_str(t->o, " of ");
			put_row_name(t, rows_key(rows, order[i]));
		}
		out_char(t->o, '\n');
		power_text_put(t->o, &rows->items[order[i]]);
	}
}

/* ---- pairs ---- */

static void put_occurrence(struct table *t, const struct occurrence *at)
{
	out_fill(t->o, ' ', DETAIL_INDENT);
	out_printf(t->o, "%5" PRIu64 ".%09" PRIu64 " [%03d] %s %d/%d %s:", at->time / 1000000000,
		   at->time % 1000000000, (int)at->cpu, at->comm ? at->comm : "", (int)at->pid,
		   (int)at->tid, at->ev->name);
	value_text_put_fields(t->t, t->o, at, &t->p->roles.fields[at->ev->idx]);
	out_char(t->o, '\n');
	if (t->opt->stacks)
		value_text_put_stack(t->t, t->o, at, STACK_INDENT);
}

static void put_pair(struct table *t, const struct pair *pair)
{
	struct unit u = unit_for(pair->ns);

	put_value(t, &u, pair->ns, 12);
	out_printf(t->o, " %s%s", u.name, t->p->roles.nr_row ? "  " : "");
	put_row_name(t, pair->row);
	out_char(t->o, '\n');
	put_occurrence(t, &pair->begin);
	put_occurrence(t, &pair->end);
}

void table_text_put_pair(struct out *o, const struct pairs *p, const struct pair *pair,
			 const struct table_options *opt, struct value_text *text)
{
	struct table t = { .o = o, .p = p, .opt = opt, .t = text };

	put_pair(&t, pair);
}

void table_text_put_open(struct out *o, const struct pairs *p, const struct open_begin *b, u64 ns,
			 const struct table_options *opt, struct value_text *text)
{
	struct table t = { .o = o, .p = p, .opt = opt, .t = text };
	struct unit u = unit_for(ns);

	put_value(&t, &u, ns, 12);
	out_printf(o, " %s so far%s\n", u.name,
		   b->epoch == losses_epoch(&p->losses, p->roles.key_has_cpu, b->at.cpu)
			   ? ""
			   : ", but records were lost since");
	put_occurrence(&t, &b->at);
}

void table_text_put_event(struct out *o, const struct pairs *p, const struct occurrence *at,
			  const struct table_options *opt, struct value_text *text)
{
	put_occurrence(&(struct table){ .o = o, .p = p, .opt = opt, .t = text }, at);
}

static void put_longest(struct table *t)
{
	if (!t->p->nr_longest)
		return;
	out_printf(t->o, "\n# the longest %zu\n", t->p->nr_longest);
	for (size_t i = 0; i < t->p->nr_longest; i++)
		put_pair(t, &t->p->longest[i]);
}

/* ---- what made no pair ---- */

static void put_ns(struct table *t, u64 ns)
{
	struct unit u = unit_for(ns);

	put_value(t, &u, ns, 0);
	out_printf(t->o, " %s", u.name);
}

static void put_losses(struct table *t)
{
	const struct losses *l = &t->p->losses;

	out_printf(t->o, "# losses: %" PRIu64, l->nr);
	if (l->nr)
		out_printf(t->o,
			   " (%" PRIu64 " records; the largest of %" PRIu64 " at %" PRIu64
			   ".%09" PRIu64 " s)",
			   l->events, l->largest, l->largest_time / 1000000000,
			   l->largest_time % 1000000000);
	if (!t->p->roles.has_begins) {
		out_char(t->o, '\n');
		losses_put_without_time(l, t->o);
		return;
	}
	out_printf(t->o, "; pairs across a loss: %" PRIu64, t->p->nr_broken);
	if (t->p->nr_broken) {
		out_str(t->o, t->p->cfg.keep_broken ? ", counted, up to " : ", left out, up to ");
		put_ns(t, t->p->broken_max);
	}
	out_char(t->o, '\n');
	losses_put_without_time(l, t->o);
}

/* gaps: with the switches that are missing. */
static void put_account(struct table *t, bool gaps)
{
	const struct pairs *p = t->p;

	if (!p->roles.has_begins) {
		out_printf(t->o, "# events: %" PRIu64, p->nr_ends);
		if (p->nr_negative_values)
			out_printf(t->o, ", %" PRIu64 " with a negative value left out",
				   p->nr_negative_values);
		out_char(t->o, '\n');
		put_losses(t);
		return;
	}
	out_printf(t->o,
		   "# begins: %" PRIu64 ", %" PRIu64 " replaced by a second begin, %" PRIu64
		   " still open\n",
		   p->nr_begins, p->nr_replaced, pairs_nr_open(p));
	out_printf(t->o,
		   "# ends: %" PRIu64 ", %" PRIu64 " without begin, %" PRIu64
		   " of them in the first 100 ms\n",
		   p->nr_ends, p->nr_without_begin, p->nr_before_start);
	if (p->nr_negative) {
		out_printf(t->o, "# earlier than their begin: %" PRIu64 " ends, left out, up to ",
			   p->nr_negative);
		put_ns(t, p->negative_max);
		out_char(t->o, '\n');
	}
	if (p->nr_dropped)
		out_printf(t->o,
			   "# dropped for want of room: %" PRIu64 " begins, up to %" PRIu64
			   ".%09" PRIu64 " s; --max-keys and --max-mem give more\n",
			   p->nr_dropped, p->dropped_time / 1000000000,
			   p->dropped_time % 1000000000);
	if (gaps)
		switch_gaps_put(&p->gaps, t->o);
	if (p->roles.missing) {
		out_str(t->o, "# not in the recording: ");
		out_str(t->o, p->roles.missing);
		out_char(t->o, '\n');
	}
	put_losses(t);
}

u32 *table_text_order(const struct pairs *p, const struct table_options *opt, size_t *ret_nr)
{
	struct table t = { .p = p,
			   .opt = opt,
			   .measured = p->roles.has_begins || p->cfg.texts.value };

	*ret_nr = opt->top && p->rows.nr > opt->top ? (size_t)opt->top : p->rows.nr;
	return sort_rows(&t);
}

static struct table make_table(struct out *o, const struct pairs *p,
			       const struct table_options *opt, struct value_text *text)
{
	struct table t = { .o = o,
			   .p = p,
			   .opt = opt,
			   .t = text,
			   .measured = p->roles.has_begins || p->cfg.texts.value };

	choose_units(&t);
	return t;
}

void table_text_put(struct out *o, const struct pairs *p, const struct table_options *opt,
		    struct value_text *text)
{
	struct table t = make_table(o, p, opt, text);
	size_t nr;
	u32 *order = table_text_order(p, opt, &nr);

	put_head(&t);
	for (size_t i = 0; i < nr; i++)
		put_row(&t, &p->rows.items[order[i]], rows_key(&p->rows, order[i]), NULL);
	if (p->rows.other.n)
		put_row(&t, &p->rows.other, NULL, "(other rows, for which there was no room)");
	if (p->roles.nr_row && (p->rows.nr > 1 || p->rows.other.n))
		put_row(&t, &p->rows.all, NULL, "(all)");
	if (opt->hist && t.measured)
		put_hists(&t, order, nr);
	put_longest(&t);
	put_account(&t, true);
	free(order);
}

void table_text_put_rows(struct out *o, const struct pairs *p, const struct table_options *opt,
			 struct value_text *text, const u32 *order, size_t nr)
{
	struct table t = make_table(o, p, opt, text);

	put_head(&t);
	for (size_t i = 0; i < nr; i++)
		put_row(&t, &p->rows.items[order[i]], rows_key(&p->rows, order[i]), NULL);
	if (opt->hist)
		put_hists(&t, order, nr);
}

void table_text_put_rest(struct out *o, const struct pairs *p, const struct table_options *opt,
			 struct value_text *text)
{
	struct table t = make_table(o, p, opt, text);

	put_longest(&t);
	put_account(&t, false);
}

void table_text_put_time(struct out *o, u64 time)
{
	out_printf(o, "# until %" PRIu64 ".%09" PRIu64 " s\n", time / 1000000000,
		   time % 1000000000);
}

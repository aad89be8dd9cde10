/* SPDX-License-Identifier: MIT */
#include "events/series/series_text.h"

#include "base/mem.h"
#include "events/series/table_data.h"

/*
 * The rows of all legs as those of one analysis whose first column is the leg. The distributions
 * are the legs' own.
 */
struct joined {
	struct pairs pairs;
	u32 *order;
	size_t nr, cap;
};

static void add_row(struct joined *j, const struct series_leg *l, u32 row)
{
	struct rows *rows = &j->pairs.rows;
	const struct pairs *from = &l->pairs;
	const u64 *key = rows_key(&from->rows, row);
	u64 joined[MAX_PARTS] = { rows_text_id(rows, span_of(l->name, strlen(l->name))) };
	u32 id;

	for (size_t k = 0; k < from->roles.nr_row; k++) {
		const char *text = from->roles.row_shows[k] == EXPR_SHOW_TEXT
					   ? rows_text(&from->rows, key[k])
					   : NULL;

		joined[k + 1] = text ? rows_text_id(rows, span_of(text, strlen(text))) : key[k];
	}
	id = tuple_table_id(&rows->keys, joined);
	vec_push(rows->items, rows->nr, rows->cap, from->rows.items[row]);
	vec_push(j->order, j->nr, j->cap, id);
}

static void add_leg(struct joined *j, const struct series_leg *l, const struct table_options *opt)
{
	size_t nr;
	u32 *order = table_text_order(&l->pairs, opt, &nr);

	for (size_t i = 0; i < nr; i++)
		add_row(j, l, order[i]);
	free(order);
}

static void join_legs(struct joined *j, const struct series *c, const struct table_options *opt)
{
	static char leg[] = "leg";
	const struct pairs *whole = &c->whole.pairs;

	*j = (struct joined){ .pairs.cfg = whole->cfg };
	rows_init(&j->pairs.rows);
	j->pairs.roles.has_begins = true;
	j->pairs.roles.nr_row = whole->roles.nr_row + 1;
	j->pairs.roles.row_titles[0] = leg;
	j->pairs.roles.row_shows[0] = EXPR_SHOW_TEXT;
	for (size_t k = 0; k < whole->roles.nr_row; k++) {
		j->pairs.roles.row_titles[k + 1] = whole->roles.row_titles[k];
		j->pairs.roles.row_shows[k + 1] = whole->roles.row_shows[k];
	}
	for (size_t i = 0; i < c->nr_legs; i++)
		add_leg(j, &c->legs[i], opt);
	add_leg(j, &c->whole, opt);
	/* it chooses the units */
	j->pairs.rows.all = whole->rows.all.n ? whole->rows.all : c->legs[0].pairs.rows.all;
}

static void joined_fini(struct joined *j)
{
	for (size_t i = 0; i < j->pairs.rows.nr; i++)
		j->pairs.rows.items[i] = (struct distribution){ 0 };
	j->pairs.rows.all = (struct distribution){ 0 };
	rows_fini(&j->pairs.rows);
	free(j->order);
}

static void put_text(struct out *o, struct series *c, const struct table_options *opt,
		     struct value_text *t)
{
	struct joined j;

	join_legs(&j, c, opt);
	table_text_put_rows(o, &j.pairs, opt, t, j.order, j.nr);
	joined_fini(&j);
	for (size_t i = 0; i <= c->nr_legs; i++) {
		const struct series_leg *l = i < c->nr_legs ? &c->legs[i] : &c->whole;

		out_str(o, "\n# ");
		out_str(o, l->name);
		out_char(o, '\n');
		table_text_put_rest(o, &l->pairs, opt, t);
	}
	/* each leg that a switch begins or ends has seen all of them */
	for (size_t i = 0; i < c->nr_legs; i++) {
		if (!c->legs[i].pairs.switches)
			continue;
		switch_gaps_put(&c->legs[i].pairs.gaps, o);
		break;
	}
}

static void put_object(struct out *o, const struct series_leg *l, const struct table_options *opt,
		       struct value_text *t, u64 until, bool is_leg)
{
	struct table_data d = { .until = until, .leg = is_leg ? l->name : NULL };
	u32 *order = table_text_order(&l->pairs, opt, &d.nr);

	d.order = order;
	table_data_put_object(o, &l->pairs, opt, t, &d);
	free(order);
}

static void put_json(struct out *o, struct series *c, const struct table_options *opt,
		     struct value_text *t, u64 until)
{
	if (c->nr_legs == 1) {
		put_object(o, &c->legs[0], opt, t, until, false);
		out_char(o, '\n');
		return;
	}
	out_str(o, "{\"legs\":[");
	for (size_t i = 0; i < c->nr_legs; i++) {
		if (i)
			out_char(o, ',');
		put_object(o, &c->legs[i], opt, t, until, true);
	}
	out_str(o, "],\"whole\":");
	put_object(o, &c->whole, opt, t, until, true);
	out_str(o, "}\n");
}

static void put_csv(struct out *o, struct series *c, const struct table_options *opt,
		    struct value_text *t)
{
	struct pairs *p = &c->legs[0].pairs;
	struct joined j;
	size_t nr;
	u32 *order;

	if (c->nr_legs == 1) {
		order = table_text_order(p, opt, &nr);
		table_data_put_csv(o, p, opt, t, order, nr);
		free(order);
		return;
	}
	join_legs(&j, c, opt);
	table_data_put_csv(o, &j.pairs, opt, t, j.order, j.nr);
	joined_fini(&j);
}

void series_text_put(struct out *o, struct series *c, const struct table_options *opt,
		     struct value_text *t, u64 until)
{
	for (size_t i = 0; i < c->nr_legs; i++)
		rows_sum_up(&c->legs[i].pairs.rows);
	rows_sum_up(&c->whole.pairs.rows);
	if (opt->json) {
		put_json(o, c, opt, t, until);
		return;
	}
	if (opt->separator) {
		put_csv(o, c, opt, t);
		return;
	}
	if (until)
		table_text_put_time(o, until);
	if (c->nr_legs == 1)
		table_text_put(o, &c->legs[0].pairs, opt, t);
	else
		put_text(o, c, opt, t);
	if (until)
		out_char(o, '\n');
}

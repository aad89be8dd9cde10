/* SPDX-License-Identifier: MIT */
#include "events/series/table_data.h"

#include <inttypes.h>
#include <stdio.h>

#include "events/json_text.h"

static bool is_measured(const struct pairs *p)
{
	return p->roles.has_begins || p->cfg.texts.value;
}

/* ---- lines of values ---- */

static void put_csv_text(struct out *o, const char *s, size_t n, char separator)
{
	bool quote = false;

	for (size_t i = 0; i < n; i++)
		quote |= s[i] == separator || s[i] == '"' || s[i] == '\n' || s[i] == '\r';
	if (quote)
		out_char(o, '"');
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"')
			out_char(o, '"');
		out_mem(o, s + i, 1);
	}
	if (quote)
		out_char(o, '"');
}

static void put_csv_titles(struct out *o, const struct pairs *p, const struct table_options *opt)
{
	char c = opt->separator;

	out_str(o, "n");
	if (is_measured(p)) {
		out_printf(o, "%ctotal%cmin%cavg", c, c, c);
		for (size_t i = 0; i < opt->nr_quantiles; i++)
			out_printf(o, "%cp%.15g", c, opt->quantiles[i] / 10000.0);
		out_printf(o, "%cmax", c);
	}
	for (size_t k = 0; k < p->roles.nr_row; k++) {
		out_char(o, c);
		put_csv_text(o, p->roles.row_titles[k], strlen(p->roles.row_titles[k]), c);
	}
	out_char(o, '\n');
}

static void put_csv_row(struct out *o, const struct pairs *p, const struct table_options *opt,
			struct value_text *t, u32 row)
{
	const struct distribution *d = &p->rows.items[row];
	char c = opt->separator;

	out_dec(o, d->n, 0);
	if (is_measured(p)) {
		out_printf(o, "%c%" PRIu64 "%c%" PRIu64 "%c%" PRIu64, c, d->sum, c, d->min, c,
			   d->sum / d->n);
		for (size_t i = 0; i < opt->nr_quantiles; i++)
			out_printf(o, "%c%" PRIu64, c, distribution_quantile(d, opt->quantiles[i]));
		out_printf(o, "%c%" PRIu64, c, d->max);
	}
	for (size_t k = 0; k < p->roles.nr_row; k++) {
		struct out text;

		out_init_mem(&text);
		value_text_put(t, &text, p->roles.row_shows[k], rows_key(&p->rows, row)[k],
			       &p->rows);
		out_char(o, c);
		put_csv_text(o, text.buf, text.len, c);
		(void)out_fini(&text);
	}
	out_char(o, '\n');
}

void table_data_put_csv(struct out *o, const struct pairs *p, const struct table_options *opt,
			struct value_text *t, const u32 *order, size_t nr)
{
	put_csv_titles(o, p, opt);
	for (size_t i = 0; i < nr; i++)
		put_csv_row(o, p, opt, t, order[i]);
}

/* ---- JSON ---- */

static void put_json_numbers(struct out *o, const struct pairs *p, const struct table_options *opt,
			     const struct distribution *d)
{
	out_printf(o, "\"n\":%" PRIu64, d->n);
	if (!is_measured(p))
		return;
	out_printf(o, ",\"total\":%" PRIu64 ",\"min\":%" PRIu64 ",\"avg\":%" PRIu64, d->sum, d->min,
		   d->n ? d->sum / d->n : 0);
	for (size_t i = 0; i < opt->nr_quantiles; i++)
		out_printf(o, ",\"p%.15g\":%" PRIu64, opt->quantiles[i] / 10000.0,
			   distribution_quantile(d, opt->quantiles[i]));
	out_printf(o, ",\"max\":%" PRIu64, d->max);
}

static void put_json_row(struct out *o, const struct pairs *p, const struct table_options *opt,
			 struct value_text *t, u32 row)
{
	out_str(o, "{\"by\":[");
	for (size_t k = 0; k < p->roles.nr_row; k++) {
		struct out text;

		out_init_mem(&text);
		value_text_put(t, &text, p->roles.row_shows[k], rows_key(&p->rows, row)[k],
			       &p->rows);
		if (k)
			out_char(o, ',');
		json_text_put(o, text.buf, text.len);
		(void)out_fini(&text);
	}
	out_str(o, "],");
	put_json_numbers(o, p, opt, &p->rows.items[row]);
	out_char(o, '}');
}

static void put_json_account(struct out *o, const struct pairs *p)
{
	const struct losses *l = &p->losses;

	if (p->roles.has_begins)
		out_printf(o,
			   ",\"begins\":%" PRIu64 ",\"replaced\":%" PRIu64 ",\"open\":%" PRIu64
			   ",\"ends\":%" PRIu64 ",\"without_begin\":%" PRIu64
			   ",\"negative\":%" PRIu64 ",\"dropped\":%" PRIu64
			   ",\"across_loss\":%" PRIu64,
			   p->nr_begins, p->nr_replaced, pairs_nr_open(p), p->nr_ends,
			   p->nr_without_begin, p->nr_negative, p->nr_dropped, p->nr_broken);
	else
		out_printf(o, ",\"events\":%" PRIu64, p->nr_ends);
	if (p->switches)
		out_printf(o, ",\"missing_switches\":%" PRIu64, switch_gaps_missing(&p->gaps));
	out_printf(o, ",\"losses\":%" PRIu64 ",\"lost_records\":%" PRIu64, l->nr,
		   l->events + losses_without_time(l));
}

void table_data_put_object(struct out *o, const struct pairs *p, const struct table_options *opt,
			   struct value_text *t, const struct table_data *d)
{
	out_char(o, '{');
	if (d->until)
		out_printf(o, "\"until\":%" PRIu64 ",", d->until);
	if (d->leg) {
		out_str(o, "\"leg\":");
		json_text_put(o, d->leg, strlen(d->leg));
		out_char(o, ',');
	}
	out_str(o, "\"by\":[");
	for (size_t k = 0; k < p->roles.nr_row; k++) {
		if (k)
			out_char(o, ',');
		json_text_put(o, p->roles.row_titles[k], strlen(p->roles.row_titles[k]));
	}
	out_str(o, "],\"rows\":[");
	for (size_t i = 0; i < d->nr; i++) {
		if (i)
			out_char(o, ',');
		put_json_row(o, p, opt, t, d->order[i]);
	}
	out_str(o, "],\"all\":{");
	put_json_numbers(o, p, opt, &p->rows.all);
	out_char(o, '}');
	put_json_account(o, p);
	out_char(o, '}');
}

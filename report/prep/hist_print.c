/* SPDX-License-Identifier: MIT */
#include "report/prep/hist_print.h"

#include "base/mem.h"
#include "report/prep/hist_fit.h"
#include "report/table/key_text.h"

#define GAP "  "
#define MAX_TITLE 1023 /* titles are cut there, the dots below are not */

/* Width of one event's number. Blanks follow it where the column is wider. */
static int text_width(const struct hist_text *t, const struct hist_field *f)
{
	int width = f->user_width ? f->user_width : hist_numbers[f->number].width;
	int title = (int)strlen(hist_field_title(t->h->layout, f));

	return width > title ? width : title;
}

static int number_width(const struct hist_text *t, const struct hist_field *f)
{
	const struct hist_number_def *def = &hist_numbers[f->number];
	int width = text_width(t, f), all = (int)t->h->nr_events * def->width;

	/* with --group a table of the leader alone is as wide as one of a group */
	return (t->opt->group || t->h->nr_events > 1) && all > width ? all : width;
}

/* Makes columns as wide as an entry's cells are. */
static void widen(struct hist_text *t, u32 entry)
{
	const struct hist_layout *l = t->h->layout;

	for (size_t i = 0; i < l->nr_out; i++) {
		const struct hist_field *f = &l->out[i];
		struct key_cell c;
		int len;

		if (!f->is_key || f->user_width)
			continue;
		c = hist_key_cell(t->h, f, entry);
		len = sort_key_width(t->h->d, &c);
		if (len > t->widths[i])
			t->widths[i] = len;
	}
}

void hist_set_widths(struct hist_text *t)
{
	const struct hist_layout *l = t->h->layout;

	t->widths = xcalloc(l->nr_out + 1, sizeof(*t->widths));
	for (size_t i = 0; i < l->nr_out; i++) {
		const struct hist_field *f = &l->out[i];

		if (!f->is_key)
			t->widths[i] = number_width(t, f);
		else if (f->user_width)
			t->widths[i] = f->user_width;
		else
			t->widths[i] = (int)strlen(hist_field_title(t->h->layout, f));
	}
	/* entries in the order of memory: the cache likes it better than that of display */
	for (u32 n = 0; n < t->h->nr; n++)
		if (!t->h->entries[n].filtered)
			widen(t, n);
}

void hist_print_gap(struct out *o, const struct hist_text *t, bool first)
{
	if (!t->opt->separator)
		out_str(o, GAP);
	else if (!first)
		out_str(o, t->opt->separator);
}

void hist_print_titles(struct out *o, const struct hist_text *t)
{
	const struct hist_layout *l = t->h->layout;
	const char *gap = t->opt->separator ? t->opt->separator : GAP;
	size_t i;

	for (i = 0; i < l->nr_out; i++) {
		const struct hist_field *f = &l->out[i];
		const char *title = hist_field_title(t->h->layout, f);

		if (f->elided)
			continue;
		out_str(o, i ? gap : "# ");
		if (f->is_key)
			key_print_text(o, title,
				       t->widths[i] < MAX_TITLE ? t->widths[i] : MAX_TITLE);
		else
			out_str_width(o, title, t->widths[i]);
	}
	out_char(o, '\n');
	if (t->opt->separator)
		return;
	for (i = 0; i < l->nr_out; i++) {
		if (l->out[i].elided)
			continue;
		out_str(o, i ? gap : "# ");
		out_fill(o, '.', (size_t)t->widths[i]);
	}
	out_str(o, "\n#\n");
}

static double share(u64 part, u64 total)
{
	return total ? 100.0 * (double)part / (double)total : 0;
}

/* As printf's " %*.2f%%". */
static void print_percent(struct out *o, double percent, int width)
{
	double hundredths = percent * 100, rest;
	u64 n;

	out_char(o, ' ');
	if (percent >= 0 && percent < 1e6) {
		n = (u64)hundredths;
		rest = hundredths - (double)n;
		/* where it may lie on either side of the half, printf knows */
		if (rest < 0.499999 || rest > 0.500001) {
			n += rest > 0.5;
			out_dec(o, n / 100, width - 3);
			out_char(o, '.');
			out_dec0(o, n % 100, 2);
			out_char(o, '%');
			return;
		}
	}
	out_printf(o, "%*.2f%%", width, percent);
}

/* As perf: red from 5 %, green above 0.5 %; NULL: none. */
static const char *percent_color(const struct hist_text *t, double percent)
{
	if (!t->opt->color)
		return NULL;
	return percent >= 5.0 ? "\033[31m" : percent > 0.5 ? "\033[32m" : NULL;
}

static void print_number(struct out *o, const struct hist_text *t, const struct hist_field *f,
			 const struct hist_stat *s, size_t event)
{
	const struct hist_number_def *def = &hist_numbers[f->number];
	int width = text_width(t, f);

	if (def->percent) {
		double percent =
			share(hist_number_value(s, f->number), hist_total(t->h, event, f->number));
		const char *color = t->opt->separator ? NULL : percent_color(t, percent);

		width = t->opt->separator ? 1 : width - 2;
		if (color)
			out_raw(o, color, strlen(color));
		print_percent(o, percent, width);
		if (color)
			out_str(o, "\033[m");
		return;
	}
	width = t->opt->separator ? 1 : width - 1;
	if (f->number == HIST_SAMPLES || f->number == HIST_PERIOD)
		out_printf(
			o, " %*llu", width,
			(unsigned long long)(f->number == HIST_SAMPLES ? s->samples : s->period));
	else
		out_printf(o, " %*.1f", width,
			   s->samples ? s->weights[f->number - HIST_WEIGHT1] / (double)s->samples
				      : 0.0);
}

/* Fills the cell that begins at `start` to the column's width where `pad`. */
static void end_cell(struct out *o, size_t start, const struct hist_text *t, size_t out, bool pad)
{
	size_t width = (size_t)t->widths[out], len = o->len - start;

	if (pad && len < width)
		out_fill(o, ' ', width - len);
}

/* Of "N/A", in characters, as perf aligns it. */
static int not_counted_width(const struct hist_field *f)
{
	if (f->user_width)
		return f->user_width;
	return hist_number_is_latency(f->number) ? 4 : hist_numbers[f->number].width;
}

void hist_print_numbers(struct out *o, const struct hist_text *t, size_t out, const void *stats,
			bool pad)
{
	const struct hist_field *f = &t->h->layout->out[out];
	size_t start = o->len;

	if (hist_numbers[f->number].needs_children && !t->h->children)
		out_printf(o, "%*s", not_counted_width(f), "N/A");
	else
		for (size_t ev = 0; ev < t->h->nr_events; ev++)
			print_number(o, t, f, hist_stat_at(t->h, stats, ev), ev);
	end_cell(o, start, t, out, pad);
}

void hist_print_cell(struct out *o, const struct hist_text *t, size_t out, u32 entry, bool pad)
{
	const struct hist_field *f = &t->h->layout->out[out];
	size_t start = o->len;
	struct key_cell c;

	if (!f->is_key) {
		hist_print_numbers(o, t, out, hist_stat_of(t->h, entry, 0), pad);
		return;
	}
	c = hist_key_cell(t->h, f, entry);
	c.width = t->natural ? t->natural[out] : t->widths[out];
	sort_key_print(t->h->d, o, &c);
	key_hide_separator(o, start, t->opt->separator);
	if (t->natural)
		hist_fit_cell(o, start, t, out, pad);
	else
		end_cell(o, start, t, out, pad);
}

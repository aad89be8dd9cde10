/* SPDX-License-Identifier: MIT */
#include "report/hist_print.h"

#include "base/mem.h"
#include "report/key_text.h"

#define GAP "  "
#define MAX_TITLE 1023 /* titles are cut there, the dots below are not */

const char *hist_field_title(const struct hist *h, const struct hist_field *f)
{
	if (f->is_key)
		return sort_key_header(hist_field_key(h->layout, f));
	if (f->number == HIST_OVERHEAD && h->layout->children)
		return "Self";
	return hist_numbers[f->number].header;
}

static struct key_cell cell_of(const struct hist *h, const struct hist_field *f, u32 entry,
			       int width)
{
	const struct hist_entry *e = &h->entries[entry];

	return (struct key_cell){ .k = hist_field_key(h->layout, f),
				  .id = hist_key_id(h, e, f->key),
				  .place = &e->place,
				  .stat = hist_stat_of(h, entry, 0),
				  .width = width };
}

/* Of one number; a narrow one is followed by blanks up to the column's width. */
static int text_width(const struct hist *h, const struct hist_field *f)
{
	int width = f->user_width ? f->user_width : hist_numbers[f->number].width;
	int title = (int)strlen(hist_field_title(h, f));

	return width > title ? width : title;
}

static int number_width(const struct hist *h, const struct hist_field *f)
{
	const struct hist_number_def *def = &hist_numbers[f->number];
	int width = text_width(h, f), all = (int)h->nr_events * def->width;

	/* a table of a group's leader alone is one of a group */
	return (h->d->opt->group || h->nr_events > 1) && all > width ? all : width;
}

/* Makes columns as wide as an entry's cells are. */
static void widen(struct hist *h, u32 entry)
{
	const struct hist_layout *l = h->layout;

	for (size_t i = 0; i < l->nr_out; i++) {
		const struct hist_field *f = &l->out[i];
		struct key_cell c;
		int len;

		if (!f->is_key || f->user_width)
			continue;
		c = cell_of(h, f, entry, 0);
		len = sort_key_width(h->d, &c);
		if (len > h->widths[i])
			h->widths[i] = len;
	}
}

void hist_set_widths(struct hist *h)
{
	const struct hist_layout *l = h->layout;

	h->widths = xcalloc(l->nr_out + 1, sizeof(*h->widths));
	for (size_t i = 0; i < l->nr_out; i++) {
		const struct hist_field *f = &l->out[i];

		if (!f->is_key)
			h->widths[i] = number_width(h, f);
		else if (f->user_width)
			h->widths[i] = f->user_width;
		else
			h->widths[i] = (int)strlen(hist_field_title(h, f));
	}
	/* as they lie in memory, not as they are printed */
	for (u32 n = 0; n < h->nr; n++)
		if (!h->entries[n].filtered)
			widen(h, n);
}

int hist_field_width(const struct hist *h, size_t out)
{
	return h->widths[out];
}

void hist_print_gap(struct out *o, const struct hist *h, bool first)
{
	if (!h->d->opt->separator)
		out_str(o, GAP);
	else if (!first)
		out_str(o, h->d->opt->separator);
}

void hist_print_titles(struct out *o, const struct hist *h)
{
	const struct hist_layout *l = h->layout;
	const char *gap = h->d->opt->separator ? h->d->opt->separator : GAP;
	size_t i;

	for (i = 0; i < l->nr_out; i++) {
		const struct hist_field *f = &l->out[i];
		const char *title = hist_field_title(h, f);

		if (f->elided)
			continue;
		out_str(o, i ? gap : "# ");
		if (f->is_key)
			key_print_text(o, title,
				       h->widths[i] < MAX_TITLE ? h->widths[i] : MAX_TITLE);
		else
			out_str_width(o, title, h->widths[i]);
	}
	out_char(o, '\n');
	if (h->d->opt->separator)
		return;
	for (i = 0; i < l->nr_out; i++) {
		if (l->out[i].elided)
			continue;
		out_str(o, i ? gap : "# ");
		out_fill(o, '.', (size_t)h->widths[i]);
	}
	out_str(o, "\n#\n");
}

static u64 percent_part(const struct hist_stat *s, enum hist_number n)
{
	switch (n) {
	case HIST_OVERHEAD: return s->period;
	case HIST_SYS: return s->sys;
	case HIST_US: return s->us;
	case HIST_GUEST_SYS: return s->guest_sys;
	case HIST_GUEST_US: return s->guest_us;
	case HIST_CHILDREN: return s->acc_period;
	default: return 0;
	}
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
static const char *percent_color(const struct hist *h, double percent)
{
	if (!h->d->opt->color)
		return NULL;
	return percent >= 5.0 ? "\033[31m" : percent > 0.5 ? "\033[32m" : NULL;
}

static void print_number(struct out *o, const struct hist *h, const struct hist_field *f,
			 const struct hist_stat *s, size_t event)
{
	const struct hist_number_def *def = &hist_numbers[f->number];
	int width = text_width(h, f);

	if (def->percent) {
		double percent = share(percent_part(s, f->number), h->totals[event].period);
		const char *color = h->d->opt->separator ? NULL : percent_color(h, percent);

		width = h->d->opt->separator ? 1 : width - 2;
		if (color)
			out_str(o, color);
		print_percent(o, percent, width);
		if (color)
			out_str(o, "\033[m");
		return;
	}
	width = h->d->opt->separator ? 1 : width - 1;
	if (f->number == HIST_SAMPLES || f->number == HIST_PERIOD)
		out_printf(
			o, " %*llu", width,
			(unsigned long long)(f->number == HIST_SAMPLES ? s->samples : s->period));
	else
		out_printf(o, " %*.1f", width,
			   s->samples ? s->weights[f->number - HIST_WEIGHT1] / (double)s->samples
				      : 0.0);
}

/* The separator never stands within a cell. */
static void hide_separator(const struct hist *h, char *text, size_t n)
{
	const char *sep = h->d->opt->separator;

	for (size_t i = 0; sep && *sep && i < n; i++)
		if (text[i] == *sep)
			text[i] = '.';
}

/* Fills the cell that begins at `start` to the column's width where `pad`. */
static void end_cell(struct out *o, size_t start, const struct hist *h, size_t out, bool pad)
{
	size_t width = (size_t)h->widths[out], len = o->len - start;

	if (pad && len < width)
		out_fill(o, ' ', width - len);
}

void hist_print_numbers(struct out *o, const struct hist *h, size_t out, const void *stats,
			bool pad)
{
	const struct hist_field *f = &h->layout->out[out];
	size_t start = o->len;

	if (f->number == HIST_CHILDREN && !h->children)
		out_str_width(o, "N/A", hist_numbers[f->number].width);
	else
		for (size_t ev = 0; ev < h->nr_events; ev++)
			print_number(o, h, f, hist_stat_at(h, stats, ev), ev);
	end_cell(o, start, h, out, pad);
}

void hist_print_cell(struct out *o, const struct hist *h, size_t out, u32 entry, bool pad)
{
	const struct hist_field *f = &h->layout->out[out];
	size_t start = o->len;
	struct key_cell c;

	if (!f->is_key) {
		hist_print_numbers(o, h, out, hist_stat_of(h, entry, 0), pad);
		return;
	}
	c = cell_of(h, f, entry, h->widths[out]);
	sort_key_print(h->d, o, &c);
	if (o->len > start)
		hide_separator(h, o->buf + start, o->len - start);
	end_cell(o, start, h, out, pad);
}

double hist_percent(const struct hist *h, u32 entry)
{
	const struct hist_stat *s = hist_stat_of(h, entry, 0);

	return share(h->children ? s->acc_period : s->period, h->totals[0].period);
}

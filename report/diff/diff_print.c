/* SPDX-License-Identifier: MIT */
#include "report/diff/diff_print.h"

#include <inttypes.h>
#include <math.h>

#include "base/mem.h"
#include "base/screen/escape.h"
#include "profile/function_name.h"
#include "report/table/key_text.h"

#define GAP "  "
#define LEAST_WIDTH 8 /* of a key's column on a narrow terminal */
/* Intervals, then marks of noise, are left out where the keys have fewer characters than this. */
#define ROOM_WITH_INTERVALS 40
#define ROOM_WITH_NOISE 24

/* The state of printing one table. */
struct printing {
	const struct diff_text *text;
	const struct diff_table *t;
	int *widths;  /* by column, in characters */
	int *natural; /* the widths before they were fitted to a terminal; NULL: they were not */
	bool *hidden; /* by column: it is not printed */
	bool no_intervals, no_noise; /* these columns are left out */
	size_t nr;                   /* columns without hidden ones at the end */
	struct out cell;             /* the cell that is put together */
	const char *color;           /* of the cell; NULL: none */
};

/* ---- titles and widths */

/* The characters of a line that its shown columns leave; keys: of the keys as well. */
static int room_left(const struct printing *p, int room, bool keys)
{
	const struct diff_columns *columns = p->text->columns;

	for (size_t i = 0; i < columns->nr; i++)
		if (!p->hidden[i])
			room -= (int)strlen(GAP) +
				(keys || columns->items[i].figure != DIFF_KEY ? p->widths[i] : 0);
	return room;
}

/* Leaves out a kind of column if the keys have less room than that and need it. True: it did. */
static bool leave_out(struct printing *p, enum diff_figure figure, int room, int least)
{
	const struct diff_columns *columns = p->text->columns;

	if (!p->text->may_leave_out || room_left(p, room, true) >= 0 ||
	    room_left(p, room, false) >= least)
		return false;
	for (size_t i = 0; i < columns->nr; i++)
		p->hidden[i] |= columns->items[i].figure == figure;
	return true;
}

/* The width of a key's column by which columns are compared: long keys have twice as much. */
static int weighed_width(const struct printing *p, size_t i)
{
	const struct hist_layout *l = &p->t->sides[0].layout;
	const struct diff_column *c = &p->text->columns->items[i];

	return sort_key_is_long(hist_field_key(l, &l->out[c->out])->key) ? p->widths[i]
									 : 2 * p->widths[i];
}

/* The column of a key that is narrowed next; columns->nr: none may be. */
static size_t widest_key(const struct printing *p)
{
	const struct diff_columns *columns = p->text->columns;
	size_t widest = columns->nr;

	for (size_t i = 0; i < columns->nr; i++)
		if (columns->items[i].figure == DIFF_KEY && !p->hidden[i] &&
		    p->widths[i] > LEAST_WIDTH &&
		    (widest == columns->nr || weighed_width(p, i) > weighed_width(p, widest)))
			widest = i;
	return widest;
}

/* Narrows the columns of keys until a line has at most so many characters. */
static void fit_widths(struct printing *p, int room)
{
	const struct diff_columns *columns = p->text->columns;
	size_t widest;

	p->natural = xcalloc(columns->nr + 1, sizeof(*p->natural));
	memcpy(p->natural, p->widths, columns->nr * sizeof(*p->widths));
	p->no_intervals = leave_out(p, DIFF_INTERVAL, room, ROOM_WITH_INTERVALS);
	p->no_noise = leave_out(p, DIFF_NOISE, room, ROOM_WITH_NOISE);
	for (room = room_left(p, room, true); room < 0; room++) {
		widest = widest_key(p);
		if (widest == columns->nr)
			return;
		p->widths[widest]--;
	}
}

/* Puts a column's title into p->cell; with three or more recordings figures have their number. */
static void put_title(struct printing *p, const struct diff_column *c)
{
	const struct hist_layout *l = &p->t->sides[0].layout;

	p->cell.len = 0;
	if (c->figure == DIFF_KEY)
		out_str(&p->cell, hist_field_title(l, &l->out[c->out]));
	else if (p->t->nr_sides > 2)
		out_printf(&p->cell, "%s/%zu", diff_column_title(c), c->side);
	else
		out_str(&p->cell, diff_column_title(c));
}

static int key_width(const struct diff_table *t, size_t out, int least)
{
	for (size_t i = 0; i < t->nr; i++) {
		const struct diff_row *r = &t->rows[i];
		struct key_cell c = diff_key_cell(t, r, out);
		int width = sort_key_width(&t->sides[r->side].data, &c);

		least = width > least ? width : least;
	}
	return least;
}

/* ---- figures */

/* Puts "-0.52%" into the cell, in red from 5, in green above 0.5, as perf does on a terminal. */
static void put_delta(struct printing *p, double delta)
{
	out_printf(&p->cell, "%+.2f%%", delta);
	if (p->text->color && !p->text->separator)
		p->color = fabs(delta) >= 5.0 ? "\033[31m" : fabs(delta) > 0.5 ? "\033[32m" : NULL;
}

static void put_computed(struct printing *p, size_t col, const struct diff_row *r)
{
	const struct diff_column *c = &p->text->columns->items[col];
	struct diff_compute compute = p->t->opt->compute;
	struct diff_periods periods = diff_periods_of(p->t, r, c->side);
	bool in_baseline = diff_cell_of(p->t, r, 0)->entry != DIFF_ABSENT;
	int width = diff_column_width(c);
	union diff_value v;

	if (diff_cell_of(p->t, r, c->side)->entry == DIFF_ABSENT)
		return;
	compute.method = c->method;
	v = diff_compute_value(&compute, &periods);
	if (c->method == DIFF_DELTA || c->method == DIFF_DELTA_ABS)
		put_delta(p, v.number);
	else if (!in_baseline)
		out_str(&p->cell, "N/A");
	else if (c->method == DIFF_RATIO)
		out_printf(&p->cell, "%*.6f", width, v.number);
	else if (v.weighted || !p->text->separator) /* as in perf: with -t no 0 */
		out_printf(&p->cell, "%*" PRId64, width, v.weighted);
	/* as in perf: aligned with -t as well, and to the width without the recording's number */
	if (in_baseline && (c->method == DIFF_RATIO || c->method == DIFF_WDIFF) &&
	    p->widths[col] > width)
		out_fill(&p->cell, ' ', (size_t)(p->widths[col] - width));
}

static void put_formula(struct printing *p, const struct diff_column *c, const struct diff_row *r)
{
	struct diff_compute compute = p->t->opt->compute;
	struct diff_periods periods = diff_periods_of(p->t, r, c->side);

	compute.method = c->method;
	if (diff_cell_of(p->t, r, c->side)->entry != DIFF_ABSENT)
		diff_compute_put_formula(&compute, &periods, &p->cell);
}

static void put_interval(struct printing *p, const struct diff_column *c, const struct diff_row *r)
{
	struct diff_interval i = { 0 };

	if (diff_side_has_event(p->t, c->side))
		i = diff_row_interval(p->t, r, c->side, c->method);
	if (!i.known)
		return;
	if (c->method == DIFF_RATIO)
		out_printf(&p->cell, "%.3f..%.3f", i.low, i.high);
	else if (c->method == DIFF_WDIFF)
		out_printf(&p->cell, "%.0f..%.0f", i.low, i.high);
	else
		out_printf(&p->cell, "%+.2f..%+.2f%%", i.low, i.high);
}

/* Appends a cell's figure without blanks around it. */
static void put_figure(struct printing *p, size_t col, const struct diff_row *r)
{
	const struct diff_column *c = &p->text->columns->items[col];
	const struct diff_cell *cell = diff_cell_of(p->t, r, c->side);
	bool here = cell->entry != DIFF_ABSENT;

	switch (c->figure) {
	case DIFF_BASELINE:
	case DIFF_SHARE:
		if (here)
			out_printf(&p->cell, p->text->separator ? "%.2f" : "%.2f%%",
				   diff_share(cell->period, p->t->totals[c->side].period));
		break;
	case DIFF_COMPUTED: put_computed(p, col, r); break;
	case DIFF_FORMULA: put_formula(p, c, r); break;
	case DIFF_INTERVAL: put_interval(p, c, r); break;
	case DIFF_NOISE:
		if (diff_side_has_event(p->t, c->side) &&
		    diff_row_is_noise(p->t, r, c->side, c->method))
			out_str(&p->cell, "noise");
		break;
	case DIFF_PERIOD:
		if (here || !c->side)
			out_printf(&p->cell, "%" PRIu64, cell->period);
		break;
	case DIFF_SAMPLES:
		if (here || !c->side)
			out_printf(&p->cell, "%" PRIu64, cell->samples);
		break;
	case DIFF_KEY: break;
	}
}

/* The width of the longest figure of a column, if that is more. */
static int figure_width(struct printing *p, size_t col, int least)
{
	for (size_t i = 0; i < p->t->nr; i++) {
		p->cell.len = 0;
		put_figure(p, col, &p->t->rows[i]);
		least = (int)p->cell.len > least ? (int)p->cell.len : least;
	}
	return least;
}

static void set_widths(struct printing *p, bool fitted)
{
	const struct diff_columns *columns = p->text->columns;
	const struct hist_layout *l = &p->t->sides[0].layout;

	p->widths = xcalloc(columns->nr + 1, sizeof(*p->widths));
	p->hidden = xcalloc(columns->nr + 1, sizeof(*p->hidden));
	for (size_t i = 0; i < columns->nr; i++) {
		const struct diff_column *c = &columns->items[i];
		int least = diff_column_width(c), title;

		put_title(p, c);
		title = (int)p->cell.len;
		if (fitted && c->figure == DIFF_INTERVAL)
			least = figure_width(p, i, 0);
		least = least > title ? least : title;
		p->widths[i] = c->figure == DIFF_KEY ? key_width(p->t, c->out, least) : least;
		p->hidden[i] = c->figure == DIFF_KEY && l->out[c->out].elided;
		if (!p->hidden[i])
			p->nr = i + 1;
	}
}

/* ---- lines */

/* Appends p->cell, filled with blanks to the width. */
static void print_aligned(struct out *o, const struct printing *p, size_t col, bool right)
{
	size_t width = (size_t)p->widths[col], len = p->cell.len;
	size_t columns = o->escape && len ? escape_columns(p->cell.buf, len) : len;
	size_t fill = width > columns ? width - columns : 0;

	if (right)
		out_fill(o, ' ', fill);
	if (p->color)
		out_raw(o, p->color, strlen(p->color));
	out_mem(o, p->cell.buf, len);
	if (p->color)
		out_str(o, "\033[m");
	if (!right)
		out_fill(o, ' ', fill);
}

/* Shortens the text in p->cell to the width. */
static void fit_cell(struct printing *p, size_t width)
{
	struct out fitted;

	while (p->cell.len && p->cell.buf[p->cell.len - 1] == ' ')
		p->cell.len--;
	if (!p->cell.len || escape_columns(p->cell.buf, p->cell.len) <= width)
		return;
	out_init_mem(&fitted);
	out_escape_like(&fitted, &p->cell);
	function_name_fit(&fitted, p->cell.buf, p->cell.len, width);
	out_fini(&p->cell);
	p->cell = fitted;
}

static void print_titles(struct out *o, struct printing *p)
{
	const struct diff_columns *columns = p->text->columns;
	const char *gap = p->text->separator ? p->text->separator : GAP;
	size_t i;

	if (p->no_intervals)
		out_printf(o, "# Intervals%s: on a wider terminal, or with --interval\n#\n",
			   p->no_noise ? " and noise" : "");
	for (i = 0; i < columns->nr; i++) {
		const struct diff_column *c = &columns->items[i];

		if (p->hidden[i])
			continue;
		put_title(p, c);
		if (p->natural)
			fit_cell(p, (size_t)p->widths[i]);
		out_str(o, i ? gap : "# ");
		print_aligned(o, p, i, c->figure != DIFF_KEY);
	}
	out_char(o, '\n');
	if (p->text->separator)
		return;
	for (i = 0; i < columns->nr; i++) {
		if (p->hidden[i])
			continue;
		out_str(o, i ? gap : "# ");
		out_fill(o, '.', (size_t)p->widths[i]);
	}
	out_str(o, "\n#\n");
}

static void print_key(struct out *o, struct printing *p, size_t col, const struct diff_row *r)
{
	const struct diff_column *c = &p->text->columns->items[col];
	struct key_cell cell = diff_key_cell(p->t, r, c->out);

	cell.width = p->natural ? p->natural[col] : p->widths[col];
	sort_key_print(&p->t->sides[r->side].data, &p->cell, &cell);
	key_hide_separator(&p->cell, 0, p->text->separator);
	if (p->natural)
		fit_cell(p, (size_t)p->widths[col]);
	if (col + 1 < p->nr)
		print_aligned(o, p, col, false);
	else
		out_mem(o, p->cell.buf, p->cell.len);
}

/* The function of a line of a call tree stands where rows have their first key. */
static void print_function(struct out *o, struct printing *p, const struct diff_chain_line *line)
{
	out_str(&p->cell, line->name);
	key_hide_separator(&p->cell, 0, p->text->separator);
	out_fill(o, ' ', 2 * (line->depth + 1));
	out_mem(o, p->cell.buf, p->cell.len);
}

/* Prints a row, or a line of its call tree if that is not NULL. */
static void print_row(struct out *o, struct printing *p, const struct diff_row *r,
		      const struct diff_chain_line *line)
{
	const char *separator = p->text->separator;
	bool first = true;

	for (size_t i = 0; i < p->nr; i++) {
		const struct diff_column *c = &p->text->columns->items[i];

		if (p->hidden[i])
			continue;
		if (!separator || !first)
			out_str(o, separator ? separator : GAP);
		first = false;
		p->cell.len = 0;
		p->color = NULL;
		if (c->figure != DIFF_KEY) {
			put_figure(p, i, r);
			key_hide_separator(&p->cell, 0, separator);
			print_aligned(o, p, i, !separator);
		} else if (line) {
			print_function(o, p, line);
			break;
		} else {
			print_key(o, p, i, r);
		}
	}
	out_char(o, '\n');
}

static void print_chains(struct out *o, struct printing *p, const struct diff_row *r)
{
	const struct diff_chain_line *lines;
	size_t nr, i;

	lines = diff_chains_of(p->text->chains, r, &nr);
	for (i = 0; i < nr; i++)
		print_row(o, p, &lines[i].row, &lines[i]);
	if (nr)
		out_char(o, '\n');
}

void diff_print(struct out *o, const struct diff_text *text)
{
	struct printing p = { .text = text, .t = text->table };

	out_init_mem(&p.cell);
	out_escape_like(&p.cell, o);
	set_widths(&p, o->columns && !text->separator);
	if (o->columns && !text->separator)
		fit_widths(&p, (int)o->columns - 1);
	if (text->titles)
		print_titles(o, &p);
	for (size_t i = 0; i < p.t->nr; i++) {
		print_row(o, &p, &p.t->rows[i], NULL);
		if (text->chains)
			print_chains(o, &p, &p.t->rows[i]);
	}
	free(p.widths);
	free(p.natural);
	free(p.hidden);
	(void)out_fini(&p.cell);
}

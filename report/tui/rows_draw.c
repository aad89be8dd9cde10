/* SPDX-License-Identifier: MIT */
/* How the view of rows looks: perf's title, heads, rows with signs, call trees and scroll bar. */
#include "base/mem.h"
#include "base/screen/escape.h"
#include "profile/function_name.h"
#include "report/tui/view_rows.h"

#define SIGN 2 /* columns of the sign and the blank after it */
#define GAP 2
#define LEAST_WIDTH 8

/* The columns of the table as they are drawn now. */
struct layout {
	struct table_column *columns;
	int *widths;
	size_t nr;
	bool trees;  /* rows begin with a sign */
	bool fitted; /* narrower than the table wants */
};

static int gap_before(const struct layout *l, size_t i)
{
	return !i || (l->columns[i].number && l->columns[i].event) ? 0 : GAP;
}

/* A column's width as it counts in a comparison: names of functions get twice the room of others.
 */
static int demand(const struct layout *l, size_t i)
{
	return l->columns[i].kind == TABLE_FUNCTION ? l->widths[i] / 2 : l->widths[i];
}

/* Takes room from the widest keys until everything fits. */
static void fit(struct layout *l, int room)
{
	int used = 0;

	for (size_t i = 0; i < l->nr; i++)
		used += gap_before(l, i) + l->widths[i];
	while (used > room) {
		size_t widest = l->nr;

		for (size_t i = 0; i < l->nr; i++)
			if (!l->columns[i].number && l->widths[i] > LEAST_WIDTH &&
			    (widest == l->nr || demand(l, i) > demand(l, widest)))
				widest = i;
		if (widest == l->nr)
			return;
		l->widths[widest]--;
		l->fitted = true;
		used--;
	}
}

static struct layout layout_of(const struct table *t, int room)
{
	struct layout l = { .nr = t->ops->nr_columns(t), .trees = t->trees };

	l.columns = xcalloc(l.nr + 1, sizeof(*l.columns));
	l.widths = xcalloc(l.nr + 1, sizeof(*l.widths));
	for (size_t i = 0; i < l.nr; i++) {
		t->ops->column(t, i, &l.columns[i]);
		l.widths[i] = l.columns[i].width;
	}
	if (room)
		fit(&l, room);
	return l;
}

static void layout_fini(struct layout *l)
{
	free(l->columns);
	free(l->widths);
}

/* Makes the text that begins at `start` as wide as its column. */
static void fill(struct out *o, size_t start, const struct layout *l, size_t i)
{
	size_t width = (size_t)l->widths[i], n = o->len - start;
	size_t used = n ? escape_columns(o->buf + start, n) : 0, blanks;

	if (used > width && !l->columns[i].number && l->fitted) {
		char *text = xstrndup(o->buf + start, n);

		o->len = start;
		function_name_fit(o, text, n, width);
		free(text);
		used = escape_columns(o->buf + start, o->len - start);
	}
	if (used >= width)
		return;
	blanks = width - used;
	n = o->len - start;
	if (!l->columns[i].right && i + 1 == l->nr)
		return;
	out_fill(o, ' ', blanks);
	if (l->columns[i].right) {
		memmove(o->buf + start + blanks, o->buf + start, n);
		memset(o->buf + start, ' ', blanks);
	}
}

static void put_heads(const struct layout *l, struct out *o)
{
	out_fill(o, ' ', l->trees ? SIGN : 0);
	for (size_t i = 0; i < l->nr; i++) {
		size_t start;

		out_fill(o, ' ', (size_t)gap_before(l, i));
		start = o->len;
		/* the columns of a group's events have one title */
		if (!l->columns[i].number || i + 1 == l->nr ||
		    l->columns[i + 1].event <= l->columns[i].event)
			out_str(o, l->columns[i].title);
		fill(o, start, l, i);
	}
}

/* ---- lines */

static enum screen_style style_of(enum table_tone tone)
{
	static const enum screen_style styles[] = { [TONE_PLAIN] = STYLE_PLAIN,
						    [TONE_HOT] = STYLE_HOT,
						    [TONE_WARM] = STYLE_WARM,
						    [TONE_DIM] = STYLE_DIM };

	return styles[tone];
}

/* A line that is drawn part by part. NULL screen: only its text is wanted. */
struct drawn_line {
	struct tui *t;
	int row;
	size_t drawn; /* bytes of o that are on the screen */
	int col;      /* columns of these */
	bool at_cursor, found;
	struct out *o;
};

static void draw_part(struct drawn_line *d, enum screen_style style)
{
	size_t n = d->o->len - d->drawn;

	if (!d->t || !n)
		return;
	style = d->at_cursor ? STYLE_CURSOR : style;
	screen_put(d->t->screen, d->row, d->col, style, d->o->buf + d->drawn, n);
	d->col += (int)escape_columns(d->o->buf + d->drawn, n);
	d->drawn = d->o->len;
}

static void put_row(struct drawn_line *d, struct table *t, const struct layout *l,
		    const struct rows_line *line)
{
	int *last = &l->widths[l->nr - 1], width = *last;

	if (l->fitted && line->indent)
		*last = width > (int)line->indent + LEAST_WIDTH ? width - (int)line->indent
								: LEAST_WIDTH;
	for (size_t i = 0; i < l->nr; i++) {
		enum table_tone tone;
		size_t start;

		out_fill(d->o, ' ', (size_t)gap_before(l, i));
		draw_part(d, STYLE_PLAIN);
		start = d->o->len;
		t->ops->cell(t, line->row, i, d->o, &tone);
		fill(d->o, start, l, i);
		draw_part(d, d->found && !l->columns[i].number ? STYLE_MATCH : style_of(tone));
	}
	*last = width;
}

static void put_branch(struct drawn_line *d, struct table *t, bool objects,
		       const struct rows_line *line)
{
	struct table_branch b;
	size_t start = d->o->len, all, i;

	t->ops->branch(t, line->row, objects, d->o, &b);
	all = d->o->len;
	if (b.share) {
		for (i = start; i < all && d->o->buf[i] != ' '; i++)
			;
		d->o->len = i;
		draw_part(d, b.percent >= 5    ? STYLE_HOT
			     : b.percent > 0.5 ? STYLE_WARM
					       : STYLE_PLAIN);
		d->o->len = all;
	}
	draw_part(d, STYLE_PLAIN);
}

static void put_line(struct drawn_line *d, struct rows_model *m, const struct layout *l,
		     const struct rows_line *line)
{
	out_fill(d->o, ' ', line->indent);
	if (l->trees) {
		out_char(d->o, line->sign);
		out_char(d->o, ' ');
	}
	draw_part(d, STYLE_PLAIN);
	if (m->table->ops->is_entry(m->table, line->row))
		put_row(d, m->table, l, line);
	else
		put_branch(d, m->table, m->state.objects, line);
	if (d->t && d->at_cursor && d->col < d->t->screen->cols) {
		out_fill(d->o, ' ', (size_t)(d->t->screen->cols - d->col));
		draw_part(d, STYLE_CURSOR);
	}
}

void view_rows_put_line(struct view_rows *v, const struct rows_line *line, struct out *o)
{
	struct rows_model *m = rows_shown(v);
	struct layout l = layout_of(m->table, 0);
	struct drawn_line d = { .o = o };

	put_line(&d, m, &l, line);
	layout_fini(&l);
}

void view_rows_put_heads(struct view_rows *v, struct out *o)
{
	struct layout l = layout_of(rows_shown(v)->table, 0);

	put_heads(&l, o);
	layout_fini(&l);
}

/* ---- the screen */

/* What steps have done to the view; it stays readable where the title is too long. */
static void put_steps(const struct view_rows *v, struct out *o)
{
	const struct rows_model *m = rows_shown(v);

	for (size_t i = 0; i < m->state.nr_filters; i++) {
		const struct rows_filter *f = &m->state.filters[i];

		out_printf(o, ", %s%s", f->exclude ? "without " : "", f->words);
	}
	if (m->state.limit > v->in->limit || m->state.limit < v->in->limit)
		out_printf(o, ", from %g %%", m->state.limit);
	if (m->state.relative)
		out_str(o, ", of what is shown");
	if (m->pattern)
		out_printf(o, ", %zu found (%.1f %%)", m->nr_found, m->found_own * 100);
}

static void draw_title(struct view_rows *v, struct tui *t)
{
	struct out o, steps;

	tui_out(t, &o);
	tui_out(t, &steps);
	put_steps(v, &steps);
	v->in->title(v->in->ctx, v->event, &o);
	tui_title(t, 0, &o, &steps);
	out_fini(&o);
	out_fini(&steps);
}

/* Where the first line of the page is, given the cursor and the lines above it. */
static struct rows_pos find_top(struct view_rows *v, int page)
{
	struct rows_model *m = rows_shown(v);
	struct rows_pos cursor = rows_cursor(m), p = cursor;
	int below = 1, above;

	while (below < page && rows_next(m, &p))
		below++;
	/* no blank lines at the end while there are lines before */
	if (v->above > page - 1)
		v->above = page - 1;
	if (v->above < page - below)
		v->above = page - below;
	p = cursor;
	for (above = 0; above < v->above && rows_prev(m, &p); above++)
		;
	v->above = above;
	return p;
}

void view_rows_draw(struct tui_view *view, struct tui *t)
{
	struct view_rows *v = view_rows_of(view);
	struct rows_model *m = rows_shown(v);
	int first = rows_above(v), page = tui_page(t, first);
	struct layout l = layout_of(m->table, t->screen->cols - SIGN - 2);
	struct rows_pos p = find_top(v, page);
	struct out o;

	v->top = p;
	draw_title(v, t);
	tui_out(t, &o);
	if (!v->no_heads) {
		put_heads(&l, &o);
		tui_line(t, 1, STYLE_HEAD, &o);
	}
	for (int i = 0; i < page && m->nr; i++) {
		struct rows_pos cursor = rows_cursor(m);
		const struct rows_line *line = &rows_lines_at(m, p.at)->lines[p.line];
		struct drawn_line d = { .t = t,
					.row = first + i,
					.o = &o,
					.at_cursor = p.at == cursor.at && p.line == cursor.line,
					.found = rows_is_found(m, line) };

		o.len = 0;
		put_line(&d, m, &l, line);
		if (!rows_next(m, &p))
			break;
	}
	if (!m->nr)
		screen_say(t->screen, first, 2, STYLE_DIM,
			   "no rows pass the filters; u undoes the last step");
	else
		tui_scroll_bar(t, first, page, rows_cursor(m).at, m->nr);
	out_fini(&o);
	layout_fini(&l);
}

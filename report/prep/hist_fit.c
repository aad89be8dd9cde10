/* SPDX-License-Identifier: MIT */
#include "report/prep/hist_fit.h"

#include "base/mem.h"
#include "base/screen/escape.h"
#include "profile/function_name.h"

#define GAP 2
#define STEP 3        /* columns of indentation per level of a hierarchy */
#define LEAST_WIDTH 8 /* of a column, however narrow the terminal is */
/* A column up to this width keeps it if as much as that is left for the others: [kernel.kallsyms]
 */
#define NARROW 20
#define ENOUGH 30
#define ENOUGH_SHARE 10 /* characters of a share; a column with less is not cut for a title */

/* What the columns of one table share while they are fitted. */
struct fit {
	struct hist_text *t;
	const struct hist_layout *l;
	int room;   /* characters for the keys that have no width yet */
	int shares; /* of these keys */
	bool *done; /* by column: its width is final */
};

static void strip_blanks(struct out *o, size_t start)
{
	while (o->len > start && o->buf[o->len - 1] == ' ')
		o->len--;
}

/* The columns of the screen that a cell takes if nothing is cut. */
static int cell_columns(const struct hist_text *t, size_t out, u32 entry, struct out *scratch)
{
	struct key_cell c = hist_key_cell(t->h, &t->h->layout->out[out], entry);

	scratch->len = 0;
	c.width = sort_key_width(t->h->d, &c);
	sort_key_print(t->h->d, scratch, &c);
	strip_blanks(scratch, 0);
	return scratch->len ? (int)escape_columns(scratch->buf, scratch->len) : 0;
}

/* Makes columns as wide as their escaped texts. */
static void measure(struct hist_text *t)
{
	const struct hist_layout *l = t->h->layout;
	struct out scratch;

	out_init_mem(&scratch);
	out_escape_like(&scratch, &t->chain_text);
	for (size_t i = 0; i < l->nr_out; i++) {
		if (!l->out[i].is_key || l->out[i].elided)
			continue;
		for (size_t n = 0; n < t->h->nr_lines; n++) {
			int columns = cell_columns(t, i, t->h->lines[n], &scratch);

			if (columns > t->widths[i])
				t->widths[i] = columns;
		}
	}
	out_fini(&scratch);
}

static int share_of(const struct fit *f, size_t i)
{
	return sort_key_is_long(hist_field_key(f->l, &f->l->out[i])->key) ? 2 : 1;
}

/* Sums up the room and the shares; what is no key, or not shown, needs no fitting. */
static void begin_fit(struct fit *f, struct hist_text *t)
{
	*f = (struct fit){ .t = t, .l = t->h->layout, .room = (int)t->columns - 1 };
	f->done = xcalloc(f->l->nr_out + 1, sizeof(*f->done));
	for (size_t i = 0; i < f->l->nr_out; i++) {
		f->done[i] = !f->l->out[i].is_key || f->l->out[i].elided;
		if (f->l->out[i].elided)
			continue;
		f->room -= GAP;
		if (f->done[i])
			f->room -= t->widths[i];
		else
			f->shares += share_of(f, i);
	}
}

static void set_width(struct fit *f, size_t i, int width)
{
	f->t->widths[i] = width;
	f->room -= width;
	f->shares -= share_of(f, i);
	f->done[i] = true;
}

static bool is_narrow(const struct fit *f, size_t i)
{
	int width = f->t->widths[i];

	return width * f->shares <= f->room * share_of(f, i) ||
	       (width <= NARROW && f->room - width >= ENOUGH);
}

/* Gives narrow columns what they need. False: there is none. */
static bool settle_narrow(struct fit *f)
{
	bool any = false;

	for (size_t i = 0; i < f->l->nr_out; i++) {
		if (f->done[i] || !is_narrow(f, i))
			continue;
		set_width(f, i, f->t->widths[i]);
		any = true;
	}
	return any;
}

/* The width below which a column's title would be cut, unless that leaves no room for others. */
static int least_width(const struct fit *f, size_t i)
{
	int title = (int)strlen(sort_key_header(hist_field_key(f->l, &f->l->out[i])));
	int left = f->room - title, others = f->shares - share_of(f, i);

	return title > LEAST_WIDTH && title <= NARROW && left >= others * ENOUGH_SHARE
		       ? title
		       : LEAST_WIDTH;
}

static void fit_columns(struct fit *f)
{
	while (settle_narrow(f))
		;
	for (size_t i = 0; i < f->l->nr_out; i++) {
		int width, least;

		if (f->done[i])
			continue;
		width = f->room * share_of(f, i) / f->shares;
		least = least_width(f, i);
		set_width(f, i, width > least ? width : least);
	}
}

/* In a hierarchy each key has a line of its own, behind the figures and the indentation. */
static void fit_levels(struct fit *f)
{
	int levels = 0, room = (int)f->t->columns - 1 - GAP;
	size_t i;

	for (i = 0; i < f->l->nr_out; i++) {
		levels += !f->done[i];
		if (f->done[i] && !f->l->out[i].elided)
			room -= f->t->widths[i] + GAP;
	}
	room -= 2 * STEP * (levels - 1);
	if (room < LEAST_WIDTH)
		room = LEAST_WIDTH;
	for (i = 0; i < f->l->nr_out; i++)
		if (!f->done[i] && f->t->widths[i] > room)
			f->t->widths[i] = room;
}

void hist_fit_widths(struct hist_text *t)
{
	size_t size = t->h->layout->nr_out * sizeof(*t->widths);
	struct fit f;

	if (!t->columns || !size)
		return;
	measure(t);
	t->natural = xmalloc(size);
	memcpy(t->natural, t->widths, size);
	begin_fit(&f, t);
	if (t->opt->table.hierarchy)
		fit_levels(&f);
	else if (f.shares)
		fit_columns(&f);
	free(f.done);
}

void hist_fit_cell(struct out *o, size_t start, const struct hist_text *t, size_t out, bool pad)
{
	size_t width = (size_t)t->widths[out], columns;

	strip_blanks(o, start);
	columns = o->len > start ? escape_columns(o->buf + start, o->len - start) : 0;
	if (columns > width) {
		size_t n = o->len - start;
		char *text = xstrndup(o->buf + start, n);

		o->len = start;
		function_name_fit(o, text, n, width);
		free(text);
		columns = escape_columns(o->buf + start, o->len - start);
	}
	if (pad && columns < width)
		out_fill(o, ' ', width - columns);
}

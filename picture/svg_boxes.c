/* SPDX-License-Identifier: MIT */
#include "picture/svg_priv.h"

#include "picture/label.h"
#include "picture/markup.h"

#define LABEL_ROOM 3 /* pixels left of a label in its box, and right of it */

struct boxes {
	struct svg *s;
	double scale;       /* weight -> 1/10000 pixels */
	double max_delta;   /* the largest change, without its sign */
	bool mono;          /* the font is */
	struct out labels;  /* which stand behind all boxes */
	struct out room;    /* clean names that differ from their texts */
	struct rgb *colors; /* by name */
	bool *has_color;    /* by name */
};

/* Writes backwards from `end`; returns the first digit. */
static char *put_digits(char *end, u64 v)
{
	do
		*--end = (char)('0' + v % 10);
	while (v /= 10);
	return end;
}

static void put_dec(struct out *o, u64 v)
{
	char text[20], *p = put_digits(text + sizeof(text), v);

	out_raw(o, p, (size_t)(text + sizeof(text) - p));
}

/* "12.3" of 123000; "12" of 120000. */
static void put_pixels(struct out *o, u64 v)
{
	char text[5] = { '.' };
	u32 rest = (u32)(v % 10000), n = 1;

	put_dec(o, v / 10000);
	for (u32 digit = 1000; rest; digit /= 10) {
		text[n++] = (char)('0' + rest / digit);
		rest %= digit;
	}
	out_raw(o, text, n > 1 ? n : 0);
}

/* "1,234,567" */
static void put_commas(struct out *o, u64 v)
{
	char text[27], *p = text + sizeof(text);
	int digits = 0;

	do {
		if (digits && digits % 3 == 0)
			*--p = ',';
		*--p = (char)('0' + v % 10);
		digits++;
	} while (v /= 10);
	out_raw(o, p, (size_t)(text + sizeof(text) - p));
}

/* "12.34" of a share 0.1234 */
static void put_percent(struct out *o, double share)
{
	u64 v = (u64)(share * 10000 + 0.5);
	char digits[3] = { '.', (char)('0' + v / 10 % 10), (char)('0' + v % 10) };

	put_dec(o, v / 100);
	out_raw(o, digits, sizeof(digits));
}

static double own_change(const struct flame *f, size_t n)
{
	return (double)f->self[1][n] - (double)f->self[0][n];
}

static double change_of(const struct boxes *b, size_t n)
{
	const struct flame *f = b->s->f;

	return b->s->opt->diff == SVG_DIFF_SELF ? own_change(f, n)
						: (double)f->total[1][n] - (double)f->total[0][n];
}

static void find_max_delta(struct boxes *b)
{
	for (size_t n = 1; n < b->s->f->nr; n++) {
		double d = change_of(b, n);

		if (d < 0)
			d = -d;
		if (d > b->max_delta)
			b->max_delta = d;
	}
}

static struct rgb color_of(struct boxes *b, size_t n)
{
	const struct svg *s = b->s;
	u32 name = s->f->name[n];

	if (s->f->nr_sides > 1)
		return delta_color(s->opt->negate ? -change_of(b, n) : change_of(b, n),
				   b->max_delta, s->opt->safe);
	if (!n)
		return (struct rgb){ 250, 250, 250 };
	if (!b->has_color[name]) {
		b->colors[name] = palette_color(s->palette, &s->f->names[name], s->opt->alike);
		b->has_color[name] = true;
	}
	return b->colors[name];
}

static void put_color(struct out *o, struct rgb c)
{
	static const char digits[] = "0123456789abcdef";
	const char text[6] = { digits[c.r >> 4], digits[c.r & 15], digits[c.g >> 4],
			       digits[c.g & 15], digits[c.b >> 4], digits[c.b & 15] };

	out_raw(o, text, sizeof(text));
}

/* "; +1.20%" */
static void put_change(struct boxes *b, size_t n)
{
	const struct svg *s = b->s;
	double d = s->opt->negate ? -change_of(b, n) : change_of(b, n);
	struct out *o = s->o;

	out_raw(o, "; ", 2);
	if (d > 0)
		out_char(o, '+');
	else if (d < 0 && -d / (double)s->all * 10000 >= 0.5)
		out_char(o, '-');
	put_percent(o, (d < 0 ? -d : d) / (double)s->all);
	out_char(o, '%');
}

/* "name (1,234 samples, 12.34%)" */
static void put_title(struct boxes *b, size_t n, const char *clean)
{
	const struct svg *s = b->s;
	double weight = (double)s->weight[n];
	struct out *o = s->o;

	out_raw(o, "<title>", 7);
	markup_put(o, clean, strlen(clean));
	out_raw(o, " (", 2);
	put_commas(o, s->opt->factor == 1 ? s->weight[n] : (u64)(weight * s->opt->factor + 0.5));
	out_char(o, ' ');
	markup_put_name(o, s->opt->count_name);
	out_raw(o, ", ", 2);
	put_percent(o, weight / (double)s->all);
	out_char(o, '%');
	if (s->f->nr_sides > 1 && n)
		put_change(b, n);
	out_raw(o, ")</title></rect>", 16);
}

/* x and width: in 1/10000 pixels. */
static void put_label(struct boxes *b, u64 x, u64 width, u32 y, const char *clean)
{
	const struct svg_options *opt = b->s->opt;
	struct out *o = &b->labels;
	size_t n, fits;

	if (width <= LABEL_ROOM * 20000)
		return;
	n = strlen(clean);
	fits = label_fit(clean, n, (u32)((width - LABEL_ROOM * 20000) / 10 / opt->font_size),
			 b->mono);
	if (!fits)
		return;
	out_raw(o, "<text x=\"", 9);
	put_pixels(o, x + LABEL_ROOM * 10000);
	out_raw(o, "\" y=\"", 5);
	put_pixels(o, ((u64)y * 2 + opt->height + opt->font_size * 2 / 3) * 5000);
	out_raw(o, "\">", 2);
	markup_put(o, clean, fits);
	if (fits < n)
		out_raw(o, "..", 2);
	out_raw(o, "</text>\n", 8);
}

/* start: the weight left of the box. */
static void put_box(struct boxes *b, size_t n, u64 start)
{
	struct svg *s = b->s;
	struct out *o = s->o;
	double left = (double)start * b->scale, right = left + (double)s->weight[n] * b->scale;
	double room = (s->opt->width - 2.0 * SVG_SIDE_ROOM) * 10000;
	u64 x = (u64)(left < room ? left : room), end = (u64)(right < room ? right : room);
	u32 row = s->opt->inverted ? s->f->depth[n] : s->max_depth - s->f->depth[n];
	u32 y = row * s->opt->height;
	const char *clean = n ? markup_clean(s->f->names[s->f->name[n]].text, &b->room) : "all";

	out_raw(o, "<rect x=\"", 9);
	put_pixels(o, x);
	out_raw(o, "\" y=\"", 5);
	put_dec(o, y);
	out_raw(o, "\" width=\"", 9);
	put_pixels(o, end - x);
	out_raw(o, "\" height=\"", 10);
	put_dec(o, s->opt->height > 1 ? s->opt->height - 1 : 1);
	out_raw(o, "\" fill=\"#", 9);
	put_color(o, color_of(b, n));
	out_raw(o, "\" data-x=\"", 10);
	put_dec(o, start);
	out_raw(o, "\" data-w=\"", 10);
	put_dec(o, s->weight[n]);
	out_raw(o, "\">", 2);
	put_title(b, n, clean);
	out_char(o, '\n');
	put_label(b, x, end - x, y, clean);
}

/*
 * A node's own weight is at the left of what it calls. A node that is left out takes its room, so
 * the next one starts where it would be anyway.
 */
static void put_nodes(struct boxes *b)
{
	const struct svg *s = b->s;
	const struct flame *f = s->f;
	u64 *start = xmalloc(((size_t)s->max_depth + 2) * sizeof(*start));
	const u64 *self = f->self[f->nr_sides - 1];

	start[0] = 0; /* by depth: where the next box begins */
	for (size_t n = 0; n < f->nr;) {
		u32 depth = f->depth[n];
		bool is_gap = f->names[f->name[n]].kind == FLAME_GAP;
		u64 at = start[depth];

		start[depth] += s->weight[n];
		if (s->weight[n] < s->least || is_gap) {
			n = f->end[n];
			continue;
		}
		put_box(b, n, at);
		start[depth + 1] = at + self[n];
		n++;
	}
	free(start);
}

void svg_put_boxes(struct svg *s)
{
	struct boxes b = {
		.s = s,
		.scale =
			s->all ? (s->opt->width - 2.0 * SVG_SIDE_ROOM) * 10000 / (double)s->all : 0,
		.mono = label_font_is_mono(s->opt->font),
		.colors = xcalloc(s->f->nr_names, sizeof(*b.colors)),
		.has_color = xcalloc(s->f->nr_names, sizeof(*b.has_color)),
	};

	if (!s->nr_boxes)
		goto out;
	out_init_mem(&b.room);
	out_init_mem(&b.labels);
	if (s->f->nr_sides > 1)
		find_max_delta(&b);
	out_str(s->o, "<g id=\"boxes\">\n");
	put_nodes(&b);
	out_str(s->o, "</g>\n<g id=\"labels\">\n");
	out_raw(s->o, b.labels.buf, b.labels.len);
	out_str(s->o, "</g>\n");
	out_fini(&b.room);
	out_fini(&b.labels);
out:
	free(b.colors);
	free(b.has_color);
}

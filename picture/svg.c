/* SPDX-License-Identifier: MIT */
#include "picture/svg.h"

#include "base/err.h"
#include "picture/label.h"
#include "picture/markup.h"
#include "picture/palette.h"
#include "picture/svg_priv.h"

const struct svg_options svg_defaults = {
	.count_name = "samples",
	.name_type = "Function:",
	.font = "Verdana",
	.colors = "hot",
	.width = 1200,
	.height = 16,
	.font_size = 12,
	.factor = 1,
};

/* --- which boxes are drawn -------------------------------------------------------------------- */

static int heaviest_first(const void *pa, const void *pb)
{
	u64 a = *(const u64 *)pa, b = *(const u64 *)pb;

	return a < b ? 1 : a > b ? -1 : 0;
}

/*
 * The least weight of a box when there would be too many. Many boxes can have the weight of the
 * last one that is wanted: they are drawn, all or none, whichever is nearer to what is wanted.
 */
static u64 least_of_many(const u64 *weights, size_t nr)
{
	u64 last = weights[SVG_BOXES - 1];
	size_t more = SVG_BOXES - 1, equal = SVG_BOXES;

	while (more && weights[more - 1] == last)
		more--;
	while (equal < nr && weights[equal] == last)
		equal++;
	return equal <= 2 * SVG_BOXES || more < SVG_BOXES / 10 ? last : last + 1;
}

static u64 least_weight(const struct flame *f, const struct svg_options *opt, u64 all)
{
	const u64 *total = f->total[f->nr_sides - 1];
	double width = opt->width - 2.0 * SVG_SIDE_ROOM, share = 0.1 / width, least;
	size_t nr = 0, n;
	u64 *weights, ret;

	if (opt->min_width)
		share = opt->min_is_share ? opt->min_width / 100000.0
					  : opt->min_width / 1000.0 / width;
	least = share * (double)all;
	ret = least < 1 ? 1 : (u64)least + ((double)(u64)least < least);
	if (opt->min_width)
		return ret;
	weights = xmalloc(f->nr * sizeof(*weights));
	for (n = 0; n < f->nr; n++)
		if (total[n] >= ret)
			weights[nr++] = total[n];
	if (nr > SVG_BOXES) {
		qsort(weights, nr, sizeof(*weights), heaviest_first);
		ret = least_of_many(weights, nr);
	}
	free(weights);
	return ret;
}

/* What is drawn, and how deep that is. */
static void choose_boxes(struct svg *s)
{
	const struct flame *f = s->f;
	u32 n;

	s->least = least_weight(f, s->opt, s->all);
	for (n = 1; n < f->nr;) {
		if (s->weight[n] < s->least) {
			s->nr_left_out += f->end[n] - n;
			n = f->end[n];
			continue;
		}
		if (f->names[f->name[n]].kind != FLAME_GAP) {
			s->nr_boxes++;
			if (f->depth[n] > s->max_depth)
				s->max_depth = f->depth[n];
		}
		n++;
	}
}

/* --- the frame of the picture ----------------------------------------------------------------- */

static void put_rgb(struct out *o, struct rgb c)
{
	static const char digits[] = "0123456789abcdef";
	const char text[7] = { '#',
			       digits[c.r >> 4],
			       digits[c.r & 15],
			       digits[c.g >> 4],
			       digits[c.g & 15],
			       digits[c.b >> 4],
			       digits[c.b & 15] };

	out_raw(o, text, sizeof(text));
}

static void put_attribute(struct out *o, const char *name, const char *value)
{
	out_raw(o, " ", 1);
	out_raw(o, name, strlen(name));
	out_raw(o, "=\"", 2);
	markup_put_name(o, value);
	out_raw(o, "\"", 1);
}

static void put_number(struct out *o, const char *name, u64 value)
{
	out_printf(o, " %s=\"%llu\"", name, (unsigned long long)value);
}

static const char *title_of(const struct svg *s)
{
	if (s->opt->title)
		return s->opt->title;
	if (s->f->nr_sides > 1)
		return "Differential Flame Graph";
	return s->opt->is_chart ? "Flame Chart" : s->opt->inverted ? "Icicle Graph" : "Flame Graph";
}

static void put_description(struct svg *s)
{
	struct out *o = s->o;

	out_str(o, "<desc>");
	out_printf(o, "%zu frames are drawn.", s->nr_boxes);
	if (s->nr_left_out)
		out_printf(o, " %zu frames of less than %.3g %% each are left out.", s->nr_left_out,
			   100.0 * (double)s->least / (double)s->all);
	if (s->opt->notes) {
		out_char(o, ' ');
		markup_put_name(o, s->opt->notes);
	}
	for (const char *line = s->opt->quality; line && *line;) {
		size_t n = strcspn(line, "\n");
		char *text = xstrndup(line, n);

		out_char(o, '\n');
		markup_put_name(o, text);
		free(text);
		line += n + (line[n] == '\n');
	}
	out_str(o, "</desc>\n");
}

static void put_style(struct svg *s)
{
	struct out *o = s->o;

	out_str(o, "<style>\n"
		   "text{fill:#000;pointer-events:none;white-space:pre}\n"
		   "#boxes rect{shape-rendering:crispEdges;cursor:pointer}\n"
		   "#boxes rect:hover{stroke:#000;stroke-width:1;"
		   "vector-effect:non-scaling-stroke}\n"
		   ".control{pointer-events:auto;cursor:pointer}\n"
		   "</style>\n");
}

static void put_text(struct svg *s, const char *id, double x, u32 y, const char *rest,
		     const char *text)
{
	struct out *o = s->o;

	out_printf(o, "<text id=\"%s\" x=\"%.4g\" y=\"%u\"%s>", id, x, y, rest);
	markup_put_name(o, text);
	out_str(o, "</text>\n");
}

static void put_background(struct svg *s)
{
	struct rgb top, bottom;
	struct out *o = s->o;

	if (s->f->nr_sides > 1)
		background_find("grey", &top, &bottom);
	else
		palette_background(s->palette, &top, &bottom);
	if (s->opt->backgrounds && !background_find(s->opt->backgrounds, &top, &bottom))
		BUG();
	out_str(o, "<linearGradient id=\"back\" x2=\"0\" y2=\"1\"><stop stop-color=\"");
	put_rgb(o, top);
	out_str(o, "\"/><stop offset=\"1\" stop-color=\"");
	put_rgb(o, bottom);
	out_str(o, "\"/></linearGradient>\n"
		   "<rect width=\"100%\" height=\"100%\" fill=\"url(#back)\"/>\n");
}

static void put_head(struct svg *s)
{
	const struct svg_options *opt = s->opt;
	struct out *o = s->o;

	out_str(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg");
	out_printf(o, " width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\"", opt->width, s->height,
		   opt->width, s->height);
	out_str(o, " xmlns=\"http://www.w3.org/2000/svg\"");
	out_printf(o, " font-size=\"%u\"", opt->font_size);
	out_str(o, " font-family=\"");
	markup_put_name(o, opt->font);
	out_str(o, ",sans-serif\"");
	put_attribute(o, "aria-label", title_of(s));
	out_str(o, ">\n");
	put_description(s);
	put_style(s);
	put_background(s);
}

static void put_texts(struct svg *s)
{
	const struct svg_options *opt = s->opt;
	char left_out[96];
	u32 middle = opt->width / 2, size = opt->font_size;
	char rest[64];

	snprintf(rest, sizeof(rest), " text-anchor=\"middle\" font-size=\"%u\"", size + 5);
	put_text(s, "title", middle, size * 2, rest, title_of(s));
	if (opt->subtitle)
		put_text(s, "subtitle", middle, size * 4, " text-anchor=\"middle\"", opt->subtitle);
	put_text(s, "details", SVG_SIDE_ROOM, s->height - size, "",
		 s->nr_boxes ? " " : "There are no samples to draw.");
	left_out[0] = '\0';
	if (s->nr_left_out)
		snprintf(left_out, sizeof(left_out), "%zu small frames left out", s->nr_left_out);
	put_text(s, "matched", opt->width - SVG_SIDE_ROOM, s->height - size, " text-anchor=\"end\"",
		 left_out);
}

/* What the script has to know besides the boxes. */
static void put_frames(struct svg *s)
{
	const struct svg_options *opt = s->opt;
	struct out *o = s->o;

	out_str(o, "<svg id=\"frames\"");
	put_number(o, "x", SVG_SIDE_ROOM);
	put_number(o, "y", s->top);
	put_number(o, "width", opt->width - 2 * SVG_SIDE_ROOM);
	put_number(o, "height", s->height - s->top - opt->font_size * 2 - 10);
	put_number(o, "data-total", s->all);
	put_number(o, "data-size", opt->font_size);
	put_number(o, "data-row", opt->height);
	put_number(o, "data-depth", s->max_depth);
	put_number(o, "data-inverted", opt->inverted);
	put_attribute(o, "data-type", opt->name_type);
	out_str(o, ">\n");
	svg_put_boxes(s);
	out_str(o, "</svg>\n");
}

static void put_script(struct svg *s)
{
	static const char script[] = {
#include "picture/svg_labels.js.inc"
#include "picture/svg_paint.js.inc"
#include "picture/svg.js.inc"
	};

	out_str(s->o, "<script><![CDATA[\n");
	out_raw(s->o, script, sizeof(script));
	out_str(s->o, "]]></script>\n");
}

static void lay_out(struct svg *s)
{
	const struct svg_options *opt = s->opt;
	u32 rows;

	choose_boxes(s);
	rows = s->nr_boxes ? s->max_depth + 1 : 0;
	s->top = opt->font_size * (opt->subtitle ? 5 : 3);
	s->height = s->top + rows * opt->height + opt->font_size * 2 + 10;
}

void svg_write(struct out *o, const struct flame *f, const struct svg_options *opt)
{
	struct svg s = { .o = o, .f = f, .opt = opt, .weight = f->total[f->nr_sides - 1] };

	s.all = s.weight[0] > opt->total ? s.weight[0] : opt->total;
	s.palette = palette_find(opt->colors);
	if (!s.palette)
		BUG();
	lay_out(&s);
	put_head(&s);
	put_texts(&s);
	put_frames(&s);
	if (s.nr_boxes)
		put_script(&s);
	out_str(o, "</svg>\n");
}

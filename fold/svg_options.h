/* SPDX-License-Identifier: MIT */
/* The options of pfold --svg. They have flamegraph.pl's names where it has such an option. */
#ifndef FOLD_SVG_OPTIONS_H
#define FOLD_SVG_OPTIONS_H

#include "base/option.h"
#include "picture/svg.h"

struct svg_drawing {
	const char *path; /* of the picture, "-": standard output; NULL: none is drawn */
	struct svg_options look;
	bool reverse;
	/* values of --colors, --countname, --width, --height and --fontsize; svg_drawing_check()
	 * puts them into `look` */
	const char *colors, *count_name;
	u64 width, height, font_size;
};

void svg_drawing_init(struct svg_drawing *d);

/* Checks what was given, and puts it into d->look. PERR_USAGE. */
int svg_drawing_check(struct svg_drawing *d, struct perr *e) MUST_CHECK;

int svg_min_width_parse(void *look, const char *arg, struct perr *e);
int svg_factor_parse(void *factor, const char *arg, struct perr *e);
int svg_diff_parse(void *diff, const char *arg, struct perr *e);
int svg_diff_colors_parse(void *safe, const char *arg, struct perr *e);

/* clang-format off */

/* Rows of an option table. `d` of T is a struct svg_drawing. */
#define SVG_OPTIONS(T, d) \
	{ OPT_STRING, 0, "svg", OPT_AT(T, d.path), "file", \
	  "draw a flame graph into this file instead of printing lines; - is standard output" }, \
	{ OPT_STRING, 0, "title", OPT_AT(T, d.look.title), "text", "above the picture" }, \
	{ OPT_STRING, 0, "subtitle", OPT_AT(T, d.look.subtitle), "text", "below the title" }, \
	{ OPT_U64, 0, "width", OPT_AT(T, d.width), "pixels", "width of the picture (1200)" }, \
	{ OPT_U64, 0, "height", OPT_AT(T, d.height), "pixels", "height of a frame (16)" }, \
	{ OPT_PARSE, 0, "minwidth", OPT_AT(T, d.look), "pixels|n%", \
	  "leave out frames that are narrower (0.1, or more so that about 5000 are left)", \
	  .parse = svg_min_width_parse }, \
	{ OPT_STRING, 0, "fonttype", OPT_AT(T, d.look.font), "font", "Verdana by default" }, \
	{ OPT_U64, 0, "fontsize", OPT_AT(T, d.font_size), "pixels", "12 by default" }, \
	{ OPT_STRING, 0, "countname", OPT_AT(T, d.count_name), "text", \
	  "unit of the weights (default: samples, ns, or the event)" }, \
	{ OPT_STRING, 0, "nametype", OPT_AT(T, d.look.name_type), "text", \
	  "in front of names in the line below (Function:)" }, \
	{ OPT_STRING, 0, "colors", OPT_AT(T, d.colors), "palette", \
	  "hot (default), mem, io, wakeup, chain, java, js, perl, red, green, blue, aqua, " \
	  "yellow, purple, orange" }, \
	{ OPT_STRING, 0, "bgcolors", OPT_AT(T, d.look.backgrounds), "color", \
	  "of the background: yellow, blue, green, grey, #rrggbb" }, \
	{ OPT_FLAG, 0, "hash", OPT_AT(T, d.look.alike), NULL, \
	  "names that begin alike get like colors" }, \
	{ OPT_FLAG, 0, "reverse", OPT_AT(T, d.reverse), NULL, \
	  "begin stacks with their innermost function" }, \
	{ OPT_FLAG, 0, "inverted", OPT_AT(T, d.look.inverted), NULL, \
	  "callers above: an icicle graph" }, \
	{ OPT_FLAG, 0, "flamechart", OPT_AT(T, d.look.is_chart), NULL, \
	  "stacks from left to right by time: each thread of a recording; folded text by its " \
	  "lines" }, \
	{ OPT_FLAG, 0, "negate", OPT_AT(T, d.look.negate), NULL, \
	  "of a comparison: let the colors change places" }, \
	{ OPT_PARSE, 0, "diff-by", OPT_AT(T, d.look.diff), "self|total", \
	  "of a comparison: colors show the change of a frame's own weight (default), or with " \
	  "all that it called", .parse = svg_diff_parse }, \
	{ OPT_PARSE, 0, "diff-colors", OPT_AT(T, d.look.safe), "red|orange", \
	  "of a comparison: red and blue (default), or orange and blue", \
	  .parse = svg_diff_colors_parse }, \
	{ OPT_STRING, 0, "notes", OPT_AT(T, d.look.notes), "text", "for the file's <desc>" }, \
	{ OPT_U64, 0, "total", OPT_AT(T, d.look.total), "n", \
	  "the weight that the whole width stands for" }, \
	{ OPT_PARSE, 0, "factor", OPT_AT(T, d.look.factor), "x", \
	  "multiply the weights that are shown", .parse = svg_factor_parse }

/* clang-format on */

#endif

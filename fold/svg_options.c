/* SPDX-License-Identifier: MIT */
#include "fold/svg_options.h"

#include <math.h>
#include <string.h>

#include "picture/palette.h"

#define MAX_WIDTH 100000
#define MAX_ROW 1000

void svg_drawing_init(struct svg_drawing *d)
{
	*d = (struct svg_drawing){ .look = svg_defaults,
				   .colors = svg_defaults.colors,
				   .width = svg_defaults.width,
				   .height = svg_defaults.height,
				   .font_size = svg_defaults.font_size };
}

/* A number of at least 0, with what follows it in *ret_rest. */
static bool parse_decimal(const char *s, double *ret, const char **ret_rest)
{
	char *end;

	if (!strchr("0123456789.", *s) || s[1] == 'x' || s[1] == 'X')
		return false;
	*ret = strtod(s, &end);
	*ret_rest = end;
	return end != s && isfinite(*ret);
}

int svg_min_width_parse(void *look, const char *arg, struct perr *e)
{
	struct svg_options *o = look;
	const char *rest;
	double v;

	o->min_width = 0;
	o->min_is_share = false;
	if (!arg)
		return 0;
	if (!*arg || !parse_decimal(arg, &v, &rest) || v > MAX_WIDTH ||
	    (*rest && strcmp(rest, "%") != 0))
		return perr_set(e, PERR_USAGE, "expected pixels or a share, 0.5 or 0.1%%, got '%s'",
				arg);
	o->min_is_share = *rest;
	o->min_width = v < 0.001 ? 1 : (u32)(v * 1000 + 0.5);
	return 0;
}

int svg_factor_parse(void *factor, const char *arg, struct perr *e)
{
	const char *rest;
	double v = 1;

	if (arg && (!*arg || !parse_decimal(arg, &v, &rest) || *rest || v <= 0 || v > 1e9))
		return perr_set(e, PERR_USAGE, "expected a number above 0, got '%s'", arg);
	*(double *)factor = v;
	return 0;
}

int svg_diff_parse(void *diff, const char *arg, struct perr *e)
{
	static const char *const words[] = { "self", "total" };
	int choice, err = parse_choice(words, ARRAY_SIZE(words), arg, &choice, e);

	if (!err)
		*(enum svg_diff *)diff = (enum svg_diff)choice;
	return err;
}

int svg_diff_colors_parse(void *safe, const char *arg, struct perr *e)
{
	static const char *const words[] = { "red", "orange" };
	int choice, err = parse_choice(words, ARRAY_SIZE(words), arg, &choice, e);

	if (!err)
		*(bool *)safe = choice;
	return err;
}

static int check_size(const char *option, u64 v, u64 least, u64 most, struct perr *e)
{
	if (v >= least && v <= most)
		return 0;
	return perr_set(e, PERR_USAGE, "--%s: expected %llu to %llu pixels, got %llu", option,
			(unsigned long long)least, (unsigned long long)most, (unsigned long long)v);
}

int svg_drawing_check(struct svg_drawing *d, struct perr *e)
{
	struct rgb top, bottom;
	int err;

	if ((err = check_size("width", d->width, 50, MAX_WIDTH, e)) ||
	    (err = check_size("height", d->height, 2, MAX_ROW, e)) ||
	    (err = check_size("fontsize", d->font_size, 1, MAX_ROW, e)))
		return err;
	if (!palette_find(d->colors))
		return perr_set(e, PERR_USAGE,
				"--colors: there is no palette '%s'; pfold -h lists them",
				d->colors);
	if (d->look.backgrounds && !background_find(d->look.backgrounds, &top, &bottom))
		return perr_set(
			e, PERR_USAGE,
			"--bgcolors: expected yellow, blue, green, grey or #rrggbb, got '%s'",
			d->look.backgrounds);
	d->look.width = (u32)d->width;
	d->look.height = (u32)d->height;
	d->look.font_size = (u32)d->font_size;
	d->look.colors = d->colors;
	return 0;
}

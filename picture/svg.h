/* SPDX-License-Identifier: MIT */
/*
 * A call tree as a picture: an SVG that shows everything without its script, in an <img> for
 * example, and zooms and searches with it.
 */
#ifndef PICTURE_SVG_H
#define PICTURE_SVG_H

#include "base/out.h"
#include "picture/flame.h"

enum svg_diff {
	SVG_DIFF_SELF,  /* a box has the colour of the change of its own weight */
	SVG_DIFF_TOTAL, /* ... of all that it called as well */
};

/* Texts are as the user gave them, and may be hostile. */
struct svg_options {
	const char *title;      /* NULL: what kind of graph it is */
	const char *subtitle;   /* NULL: none */
	const char *notes;      /* NULL: none; for the <desc> */
	const char *quality;    /* lines about the recordings, for the <desc>; NULL: none */
	const char *count_name; /* the unit of the weights */
	const char *name_type;  /* in front of names in the line below the boxes */
	const char *font;
	const char *colors;      /* one of palette_names */
	const char *backgrounds; /* NULL: the palette's; see background_find */
	u32 width, height;       /* of the picture; of a box: pixels */
	u32 font_size;           /* pixels */
	/* Boxes narrower than this are left out, in 1/1000 pixels or, with min_is_share, 1/1000 %
	 * of all. 0: 0.1 pixels, or more where that would be far more than SVG_BOXES boxes. */
	u32 min_width;
	bool min_is_share;
	bool alike;    /* names that begin alike have like colours */
	bool inverted; /* callers are above: an icicle graph */
	bool is_chart; /* from left to right as time goes on */
	bool negate;   /* colours of a comparison change places */
	bool safe;     /* those of a comparison are orange and blue */
	enum svg_diff diff;
	double factor; /* that shown weights are multiplied with */
	u64 total;     /* what the whole width stands for, if that is more than all weights */
};

#define SVG_BOXES 5000

extern const struct svg_options svg_defaults;

/*
 * Writes the picture of a finished tree. With two sides it is a comparison: widths are the weights
 * of side 1, colours the change from side 0. FLAME_GAP names are left empty.
 */
void svg_write(struct out *o, const struct flame *f, const struct svg_options *opt);

#endif

/* SPDX-License-Identifier: MIT */
/* What the parts of an SVG's writer share. */
#ifndef PICTURE_SVG_PRIV_H
#define PICTURE_SVG_PRIV_H

#include "picture/palette.h"
#include "picture/svg.h"

#define SVG_SIDE_ROOM 10 /* pixels left and right of the boxes */

/* A picture that is being written. */
struct svg {
	struct out *o;
	const struct flame *f;
	const struct svg_options *opt;
	const struct palette *palette;
	const u64 *weight; /* by node: what its width shows */
	u64 all;           /* what the whole width shows */
	u64 least;         /* nodes of less are left out */
	size_t nr_boxes, nr_left_out;
	u32 max_depth;   /* of a box */
	u32 top, height; /* of the boxes; of the picture: pixels */
};

/* Writes the boxes: a <rect> with a <title> for each, and a <text> where there is room for it. */
void svg_put_boxes(struct svg *s);

#endif

/* SPDX-License-Identifier: MIT */
/* Folded stacks as a picture. */
#ifndef FOLD_FOLD_SVG_H
#define FOLD_FOLD_SVG_H

#include "fold/folded.h"
#include "fold/svg_options.h"

/*
 * Writes the picture of all lines of f. nr_sides: 2 for a comparison. normalize: as of
 * fold_diff_print; f's weights are scaled, so f is of no use afterwards. chart: the finished tree
 * that is drawn instead of the lines; NULL: none. unit: of the weights, where the user names none.
 */
void fold_svg_write(struct folded *f, const struct svg_drawing *d, unsigned int nr_sides,
		    bool normalize, const struct flame *chart, const char *unit, struct out *o);

#endif

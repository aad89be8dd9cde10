/* SPDX-License-Identifier: MIT */
/*
 * How much of a name fits into a box. Nothing can measure a text before it is drawn, so its width
 * is estimated: with the widths of a wide common typeface, or with one width for monospaced ones.
 */
#ifndef PICTURE_LABEL_H
#define PICTURE_LABEL_H

#include "base/types.h"

/* Whether all characters of a font are equally wide, by the font's name. */
bool label_font_is_mono(const char *font);

/*
 * Returns how many of the first bytes of a clean UTF-8 text fit into `width`, in 1/1000 of the size
 * of the font. If not all fit, there is room for ".." behind them; 0 when fewer than 3 characters
 * with the dots would be shown.
 */
size_t label_fit(const char *clean, size_t n, u32 width, bool mono);

#endif

/* SPDX-License-Identifier: MIT */
/* Colours of boxes. A name has the same colour in every picture. */
#ifndef PICTURE_PALETTE_H
#define PICTURE_PALETTE_H

#include "picture/flame.h"

struct rgb {
	u8 r, g, b;
};

struct palette;

/* The names of all palettes, a NULL after the last; the first one is the default. */
extern const char *const palette_names[];

/* The palette of that name; NULL: there is none. */
const struct palette *palette_find(const char *name);

/* alike: names that begin alike have like colours. */
struct rgb palette_color(const struct palette *p, const struct flame_name *name, bool alike);

/* The default colours of the background of pictures with this palette: above and below. */
void palette_background(const struct palette *p, struct rgb *top, struct rgb *bottom);

/* Sets both colours of a background from "yellow", "blue", "green", "grey" or "#rrggbb". */
bool background_find(const char *name, struct rgb *top, struct rgb *bottom);

/* A change of delta, where `max` is the largest one: red for more, blue for less. safe: orange and
 * blue, which colour-blind people tell apart. */
struct rgb delta_color(double delta, double max, bool safe);

#endif

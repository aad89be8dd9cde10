/* SPDX-License-Identifier: MIT */
/* A heat map on a terminal, and as a picture. */
#ifndef EVENTS_SINKS_HEAT_TEXT_H
#define EVENTS_SINKS_HEAT_TEXT_H

#include "base/out.h"
#include "events/sinks/heat_map.h"

/* Writes a line for each power of two, the longest on top, 64 columns of time, a character for how
 * many there are in a cell, and the number of each line. */
void heat_text_put(struct out *o, const struct heat_map *h);

/* Writes a line for each cell that is not empty, by time: the seconds at which its column begins,
 * the us at which its row does, and the number. */
void heat_text_put_cells(struct out *o, const struct heat_map *h);

/* Writes it as SVG. Each cell has a title: its time, its lengths and its number. */
void heat_text_put_svg(struct out *o, const struct heat_map *h);

#endif

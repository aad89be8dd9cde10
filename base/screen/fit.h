/* SPDX-License-Identifier: MIT */
/* Texts fitted into the columns of a terminal. The texts are escaped already
 * (base/screen/escape.h). */
#ifndef BASE_SCREEN_FIT_H
#define BASE_SCREEN_FIT_H

#include "base/out.h"

/* The mark for what is left out: "…", or ".." where o's terminal shows no UTF-8. */
const char *fit_mark(const struct out *o);

/*
 * Appends a text, without its middle if it is wider than `columns`, which the
 * mark replaces. More of the end is kept than of the start, because names differ at their ends.
 */
void fit_middle(struct out *o, const char *s, size_t n, size_t columns);

/*
 * Appends lines of comments ("# ..."), which end with newlines. A line wider than o->columns goes
 * on in a line that begins with "#   ". If o->columns is 0 the lines are appended as they are.
 */
void fit_comments(struct out *o, const char *s, size_t n);

/*
 * Appends lines with colours, which end with newlines. Blanks take the place of tabs, and a line
 * wider than o->columns loses its middle: half of the columns keep its start, the others the mark
 * and its end. A line of dashes loses its end. If o->columns is 0 the lines are appended as they
 * are. Before a line is cut, `shorten` may take out of it what matters least: at most `excess`
 * columns are of use. NULL: nothing does.
 */
typedef void fit_shorten_fn(struct out *line, size_t excess);
void fit_lines(struct out *o, const char *s, size_t n, fit_shorten_fn *shorten);

#endif

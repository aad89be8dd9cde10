/* SPDX-License-Identifier: MIT */
/* Lines of text broken between words into rows of a terminal, so that none wraps. */
#ifndef BASE_SCREEN_SCREEN_ROWS_H
#define BASE_SCREEN_SCREEN_ROWS_H

#include <stdio.h>

#include "base/out.h"

/* Columns of the terminal that f leads to; 0: it leads to none. */
unsigned int screen_columns(FILE *f);

#define SCREEN_INDENT 4 /* columns, of the rows after the first one of a line */

/* A line to be broken into rows. The text is escaped and has no line end. */
struct screen_line {
	const char *text;
	size_t n;
	size_t indent; /* columns, of the first row */
};

/* How many rows of so many columns the line takes. */
unsigned int screen_rows(const struct screen_line *l, size_t columns);

/* Prints the first rows of a line; if it has more, the last one ends with "...". */
void screen_put_rows(struct out *o, const struct screen_line *l, size_t columns, unsigned int rows);

/* Prints one message to f: in rows if f is a terminal, otherwise as one line. */
void screen_message(FILE *f, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif

/* SPDX-License-Identifier: MIT */
#include "report/tui/screen.h"

#include <string.h>

#include "base/screen/escape.h"

void screen_put(struct screen *s, int row, int col, enum screen_style style, const char *text,
		size_t n)
{
	if (row < 0 || row >= s->rows || col < 0 || col >= s->cols || !n)
		return;
	n = escape_fits(text, n, (size_t)(s->cols - col));
	if (n)
		s->ops->put(s, row, col, style, text, n);
}

void screen_say(struct screen *s, int row, int col, enum screen_style style, const char *text)
{
	screen_put(s, row, col, style, text, strlen(text));
}

void screen_line(struct screen *s, int row, enum screen_style style, const char *text, size_t n)
{
	static const char blanks[] =
		"                                                               ";
	size_t used = n ? escape_columns(text, n) : 0;

	screen_put(s, row, 0, style, text, n);
	for (size_t col = used; col < (size_t)s->cols; col += sizeof(blanks) - 1)
		screen_put(s, row, (int)col, style, blanks, sizeof(blanks) - 1);
}

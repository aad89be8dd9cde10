/* SPDX-License-Identifier: MIT */
#include "report/tui/graph/graph_text.h"

#include "base/screen/escape.h"

#define LEAST_TITLE 11 /* columns that stay in front of what steps did */

void graph_title(struct tui *t, int row, struct out *title, struct out *steps)
{
	size_t cols = (size_t)t->screen->cols;
	size_t used = steps->len ? escape_columns(steps->buf, steps->len) : 0;
	size_t room = cols > used + LEAST_TITLE ? cols - used : LEAST_TITLE;

	if (title->len && escape_columns(title->buf, title->len) > room)
		title->len = escape_fits(title->buf, title->len, room);
	if (steps->len)
		out_raw(title, steps->buf, steps->len);
	tui_line(t, row, STYLE_TITLE, title);
}

/* SPDX-License-Identifier: MIT */
#include "report/tui/view.h"

#include <stdarg.h>

#include "base/mem.h"
#include "base/screen/escape.h"
#include "base/screen/message.h"

#define LEAST_TITLE 11 /* columns of a title that stay in front of what steps did */

void tui_push(struct tui *t, struct tui_view *v)
{
	vec_push(t->views, t->nr, t->cap, v);
}

void tui_pop(struct tui *t)
{
	struct tui_view *v = t->views[--t->nr];

	v->ops->close(v);
}

/* ---- text */

void tui_out(struct tui *t, struct out *o)
{
	out_init_mem(o);
	o->escape = true;
	o->ascii = !t->screen->utf8;
}

void tui_line(struct tui *t, int row, enum screen_style style, struct out *o)
{
	screen_line(t->screen, row, style, o->buf, o->len);
	o->len = 0;
}

/* Cuts behind the name of the event, not within the count that follows it. */
static void cut_title(struct out *o, size_t room)
{
	size_t fits = escape_fits(o->buf, o->len, room), n = fits;

	while (n && !(o->buf[n] == ',' && o->buf[n - 1] == '\''))
		n--;
	o->len = n ? n : fits;
}

void tui_title(struct tui *t, int row, struct out *title, struct out *steps)
{
	size_t cols = (size_t)t->screen->cols;
	size_t used = steps->len ? escape_columns(steps->buf, steps->len) : 0;
	size_t room = cols > used + LEAST_TITLE ? cols - used : LEAST_TITLE;

	if (title->len && escape_columns(title->buf, title->len) > room)
		cut_title(title, room);
	if (steps->len)
		out_raw(title, steps->buf, steps->len);
	tui_line(t, row, STYLE_TITLE, title);
}

int tui_page(const struct tui *t, int above)
{
	int page = t->screen->rows - 1 - above;

	return page > 0 ? page : 1;
}

void tui_scroll_bar(struct tui *t, int first, int page, size_t at, size_t nr)
{
	struct screen *s = t->screen;
	size_t mark = nr > 1 ? at * (size_t)(page - 1) / (nr - 1) : 0;

	for (int i = 0; i < page; i++)
		screen_say(s, first + i, s->cols - 1, STYLE_PLAIN,
			   i == (int)mark ? s->utf8 ? "◆" : "#"
			   : s->utf8      ? "▒"
					  : ":");
}

static void say(struct tui *t, bool warns, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));
static void say(struct tui *t, bool warns, const char *fmt, va_list ap)
{
	message_text(t->message, sizeof(t->message), fmt, ap);
	t->warns = warns;
}

void tui_say(struct tui *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(t, false, fmt, ap);
	va_end(ap);
}

void tui_warn(struct tui *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(t, true, fmt, ap);
	va_end(ap);
}

void tui_ask(struct tui *t, int question, const char *text, const char *first)
{
	t->question = question;
	t->asks = text;
	snprintf(t->answer, sizeof(t->answer), "%s", first);
}

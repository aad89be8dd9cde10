/* SPDX-License-Identifier: MIT */
#include "report/tui/view.h"

#include <stdarg.h>

#include "base/mem.h"
#include "base/screen/message.h"

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

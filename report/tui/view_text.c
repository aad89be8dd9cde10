/* SPDX-License-Identifier: MIT */
/* A text to read: help, the header of the recording, its quality. */
#include "base/mem.h"
#include "base/screen/escape.h"
#include "report/tui/key_names.h"
#include "report/tui/view.h"

#define SIDE 10        /* columns that Left and Right move by, as in perf */
#define HELP_COLUMN 12 /* where the help says what a key does */

struct view_text {
	struct tui_view view;
	const char *title;
	struct out text;
	int indent;       /* blanks before what continues a line that is too wide; -1: it is cut */
	struct out shown; /* the text's lines, escaped and broken */
	int cols;         /* that they were made for; 0: not made yet */
	size_t *lines;    /* where they begin in shown */
	size_t nr, cap, top, side;
	bool any_key; /* closes it */
};

static struct view_text *text_of(struct tui_view *v)
{
	return (struct view_text *)(uintptr_t)v;
}

static void add_line(struct view_text *x, int indent, const char *s, size_t n)
{
	vec_push(x->lines, x->nr, x->cap, x->shown.len);
	out_fill(&x->shown, ' ', (size_t)indent);
	out_raw(&x->shown, s, n);
}

/* Bytes of s for one line, up to a blank if there is one. */
static size_t row_length(const char *s, size_t n, size_t columns)
{
	size_t fits = escape_fits(s, n, columns), end = fits;

	while (fits < n && end && s[end] != ' ')
		end--;
	return end ? end : fits ? fits : n;
}

static void add_broken(struct view_text *x, const char *s, size_t n)
{
	size_t room = (size_t)x->cols, len = row_length(s, n, room);

	add_line(x, 0, s, len);
	if (room > (size_t)x->indent * 2)
		room -= (size_t)x->indent;
	while (len < n) {
		s += len;
		n -= len;
		while (n && *s == ' ') {
			s++;
			n--;
		}
		len = row_length(s, n, room);
		if (n)
			add_line(x, room < (size_t)x->cols ? x->indent : 0, s, len);
	}
}

static void make_lines(struct view_text *x, struct tui *t)
{
	const char *s = x->text.buf;
	struct out line;

	x->cols = t->screen->cols;
	x->nr = x->shown.len = 0;
	tui_out(t, &line);
	for (size_t i = 0, len; i < x->text.len; i += len + 1) {
		const char *end = memchr(s + i, '\n', x->text.len - i);

		len = end ? (size_t)(end - (s + i)) : x->text.len - i;
		line.len = 0;
		out_mem(&line, s + i, len);
		if (x->indent < 0 || !line.len)
			add_line(x, 0, line.buf, line.len);
		else
			add_broken(x, line.buf, line.len);
	}
	out_fini(&line);
}

static void put_line(const struct view_text *x, size_t i, struct out *o)
{
	size_t start = x->lines[i], end = i + 1 < x->nr ? x->lines[i + 1] : x->shown.len;

	if (end > start)
		start += escape_fits(x->shown.buf + start, end - start, x->side);
	if (end > start)
		out_raw(o, x->shown.buf + start, end - start);
}

static void text_draw(struct tui_view *v, struct tui *t)
{
	struct view_text *x = text_of(v);
	size_t page = (size_t)tui_page(t, 1);
	struct out o;

	if (x->cols != t->screen->cols)
		make_lines(x, t);
	if (x->top + page > x->nr)
		x->top = x->nr > page ? x->nr - page : 0;
	tui_out(t, &o);
	out_str(&o, x->title);
	tui_line(t, 0, STYLE_TITLE, &o);
	for (size_t i = x->top; i < x->nr && i < x->top + page; i++) {
		put_line(x, i, &o);
		tui_line(t, (int)(i - x->top) + 1, STYLE_PLAIN, &o);
	}
	out_fini(&o);
}

static bool text_key(struct tui_view *v, struct tui *t, int key)
{
	struct view_text *x = text_of(v);
	size_t page = (size_t)tui_page(t, 1);

	switch (key) {
	case TKEY_ARROW_DOWN:
	case TKEY_WHEEL_DOWN: x->top++; break;
	case TKEY_ARROW_UP:
	case TKEY_WHEEL_UP: x->top -= x->top ? 1 : 0; break;
	case TKEY_PAGE_DOWN:
	case ' ': x->top += page; break;
	case TKEY_PAGE_UP: x->top -= x->top < page ? x->top : page; break;
	case TKEY_TO_START: x->top = 0; break;
	case TKEY_TO_END: x->top = x->nr; break;
	case TKEY_ARROW_RIGHT: x->side += SIDE; break;
	case TKEY_ARROW_LEFT:
		if (!x->side)
			return false;
		x->side -= SIDE;
		break;
	default:
		if (!x->any_key)
			return false;
		tui_pop(t);
	}
	return true;
}

static void text_close(struct tui_view *v)
{
	struct view_text *x = text_of(v);

	out_fini(&x->text);
	out_fini(&x->shown);
	free(x->lines);
	free(x);
}

static const struct tui_key text_keys[] = {
	{ TKEY_ESCAPE, "back", "back" },
	{ TKEY_ARROW_DOWN, "next line", "next line; Up, PgUp, PgDn, Home and End likewise" },
	{ TKEY_ARROW_RIGHT, "to the right", "show what is cut at the right; Left goes back" },
};

static const struct tui_view_ops text_ops = {
	.name = "text",
	.keys = text_keys,
	.nr_keys = ARRAY_SIZE(text_keys),
	.draw = text_draw,
	.key = text_key,
	.close = text_close,
};

/* Nothing is cut at the right. */
static const struct tui_view_ops prose_ops = {
	.name = "text",
	.keys = text_keys,
	.nr_keys = ARRAY_SIZE(text_keys) - 1,
	.draw = text_draw,
	.key = text_key,
	.close = text_close,
};

static struct view_text *new_text(const char *title, struct out *text)
{
	struct view_text *x = xcalloc(1, sizeof(*x));

	*x = (struct view_text){
		.view = { &text_ops }, .title = title, .text = *text, .indent = -1
	};
	out_init_mem(&x->shown);
	return x;
}

struct tui_view *view_text_new(const char *title, struct out *text)
{
	return &new_text(title, text)->view;
}

struct tui_view *view_prose_new(const char *title, struct out *text)
{
	struct view_text *x = new_text(title, text);

	x->view.ops = &prose_ops;
	x->indent = 2;
	return &x->view;
}

static bool has_key(const struct tui_view_ops *ops, int key)
{
	for (size_t i = 0; i < ops->nr_keys; i++)
		if (ops->keys[i].key == key)
			return true;
	return false;
}

struct tui_view *view_help_new(const struct tui_view_ops *ops)
{
	static const struct tui_key common[] = {
		{ 'h', NULL, "this help; ? and F1 as well" },
		{ 'q', NULL, "back; in the first view: leave" },
		{ TKEY_CTRL('C'), NULL, "leave" },
		{ TKEY_CTRL('Z'), NULL, "to the shell; fg comes back" },
	};
	struct view_text *x;
	struct out o;

	out_init_mem(&o);
	out_str(&o, "\n");
	for (size_t i = 0; i < ops->nr_keys + ARRAY_SIZE(common); i++) {
		const struct tui_key *k =
			i < ops->nr_keys ? &ops->keys[i] : &common[i - ops->nr_keys];
		size_t start = o.len;

		if (i >= ops->nr_keys && has_key(ops, k->key))
			continue;

		out_str(&o, "  ");
		key_name_put(k->key, &o);
		out_fill(&o, ' ', o.len - start < HELP_COLUMN ? HELP_COLUMN - (o.len - start) : 1);
		out_printf(&o, "%s\n", k->help);
	}
	x = new_text("Keys", &o);
	x->any_key = true;
	x->view.ops = &prose_ops;
	x->indent = HELP_COLUMN;
	return &x->view;
}

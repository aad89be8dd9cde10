/* SPDX-License-Identifier: MIT */
/* A text to read: help, the header of the recording, its quality. */
#include "base/mem.h"
#include "base/screen/escape.h"
#include "report/tui/key_names.h"
#include "report/tui/view.h"

#define SIDE 10 /* columns that Left and Right move by, as in perf */

struct view_text {
	struct tui_view view;
	const char *title;
	struct out text;
	size_t *lines; /* where they begin */
	size_t nr, cap, top, side;
	bool any_key; /* closes it */
};

static struct view_text *text_of(struct tui_view *v)
{
	return (struct view_text *)(uintptr_t)v;
}

static void put_line(struct view_text *x, size_t i, struct out *o)
{
	size_t start = x->lines[i], end = i + 1 < x->nr ? x->lines[i + 1] : x->text.len;
	size_t skip;

	while (end > start && x->text.buf[end - 1] == '\n')
		end--;
	out_mem(o, x->text.buf + start, end - start);
	skip = o->len ? escape_fits(o->buf, o->len, x->side) : 0;
	if (skip)
		memmove(o->buf, o->buf + skip, o->len - skip);
	o->len -= skip;
}

static void text_draw(struct tui_view *v, struct tui *t)
{
	struct view_text *x = text_of(v);
	size_t page = (size_t)tui_page(t, 1);
	struct out o;

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

static struct view_text *new_text(const char *title, struct out *text)
{
	struct view_text *x = xcalloc(1, sizeof(*x));

	*x = (struct view_text){ .view = { &text_ops }, .title = title, .text = *text };
	for (size_t i = 0; i < text->len; i++)
		if (!i || text->buf[i - 1] == '\n')
			vec_push(x->lines, x->nr, x->cap, i);
	return x;
}

struct tui_view *view_text_new(const char *title, struct out *text)
{
	return &new_text(title, text)->view;
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
		out_fill(&o, ' ', o.len - start < 12 ? 12 - (o.len - start) : 1);
		out_printf(&o, "%s\n", k->help);
	}
	x = new_text("Keys", &o);
	x->any_key = true;
	return &x->view;
}

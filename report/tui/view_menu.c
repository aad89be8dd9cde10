/* SPDX-License-Identifier: MIT */
/* A list of actions, one of which is chosen. */
#include "base/mem.h"
#include "report/tui/key_names.h"
#include "report/tui/view.h"

struct view_menu {
	struct tui_view view;
	tui_choice_fn *chosen;
	void *ctx;
	bool stays;
	const char *title;
	struct tui_item *items;
	size_t nr, at, top;
	size_t key_width; /* columns of the longest name of a key */
};

static struct view_menu *menu_of(struct tui_view *v)
{
	return (struct view_menu *)(uintptr_t)v;
}

static void menu_draw(struct tui_view *v, struct tui *t)
{
	struct view_menu *m = menu_of(v);
	size_t page = (size_t)tui_page(t, 1);
	struct out o;

	if (m->at < m->top)
		m->top = m->at;
	if (m->at >= m->top + page)
		m->top = m->at - page + 1;
	tui_out(t, &o);
	out_str(&o, m->title);
	tui_line(t, 0, STYLE_TITLE, &o);
	for (size_t i = m->top; i < m->nr && i < m->top + page; i++) {
		out_char(&o, ' ');
		if (m->items[i].key)
			key_name_put(m->items[i].key, &o);
		out_fill(&o, ' ', m->key_width + 3 - o.len);
		out_str(&o, (const char *)m->items[i].text);
		tui_line(t, (int)(i - m->top) + 1, i == m->at ? STYLE_CURSOR : STYLE_PLAIN, &o);
	}
	out_fini(&o);
}

/* Acts on an item. The menu is freed by then, unless it stays. */
static void choose(struct view_menu *m, struct tui *t, size_t i)
{
	tui_choice_fn *chosen = m->chosen;
	void *ctx = m->ctx;
	int id = m->items[i].id;

	m->at = i;
	if (!m->stays)
		tui_pop(t);
	chosen(ctx, t, id);
}

static void menu_move(struct view_menu *m, long by)
{
	long at = (long)m->at + by;

	m->at = at < 0 ? 0 : at >= (long)m->nr ? m->nr - 1 : (size_t)at;
}

static bool click(struct view_menu *m, struct tui *t)
{
	size_t at = m->top + (size_t)t->screen->click_row - 1;

	if (t->screen->click_row < 1 || at >= m->nr)
		return false;
	choose(m, t, at);
	return true;
}

static bool menu_key(struct tui_view *v, struct tui *t, int key)
{
	struct view_menu *m = menu_of(v);

	switch (key) {
	case TKEY_ARROW_UP:
	case TKEY_WHEEL_UP: menu_move(m, -1); return true;
	case TKEY_ARROW_DOWN:
	case TKEY_WHEEL_DOWN: menu_move(m, 1); return true;
	case TKEY_PAGE_UP: menu_move(m, -tui_page(t, 1)); return true;
	case TKEY_PAGE_DOWN:
	case ' ': menu_move(m, tui_page(t, 1)); return true;
	case TKEY_TO_START: m->at = 0; return true;
	case TKEY_TO_END: m->at = m->nr - 1; return true;
	case TKEY_RETURN:
	case TKEY_ARROW_RIGHT: choose(m, t, m->at); return true;
	case TKEY_CLICK:
	case TKEY_DOUBLE_CLICK: return click(m, t);
	default: break;
	}
	for (size_t i = 0; i < m->nr; i++)
		if (m->items[i].key && m->items[i].key == key) {
			choose(m, t, i);
			return true;
		}
	return false;
}

static void menu_close(struct tui_view *v)
{
	struct view_menu *m = menu_of(v);

	for (size_t i = 0; i < m->nr; i++)
		free(m->items[i].text);
	free(m->items);
	free(m);
}

static const struct tui_key menu_keys[] = {
	{ TKEY_RETURN, "choose", "do what the line says" },
	{ TKEY_ESCAPE, "back", "back without a choice" },
	{ TKEY_ARROW_DOWN, NULL, "next line; Up, PgUp, PgDn, Home and End likewise" },
};

static const struct tui_view_ops menu_ops = {
	.name = "menu",
	.keys = menu_keys,
	.nr_keys = ARRAY_SIZE(menu_keys),
	.draw = menu_draw,
	.key = menu_key,
	.close = menu_close,
};

static size_t key_width(const struct tui_item *items, size_t nr)
{
	size_t width = 1;
	struct out o;

	out_init_mem(&o);
	for (size_t i = 0; i < nr; i++) {
		o.len = 0;
		if (items[i].key)
			key_name_put(items[i].key, &o);
		width = o.len > width ? o.len : width;
	}
	out_fini(&o);
	return width;
}

struct tui_view *view_menu_new(const char *title, struct tui_item *items, size_t nr, bool stays,
			       tui_choice_fn *chosen, void *ctx)
{
	struct view_menu *m = xcalloc(1, sizeof(*m));

	*m = (struct view_menu){ .view = { &menu_ops },
				 .key_width = key_width(items, nr),
				 .chosen = chosen,
				 .ctx = ctx,
				 .stays = stays,
				 .title = title,
				 .items = items,
				 .nr = nr };
	return &m->view;
}

/* SPDX-License-Identifier: MIT */
/* perf's map window: the symbols of an object, searched by name and by address. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/tui/tui_tables.h"

enum { ASK_FIND };

struct view_map {
	struct tui_view view;
	struct tui_symbols symbols;
	size_t at, top;
	int digits;                 /* of the highest address */
	char pattern[TUI_TEXT_MAX]; /* "": no search yet */
};

static struct view_map *map_of(struct tui_view *v)
{
	return (struct view_map *)(uintptr_t)v;
}

static struct tui_symbol symbol_at(const struct view_map *m, size_t i)
{
	struct tui_symbol s;

	m->symbols.get(m->symbols.of, i, &s);
	return s;
}

static void map_draw(struct tui_view *v, struct tui *t)
{
	struct view_map *m = map_of(v);
	size_t page = (size_t)tui_page(t, 1), i;
	struct out o;

	if (m->at < m->top)
		m->top = m->at;
	if (m->at >= m->top + page)
		m->top = m->at - page + 1;
	if (m->top + page > m->symbols.nr)
		m->top = m->symbols.nr > page ? m->symbols.nr - page : 0;
	tui_out(t, &o);
	out_str(&o, m->symbols.object);
	tui_line(t, 0, STYLE_TITLE, &o);
	for (i = m->top; i < m->symbols.nr && i < m->top + page; i++) {
		struct tui_symbol s = symbol_at(m, i);

		out_printf(&o, "%*llx %*llx %c ", m->digits, (unsigned long long)s.start, m->digits,
			   (unsigned long long)s.end, s.binding);
		out_str(&o, s.name);
		tui_line(t, (int)(i - m->top) + 1, i == m->at ? STYLE_CURSOR : STYLE_PLAIN, &o);
	}
	out_fini(&o);
	if (m->symbols.nr)
		tui_scroll_bar(t, 1, (int)page, m->at, m->symbols.nr);
	else
		screen_say(t->screen, 1, 2, STYLE_DIM, "no symbols are known of this object");
}

/* ---- search */

/* The last symbol that contains an address; nr if none does. */
static size_t find_addr(const struct view_map *m, u64 addr)
{
	size_t low = 0, high = m->symbols.nr;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (symbol_at(m, mid).start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr < symbol_at(m, low - 1).end ? low - 1 : m->symbols.nr;
}

/* The nearest symbol that has the text, in this direction from the cursor. */
static size_t find_name(const struct view_map *m, long direction)
{
	size_t nr = m->symbols.nr, at = m->at, i;

	for (i = 0; i < nr; i++) {
		at = direction > 0 ? (at + 1) % nr : (at + nr - 1) % nr;
		if (strcasestr(symbol_at(m, at).name, m->pattern))
			return at;
	}
	return nr;
}

static void find(struct view_map *m, struct tui *t, long direction)
{
	size_t found;

	if (!*m->pattern) {
		tui_say(t, "no search yet: /");
		return;
	}
	if (!strncmp(m->pattern, "0x", 2))
		found = find_addr(m, strtoull(m->pattern, NULL, 16));
	else
		found = find_name(m, direction);
	if (found == m->symbols.nr)
		tui_warn(t, "%s is not found", m->pattern);
	else
		m->at = found;
}

static void map_answer(struct tui_view *v, struct tui *t, int question, const char *text)
{
	struct view_map *m = map_of(v);

	(void)question;
	if (!*text)
		return;
	snprintf(m->pattern, sizeof(m->pattern), "%s", text);
	find(m, t, 1);
}

/* ---- */

static void map_move(struct view_map *m, long by)
{
	long at = (long)m->at + by, nr = (long)m->symbols.nr;

	at = at >= nr ? nr - 1 : at;
	m->at = at < 0 ? 0 : (size_t)at;
}

static bool map_key(struct tui_view *v, struct tui *t, int key)
{
	struct view_map *m = map_of(v);
	long page = tui_page(t, 1);

	switch (key) {
	case TKEY_ARROW_UP: map_move(m, -1); break;
	case TKEY_ARROW_DOWN: map_move(m, 1); break;
	case TKEY_WHEEL_UP: map_move(m, -3); break;
	case TKEY_WHEEL_DOWN: map_move(m, 3); break;
	case TKEY_PAGE_UP: map_move(m, -page); break;
	case TKEY_PAGE_DOWN:
	case ' ': map_move(m, page); break;
	case TKEY_TO_START: m->at = 0; break;
	case TKEY_TO_END: map_move(m, (long)m->symbols.nr); break;
	case '/': tui_ask(t, ASK_FIND, "Find a name, or an address after 0x", ""); break;
	case 'n':
	case 'N': find(m, t, key == 'n' ? 1 : -1); break;
	case TKEY_CLICK:
	case TKEY_DOUBLE_CLICK:
		if (t->screen->click_row >= 1 && t->screen->click_row <= page)
			map_move(m, (long)m->top + t->screen->click_row - 1 - (long)m->at);
		break;
	default: return false;
	}
	return true;
}

static void map_close(struct tui_view *v)
{
	struct view_map *m = map_of(v);

	m->symbols.free(m->symbols.of);
	free(m);
}

static const struct tui_key map_keys[] = {
	{ '/', "find", "find a symbol by a part of its name, or by an address after 0x" },
	{ 'n', "next", "next match; N: the one before" },
	{ TKEY_ESCAPE, "back", "back" },
	{ TKEY_ARROW_DOWN, NULL, "next line; Up, PgUp, PgDn, Space, Home and End likewise" },
};

static const struct tui_view_ops map_ops = {
	.name = "map",
	.keys = map_keys,
	.nr_keys = ARRAY_SIZE(map_keys),
	.draw = map_draw,
	.key = map_key,
	.answer = map_answer,
	.close = map_close,
};

struct tui_view *view_map_new(const struct tui_symbols *symbols)
{
	struct view_map *m = xcalloc(1, sizeof(*m));
	u64 highest = symbols->highest;

	*m = (struct view_map){ .view = { &map_ops }, .symbols = *symbols };
	for (m->digits = 1; highest >>= 4; m->digits++)
		;
	return &m->view;
}

/* SPDX-License-Identifier: MIT */
/* Filters and searches of the view of rows, which follow the text while it is typed. */
#include "base/mem.h"
#include "report/tui/rows_match.h"
#include "report/tui/view_rows.h"

/* ---- filters */

/* The filter by text that a question is about, nr_filters if there is none. */
static size_t find_typed(const struct rows_model *m, bool matches)
{
	size_t i = 0;

	while (i < m->state.nr_filters &&
	       (!m->state.filters[i].text || m->state.filters[i].matches != matches))
		i++;
	return i;
}

void view_rows_ask_symbol(struct view_rows *v, struct tui *t)
{
	struct rows_model *m = rows_shown(v);
	size_t i = find_typed(m, false);

	if (rows_column_of(m->entries, TABLE_FUNCTION) == TABLE_NO_COLUMN) {
		tui_warn(t, "the rows have no symbols: use -s symbol");
		return;
	}
	v->previews = false;
	tui_ask(t, ASK_SYMBOL, "Show only symbols that contain",
		i < m->state.nr_filters ? m->state.filters[i].text : "");
}

void view_rows_ask_match(struct view_rows *v, struct tui *t)
{
	v->previews = false;
	tui_ask(t, ASK_MATCH, "Show only rows with (regular expression; !: without)", "");
}

/* words: of TUI_TEXT_MAX + 32 bytes, for f->words. False: the text is no expression. */
static bool read_filter(struct rows_model *m, int question, const char *text, char *words,
			struct rows_filter *f, struct perr *e)
{
	struct rows_match *match;
	bool matches = question == ASK_MATCH, exclude = matches && *text == '!';

	text += exclude;
	*f = (struct rows_filter){ .col = rows_column_of(m->entries, TABLE_FUNCTION),
				   .text = (char *)(uintptr_t)text,
				   .matches = matches,
				   .words = words,
				   .exclude = exclude };
	snprintf(words, TUI_TEXT_MAX + 32, matches ? "rows with '%s'" : "symbols with '%s'", text);
	if (!matches || !*text)
		return true;
	if (rows_match_new(text, &match, e))
		return false;
	rows_match_free(match);
	return true;
}

/* Shows what the text filters, as one step however often it changes. */
static void preview(struct view_rows *v, int question, const char *text)
{
	struct rows_model *m = rows_shown(v);
	char words[TUI_TEXT_MAX + 32];
	struct rows_filter f;
	struct perr e;
	size_t old;

	if (!read_filter(m, question, text, words, &f, &e))
		return;
	if (v->previews)
		rows_cancel_step(m);
	v->previews = false;
	if (!*f.text)
		return;
	old = question == ASK_SYMBOL ? find_typed(m, false) : m->state.nr_filters;
	if (old < m->state.nr_filters)
		rows_replace_filter(m, old, &f);
	else
		rows_add_filter(m, &f);
	v->previews = true;
}

/* Like perf, a new text replaces the one before, an empty one removes it. */
void view_rows_filter(struct view_rows *v, struct tui *t, int question, const char *text)
{
	struct rows_model *m = rows_shown(v);
	char words[TUI_TEXT_MAX + 32];
	struct rows_filter f;
	struct perr e;
	size_t old;

	if (!read_filter(m, question, text, words, &f, &e)) {
		tui_warn(t, "%s", e.text);
		return;
	}
	if (!v->previews && *f.text)
		preview(v, question, text);
	v->previews = false;
	old = find_typed(m, false);
	if (!*f.text && question == ASK_SYMBOL && old < m->state.nr_filters)
		rows_remove_filter(m, old);
}

/* ---- search */

void view_rows_say_match(struct view_rows *v, struct tui *t, size_t number)
{
	struct rows_model *m = rows_shown(v);

	if (!m->pattern)
		tui_say(t, "no search yet: Ctrl-F");
	else if (!number)
		tui_warn(t, "%s is in no row", m->pattern);
	else
		tui_say(t, "%s: match %zu of %zu, %.2f %% of the samples", m->pattern, number,
			m->nr_found, m->found_own * 100);
}

void view_rows_ask_search(struct view_rows *v, struct tui *t)
{
	struct rows_model *m = rows_shown(v);

	free(v->pattern);
	v->pattern = m->pattern ? xstrdup(m->pattern) : NULL;
	v->searched_from = rows_cursor(m);
	tui_ask(t, ASK_SEARCH, "Find (regular expression)", m->pattern ? m->pattern : "");
}

/* Moves from where the search began to the first match there or after it; returns its number. */
static size_t go_to_match(struct view_rows *v)
{
	struct rows_model *m = rows_shown(v);

	const struct rows_line *l;

	rows_set_cursor(m, v->searched_from);
	l = rows_line_at_cursor(m);
	if (!l || !rows_is_found(m, l))
		return rows_find(m, 1, &v->opened);
	return rows_number_of_found(m, l);
}

/* Closes what the search has opened. */
static void go_back(struct view_rows *v)
{
	struct rows_model *m = rows_shown(v);

	if (v->opened)
		rows_cancel_step(m);
	v->opened = false;
	rows_set_cursor(m, v->searched_from);
}

void view_rows_search(struct view_rows *v, struct tui *t, const char *text)
{
	struct rows_model *m = rows_shown(v);
	struct perr e = { 0 };
	bool known = *text && m->pattern && !strcmp(m->pattern, text);

	if (!known && rows_search(m, *text ? text : NULL, &e)) {
		tui_warn(t, "%s", e.text);
		return;
	}
	if (*text) {
		go_back(v);
		view_rows_say_match(v, t, go_to_match(v));
	}
	v->opened = false; /* u closes it */
}

static void search_typed(struct view_rows *v, const char *text)
{
	struct rows_model *m = rows_shown(v);
	struct perr e;

	go_back(v);
	if (!text) {
		if (rows_search(m, v->pattern, &e))
			BUG(); /* it has compiled before */
	} else if (!rows_search(m, *text ? text : NULL, &e)) {
		(void)go_to_match(v);
	} /* else it is not whole yet */
}

/* ---- */

void view_rows_typed(struct tui_view *view, struct tui *t, int question, const char *text)
{
	struct view_rows *v = view_rows_of(view);

	(void)t;
	if (question == ASK_SEARCH) {
		search_typed(v, text);
	} else if (question == ASK_SYMBOL || question == ASK_MATCH) {
		if (text)
			preview(v, question, text);
		else if (v->previews)
			rows_cancel_step(rows_shown(v));
	}
}

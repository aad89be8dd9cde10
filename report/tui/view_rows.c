/* SPDX-License-Identifier: MIT */
/* The view of rows: perf report's screen and keys over a table. */
#include "report/tui/view_rows.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

static struct rows_model *make_model(struct view_rows *v)
{
	struct rows_model *m = rows_shown(v);

	if (!m->table)
		rows_model_init(m, v->in->table(v->in->ctx, v->event), v->in->limit);
	return m;
}

/* ---- questions */

static void set_limit(struct view_rows *v, struct tui *t, const char *text)
{
	struct rows_model *m = rows_shown(v);
	char *end;
	double limit = strtod(text, &end);

	if (!*text)
		return;
	if (*end == '%')
		end++;
	if (end == text || *end || !(limit >= 0 && limit <= 100)) {
		tui_warn(t, "expected a percentage from 0 to 100, got '%s'", text);
		return;
	}
	rows_step(m);
	m->state.limit = m->state.tree_limit = limit;
	rows_apply(m);
}

static void rows_answer(struct tui_view *view, struct tui *t, int question, const char *text)
{
	struct view_rows *v = view_rows_of(view);

	switch ((enum rows_question)question) {
	case ASK_SYMBOL:
	case ASK_MATCH: view_rows_filter(v, t, question, text); break;
	case ASK_LIMIT: set_limit(v, t, text); break;
	case ASK_SEARCH: view_rows_search(v, t, text); break;
	case ASK_FILE:
		if (*text)
			view_rows_write(v, t, text);
		break;
	}
}

static void ask_limit(struct view_rows *v, struct tui *t)
{
	snprintf(v->asks, sizeof(v->asks), "Hide rows and branches below this percentage, now %g",
		 rows_shown(v)->state.limit);
	tui_ask(t, ASK_LIMIT, v->asks, "");
}

/* ---- writing and copying */

void view_rows_write(struct view_rows *v, struct tui *t, const char *path)
{
	struct rows_model *m = rows_shown(v);
	FILE *f = fopen(path, "wxe");
	struct out o, line; /* a line is aligned before it leaves */
	size_t nr = 0;

	if (!f) {
		tui_warn(t, "%s was not written: %m", path);
		return;
	}
	out_init(&o, f);
	out_init_mem(&line);
	v->in->title(v->in->ctx, v->event, &line);
	out_char(&line, '\n');
	view_rows_put_heads(v, &line);
	out_char(&line, '\n');
	out_raw(&o, line.buf, line.len);
	for (size_t i = 0; i < m->nr; i++) {
		const struct rows_lines *l = rows_lines_at(m, i);

		for (size_t n = 0; n < l->nr; n++, nr++) {
			line.len = 0;
			view_rows_put_line(v, &l->lines[n], &line);
			out_char(&line, '\n');
			out_raw(&o, line.buf, line.len);
		}
	}
	out_fini(&line);
	if (out_fini(&o) | fclose(f))
		tui_warn(t, "%s could not be written whole: %m", path);
	else
		tui_say(t, "%zu lines were written to %s", nr, path);
}

/* As in perf, to the first perf.hist.N that is not there. */
static void write_next(struct view_rows *v, struct tui *t)
{
	char path[32];

	for (int i = 0; i < 8192; i++) {
		snprintf(path, sizeof(path), "perf.hist.%d", i);
		if (access(path, F_OK)) {
			view_rows_write(v, t, path);
			return;
		}
	}
	tui_warn(t, "perf.hist.0 to perf.hist.8191 are all there");
}

static void copy_name(struct view_rows *v, struct tui *t)
{
	struct rows_model *m = rows_shown(v);
	const struct rows_line *l = rows_line_at_cursor(m);
	struct table_place place;

	if (!l || !m->table->ops->place(m->table, l->row, &place) || !place.function) {
		tui_warn(t, "there is no name to copy");
		return;
	}
	t->screen->ops->copy(t->screen, place.function, strlen(place.function));
	tui_say(t, "copied: %s", place.function);
}

static void show_text(struct view_rows *v, struct tui *t, const char *title,
		      void (*put)(void *ctx, struct out *o), bool is_prose)
{
	struct out o;

	tui_out(t, &o); /* a line end in a name ends no line */
	put(v->in->ctx, &o);
	tui_push(t, is_prose ? view_prose_new(title, &o) : view_text_new(title, &o));
}

/* ---- keys */

static void change_event(struct view_rows *v, struct tui *t, long by)
{
	if (v->in->nr == 1) {
		tui_say(t, "the recording has one event");
		return;
	}
	v->event = (v->event + v->in->nr + (size_t)by) % v->in->nr;
	make_model(v);
}

static void sort_by_event(struct view_rows *v, struct tui *t, size_t event)
{
	struct rows_model *m = rows_shown(v);
	size_t nr = m->table->ops->nr_columns(m->table), i;
	struct table_column c = { 0 };

	for (i = 0; i < nr; i++) {
		m->table->ops->column(m->table, i, &c);
		if (c.number && c.event)
			break;
	}
	if (i == nr) {
		tui_warn(t, "digits sort by the events of a group, which this recording has not");
		return;
	}
	for (i = 0; i < nr; i++) {
		m->table->ops->column(m->table, i, &c);
		if (c.number && c.event == event)
			break;
	}
	if (i == nr) {
		tui_warn(t, "the group has no event %zu", event);
		return;
	}
	rows_step(m);
	m->state.sort_col = event ? i : TABLE_NO_COLUMN;
	m->state.descending = true;
	rows_apply(m);
}

static void flip(struct rows_model *m, bool *what)
{
	rows_step(m);
	*what = !*what;
	rows_apply(m);
}

static bool move_key(struct view_rows *v, struct tui *t, int key)
{
	struct rows_model *m = rows_shown(v);
	int page = tui_page(t, rows_above(v));

	switch (key) {
	case TKEY_ARROW_DOWN:
		rows_move(m, 1);
		v->above++;
		break;
	case TKEY_ARROW_UP:
		rows_move(m, -1);
		v->above -= v->above > 0;
		break;
	case TKEY_WHEEL_DOWN: rows_move(m, 3); break;
	case TKEY_WHEEL_UP: rows_move(m, -3); break;
	case TKEY_PAGE_DOWN:
	case ' ': rows_move(m, page); break;
	case TKEY_PAGE_UP: rows_move(m, -page); break;
	case TKEY_TO_START:
		rows_set_cursor(m, (struct rows_pos){ 0, 0 });
		v->above = 0;
		break;
	case TKEY_TO_END:
		rows_move_to_end(m);
		v->above = page;
		break;
	default: return false;
	}
	return true;
}

static bool fold_key(struct view_rows *v, int key)
{
	struct rows_model *m = rows_shown(v);

	switch (key) {
	case '+':
	case '-': rows_toggle(m); break;
	case 'e': rows_toggle_whole(m, false); break;
	case 'c': rows_toggle_whole(m, true); break;
	case 'E': rows_open_all(m, true); break;
	case 'C': rows_open_all(m, false); break;
	default: return false;
	}
	return true;
}

static bool filter_key(struct view_rows *v, struct tui *t, int key)
{
	struct rows_model *m = rows_shown(v);

	switch (key) {
	case 'd': view_rows_zoom(v, t, TABLE_OBJECT); break;
	case 't': view_rows_zoom(v, t, TABLE_THREAD); break;
	case 'S': view_rows_zoom(v, t, TABLE_SOCKET); break;
	case 'k': view_rows_zoom(v, t, TABLE_KEY); break;
	case '/': view_rows_ask_symbol(v, t); break;
	case 'f': view_rows_ask_match(v, t); break;
	case 'L': ask_limit(v, t); break;
	case 'F': flip(m, &m->state.relative); break;
	case 'V': flip(m, &m->state.objects); break;
	case 'o': view_rows_sort_menu(v, t); break;
	case 'u':
		if (rows_undo(m))
			break;
		if (v->in->is_part)
			tui_pop(t);
		else
			tui_say(t, "nothing to undo");
		break;
	case TKEY_CTRL('R'):
		if (!rows_redo(m))
			tui_say(t, "nothing to do again");
		break;
	case TKEY_ARROW_LEFT: return rows_drop_filter(m) || (v->in->nr == 1 && !v->in->is_part);
	case TKEY_ESCAPE: return rows_drop_filter(m);
	default: return false;
	}
	return true;
}

static bool search_key(struct view_rows *v, struct tui *t, int key)
{
	struct rows_model *m = rows_shown(v);
	struct perr e;

	switch (key) {
	case TKEY_CTRL('F'): view_rows_ask_search(v, t); break;
	case 'n':
	case 'N': view_rows_say_match(v, t, rows_find(m, key == 'n' ? 1 : -1, NULL)); break;
	case TKEY_ESCAPE:
		if (!m->pattern)
			return false;
		(void)!rows_search(m, NULL, &e);
		break;
	default: return false;
	}
	return true;
}

/* The line that was clicked becomes the cursor's; the first columns open and close it. */
static void click(struct view_rows *v, struct tui *t)
{
	struct rows_model *m = rows_shown(v);
	struct rows_pos p = v->top;
	int line = t->screen->click_row - rows_above(v);
	const struct rows_line *l;

	if (line < 0)
		return;
	for (int i = 0; i < line; i++)
		if (!rows_next(m, &p))
			return;
	rows_set_cursor(m, p);
	v->above = line;
	l = rows_line_at_cursor(m);
	if (l && t->screen->click_col <= (int)l->indent + 1)
		rows_toggle(m);
}

static bool other_key(struct view_rows *v, struct tui *t, int key)
{
	switch (key) {
	case TKEY_RETURN:
	case TKEY_ARROW_RIGHT:
	case TKEY_DOUBLE_CLICK:
	case 'm':
		if (key == TKEY_DOUBLE_CLICK)
			click(v, t);
		view_rows_menu(v, t);
		break;
	case TKEY_CLICK: click(v, t); break;
	case TKEY_TABULATOR: change_event(v, t, 1); break;
	case TKEY_BACK_TAB: change_event(v, t, -1); break;
	case 'H': v->no_heads = !v->no_heads; break;
	case 'i': show_text(v, t, "Header of the recording", v->in->header, false); break;
	case 'Q':
		show_text(v, t, "How far the figures can be trusted", v->in->quality, true);
		break;
	case 'P': write_next(v, t); break;
	case 'w': tui_ask(t, ASK_FILE, "Write what is shown to the new file", ""); break;
	case 'y': copy_name(v, t); break;
	case 'a': view_rows_annotate(v, t); break;
	default:
		if (view_rows_graph_key(v, t, key))
			break;
		if (key < '0' || key > '9')
			return false;
		sort_by_event(v, t, (size_t)(key - '0'));
	}
	return true;
}

static bool rows_key(struct tui_view *view, struct tui *t, int key)
{
	struct view_rows *v = view_rows_of(view);

	return move_key(v, t, key) || fold_key(v, key) || search_key(v, t, key) ||
	       filter_key(v, t, key) || other_key(v, t, key);
}

static bool rows_idle(struct tui_view *view)
{
	return rows_go_on(rows_shown(view_rows_of(view)));
}

/* Keys that need every row where it belongs. */
static bool needs_all_rows(int key)
{
	static const int keys[] = { TKEY_TO_END, 'd', 't', 'S', 'k', 'F',
				    'V',         'u', 'n', 'N', 'P', TKEY_CTRL('R') };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i] == key)
			return true;
	return key >= '0' && key <= '9';
}

/* How many lines a key moves the cursor down. */
static size_t lines_down(int key, size_t page)
{
	switch (key) {
	case TKEY_ARROW_DOWN: return 1;
	case TKEY_WHEEL_DOWN: return 3;
	case TKEY_PAGE_DOWN:
	case ' ': return page;
	default: return 0;
	}
}

/* Keys of a menu that choose nothing. */
static bool only_moves(int key)
{
	static const int keys[] = { TKEY_NONE,      TKEY_RESIZED,    TKEY_ESCAPE,
				    TKEY_ARROW_UP,  TKEY_ARROW_DOWN, TKEY_PAGE_UP,
				    TKEY_PAGE_DOWN, TKEY_TO_START,   TKEY_TO_END };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i] == key)
			return true;
	return false;
}

static bool rows_waits(const struct tui_view *view, const struct tui *t, int key)
{
	const struct view_rows *v = view_rows_of((struct tui_view *)(uintptr_t)view);
	const struct rows_model *m = rows_shown(v);
	size_t page = (size_t)tui_page(t, rows_above(v));

	if (m->nr_settled == m->nr)
		return false;
	if (t->views[t->nr - 1] != view) /* a menu may order or filter the rows */
		return !only_moves(key);
	if (t->question >= 0 && key != TKEY_NONE)
		return key == TKEY_RETURN || (t->question != ASK_LIMIT && t->question != ASK_FILE);
	return needs_all_rows(key) ||
	       rows_cursor(m).at + lines_down(key, page) + page > m->nr_settled;
}

static void rows_close(struct tui_view *view)
{
	struct view_rows *v = view_rows_of(view);

	for (size_t i = 0; i < v->in->nr; i++)
		if (v->models[i].table)
			rows_model_fini(&v->models[i]);
	free(v->models);
	free(v->pattern);
	free(v);
}

static const struct tui_key rows_keys[] = {
	{ TKEY_RETURN, "menu", "menu of what can be done with the row; Right and m as well" },
	{ '+', "open", "open or close one level of the call tree" },
	{ '/', "filter", "show only symbols that contain a text" },
	{ TKEY_CTRL('F'), "find", "find a regular expression; the other rows stay" },
	{ 'u', "undo", "undo the last step: zooms, filters, order, what is open" },
	{ 'h', "help", "the keys; ? and F1 as well" },
	{ 'q', "leave", "leave" },
	{ 'f', NULL,
	  "show only rows that match an expression in any column, or, after !, the others" },
	{ 'd', "object", "zoom into the row's object, and out again" },
	{ 't', "thread", "zoom into the row's thread or command, and out again" },
	{ 'o', "order", "sort by a column" },
	{ 'a', "annotate", "the code of the function at the cursor, with its costs" },
	{ 'b', "callers", "callers and callees of the function at the cursor" },
	{ 'T', "time", "threads by time, and ranges of time that all views follow" },
	{ 'g', "flame graph",
	  "flame graph of what the filters let through, at the row's function" },
	{ TKEY_ARROW_DOWN, NULL, "next line; Up, PgUp, PgDn, Space, Home and End likewise" },
	{ 'e', NULL, "open or close all levels of the row" },
	{ 'c', NULL, "close all levels of the row" },
	{ 'E', NULL, "open all rows" },
	{ 'C', NULL, "close all rows" },
	{ 'k', NULL, "zoom into the kernel, and out again" },
	{ 'S', NULL, "zoom into the row's socket, and out again" },
	{ TKEY_ARROW_LEFT, NULL, "undo the newest zoom; Esc as well" },
	{ 'L', NULL, "hide rows and branches of call trees below a percentage" },
	{ 'F', NULL, "percentages of what is shown, or of all samples" },
	{ 'V', NULL, "objects in call trees" },
	{ 'H', NULL, "heads of the columns" },
	{ TKEY_CTRL('R'), NULL, "do again what was undone" },
	{ 'n', NULL, "next match of the search; N: the one before" },
	{ TKEY_TABULATOR, NULL, "next event; Shift-Tab: the one before" },
	{ '0', NULL, "sort by the first event of a group; 1 to 9: by the others" },
	{ 'y', NULL, "copy the function's name to the clipboard of the terminal" },
	{ 'w', NULL, "write what is shown to a file" },
	{ 'P', NULL, "write what is shown to perf.hist.N" },
	{ 'i', NULL, "the header of the recording" },
	{ 'Q', NULL, "the quality of the recording: how far the figures can be trusted" },
};

static const struct tui_view_ops rows_ops = {
	.name = "rows",
	.keys = rows_keys,
	.nr_keys = ARRAY_SIZE(rows_keys),
	.draw = view_rows_draw,
	.key = rows_key,
	.answer = rows_answer,
	.typed = view_rows_typed,
	.idle = rows_idle,
	.waits = rows_waits,
	.preparing = "sorting the rows",
	.close = rows_close,
};

struct tui_view *view_rows_new(const struct tui_tables *in, size_t i, struct tui_view *like)
{
	struct view_rows *v = xcalloc(1, sizeof(*v));

	*v = (struct view_rows){ .view = { &rows_ops }, .in = in, .event = i };
	v->models = xcalloc(in->nr, sizeof(*v->models));
	make_model(v);
	if (like)
		rows_take_over(rows_shown(v), rows_shown(view_rows_of(like)));
	return &v->view;
}

/* SPDX-License-Identifier: MIT */
/* The menus of the view of rows, and its zooms. */
#include "base/mem.h"
#include "report/tui/view_rows.h"

enum action { DO_KEY, DO_ONLY, DO_WITHOUT, DO_SORT, DO_MAP };

#define ACTION_BITS 3

/* The id of a choice: the action, and the key or the number of the column. */
static int make_id(enum action action, size_t arg)
{
	return (int)(arg << ACTION_BITS | action);
}

struct menu_items {
	struct tui_item *items;
	size_t nr, cap;
};

static void add(struct menu_items *m, int key, int id, char *text)
{
	vec_push(m->items, m->nr, m->cap,
		 ((struct tui_item){ .text = text, .id = id, .key = key }));
}

/* Of a row and a column of m->entries. */
static char *cell_text(struct rows_model *m, table_row r, size_t col)
{
	enum table_tone tone;
	struct out o;
	char *text;

	out_init_mem(&o);
	m->entries->ops->cell(m->entries, r, col, &o, &tone);
	text = o.len ? xstrndup(o.buf, o.len) : xstrdup("");
	out_fini(&o);
	return text;
}

/* A column's name in titles and menus: perf's word, where it has one. */
static const char *name_of(struct rows_model *m, size_t col)
{
	struct table_column c;

	m->entries->ops->column(m->entries, col, &c);
	switch (c.kind) {
	case TABLE_COMM:
	case TABLE_THREAD: return "Thread";
	case TABLE_OBJECT: return "DSO";
	default: return c.title + strspn(c.title, " ");
	}
}

static void filter_by_cell(struct rows_model *m, size_t col, bool exclude)
{
	table_row r = rows_entry_of(m, rows_entry_at_cursor(m), col);
	struct rows_filter f = { .col = col,
				 .value = m->entries->ops->value(m->entries, r, col),
				 .exclude = exclude };
	char *cell = cell_text(m, r, col);

	f.words = xasprintf("%s: %s", name_of(m, col), cell);
	rows_add_filter(m, &f);
	free(f.words);
	free(cell);
}

/* ---- zooms */

static bool is_kernel(const char *object)
{
	return !strncmp(object, "[kernel", 7) || !strncmp(object, "[guest.kernel", 13);
}

/* The cell of the kernel; false: there is none. */
static bool find_kernel(struct rows_model *m, size_t col, u64 *ret)
{
	const struct rows_column *c = rows_cells_of(&m->cells, col);

	for (size_t i = 0; i < c->nr; i++) {
		*ret = c->values[i];
		if (is_kernel(rows_cell_text(c, i)))
			return true;
	}
	return false;
}

static void zoom_into_kernel(struct rows_model *m, struct tui *t, size_t col)
{
	struct rows_filter f = { .col = col };
	char words[] = "DSO: kernel";
	size_t i;

	if (!find_kernel(m, col, &f.value)) {
		tui_warn(t, "no row is of the kernel");
		return;
	}
	f.words = words;
	i = rows_find_filter(m, col, f.value);
	if (i < m->state.nr_filters)
		rows_remove_filter(m, i);
	else
		rows_add_filter(m, &f);
}

void view_rows_zoom(struct view_rows *v, struct tui *t, enum table_kind kind)
{
	struct rows_model *m = rows_shown(v);
	bool kernel = kind == TABLE_KEY;
	size_t col = rows_column_of(m->entries, kernel ? TABLE_OBJECT : kind), i;

	if (kind == TABLE_THREAD && col == TABLE_NO_COLUMN)
		col = rows_column_of(m->entries, TABLE_COMM);
	if (col == TABLE_NO_COLUMN) {
		tui_warn(t, kind == TABLE_THREAD ? "the rows have no threads: use -s comm or -s tid"
			    : kind == TABLE_SOCKET ? "the rows have no sockets: use -s socket"
						   : "the rows have no objects: use -s dso");
		return;
	}
	if (kernel) {
		zoom_into_kernel(m, t, col);
		return;
	}
	/* out again by the same key: of the column, whatever the cursor is on */
	for (i = 0; i < m->state.nr_filters; i++)
		if (m->state.filters[i].col == col && !m->state.filters[i].text &&
		    !m->state.filters[i].exclude) {
			rows_remove_filter(m, i);
			return;
		}
	if (m->nr)
		filter_by_cell(m, col, false);
}

/* ---- the map window */

/* The object of the row or frame at the cursor; false: it has none, or maybe several. */
static bool find_map(struct view_rows *v, struct table_place *ret)
{
	struct rows_model *m = rows_shown(v);
	const struct rows_line *l = rows_line_at_cursor(m);
	bool placed;

	if (!l || !v->in->symbols)
		return false;
	placed = m->table->ops->place(m->table, l->row, ret);
	return ret->map && (placed || rows_column_of(m->entries, TABLE_OBJECT) != TABLE_NO_COLUMN);
}

static void show_map(struct view_rows *v, struct tui *t)
{
	struct tui_symbols symbols;
	struct table_place place;

	if (!find_map(v, &place))
		return;
	v->in->symbols(v->in->ctx, &place, &symbols);
	tui_push(t, view_map_new(&symbols));
}

/* ---- menus */

static void choose(void *view, struct tui *t, int id)
{
	struct view_rows *v = view;
	struct rows_model *m = rows_shown(v);
	size_t arg = (size_t)id >> ACTION_BITS;

	switch ((enum action)(id & ((1 << ACTION_BITS) - 1))) {
	case DO_MAP: show_map(v, t); break;
	case DO_KEY: v->view.ops->key(&v->view, t, (int)arg); break;
	case DO_ONLY: filter_by_cell(m, arg, false); break;
	case DO_WITHOUT: filter_by_cell(m, arg, true); break;
	case DO_SORT:
		rows_step(m);
		/* the same column again: in the other direction */
		m->state.descending = m->state.sort_col == arg ? !m->state.descending : true;
		if (arg == m->table->ops->nr_columns(m->table)) {
			m->state.sort_col = TABLE_NO_COLUMN;
		} else {
			struct table_column c;

			m->table->ops->column(m->table, arg, &c);
			if (m->state.sort_col != arg)
				m->state.descending = c.number;
			m->state.sort_col = arg;
		}
		rows_apply(m);
		v->above = 0;
	}
}

static void add_key(struct menu_items *i, int key, const char *text)
{
	add(i, key, make_id(DO_KEY, (size_t)key), xstrdup(text));
}

/* What a menu says of the rows of one cell; where perf has words for it, these. */
static char *zoom_text(struct rows_model *m, size_t col, enum table_kind kind, const char *cell)
{
	switch (kind) {
	case TABLE_COMM:
	case TABLE_THREAD: return xasprintf("Zoom into %s thread", cell);
	case TABLE_OBJECT:
		if (is_kernel(cell))
			return xstrdup("Zoom into the Kernel DSO (k does so from any row)");
		return xasprintf("Zoom into %s DSO", cell);
	case TABLE_SOCKET: return xasprintf("Zoom into Processor Socket %s", cell);
	default: return xasprintf("Only rows of %s: %s", name_of(m, col), cell);
	}
}

/* What is known of the row at the cursor: all keys, or those of its level and the ones above. */
static void add_zooms(struct rows_model *m, struct menu_items *items)
{
	const struct table_ops *ops = m->entries->ops;
	table_row at = rows_entry_at_cursor(m), r = at;
	size_t last = ops->nr_columns(m->entries);

	if (m->table->entries && m->table->ops->named(m->table, at, &r, &last))
		last++;
	for (size_t i = 0; i < last; i++) {
		struct table_column c;
		char *cell;
		int key;

		ops->column(m->entries, i, &c);
		if (c.number)
			continue;
		key = c.kind == TABLE_OBJECT ? 'd' : c.kind == TABLE_COMM ? 't' : 0;
		cell = cell_text(m, r, i);
		if (rows_find_filter(m, i, ops->value(m->entries, r, i)) == m->state.nr_filters)
			add(items, key, make_id(DO_ONLY, i), zoom_text(m, i, c.kind, cell));
		add(items, 0, make_id(DO_WITHOUT, i),
		    xasprintf("Without rows of %s: %s", name_of(m, i), cell));
		free(cell);
	}
}

void view_rows_annotate(struct view_rows *v, struct tui *t)
{
	struct rows_model *m = rows_shown(v);
	const struct rows_line *l = rows_line_at_cursor(m);
	struct table_place place;
	struct tui_view *opened;
	struct perr e;

	if (!l || !v->in->annotate || !m->table->ops->place(m->table, l->row, &place)) {
		tui_warn(t, "the rows have no symbols: use -s symbol");
		return;
	}
	opened = v->in->annotate(v->in->ctx, v->event, &place, &e);
	if (opened)
		tui_push(t, opened);
	else
		tui_warn(t, "%s", e.text);
}

void view_rows_menu(struct view_rows *v, struct tui *t)
{
	struct rows_model *m = rows_shown(v);
	const struct rows_line *l = rows_line_at_cursor(m);
	struct menu_items items = { 0 };
	struct table_place place;

	if (l && v->in->annotate && m->table->ops->place(m->table, l->row, &place) &&
	    place.function)
		add(&items, 'a', make_id(DO_KEY, 'a'), xasprintf("Annotate %s", place.function));
	if (l && l->sign != ' ')
		add_key(&items, '+',
			l->sign == '+' ? "Open one level of the call tree"
				       : "Close this level of the call tree");
	if (l && m->table->ops->has_rows(m->table, m->state.cursor))
		add_key(&items, 'e', "Open or close the whole call tree");
	if (l)
		add_zooms(m, &items);
	if (find_map(v, &place))
		add(&items, 0, make_id(DO_MAP, 0), xstrdup("Browse map details"));
	if (m->state.nr_filters)
		add(&items, TKEY_ARROW_LEFT, make_id(DO_KEY, TKEY_ARROW_LEFT),
		    xasprintf("Undo the newest zoom (%s)",
			      m->state.filters[m->state.nr_filters - 1].words));
	add_key(&items, '/', "Show only symbols that contain a text");
	add_key(&items, 'f', "Show only rows that match an expression, or the others");
	add_key(&items, TKEY_CTRL('F'), "Find");
	add_key(&items, 'o', "Sort by a column");
	if (l)
		add_key(&items, 'b', "Callers and callees of the function");
	add_key(&items, 'g', "Flame graph");
	add_key(&items, 'T', "Threads by time");
	if (l)
		add_key(&items, 'y', "Copy the function's name");
	add_key(&items, 'w', "Write what is shown to a file");
	add_key(&items, 'i', "Header of the recording");
	add_key(&items, 'Q', "Quality of the recording");
	tui_push(t,
		 view_menu_new("What to do with the row", items.items, items.nr, false, choose, v));
}

void view_rows_sort_menu(struct view_rows *v, struct tui *t)
{
	struct rows_model *m = rows_shown(v);
	size_t nr = m->table->ops->nr_columns(m->table);
	struct menu_items items = { 0 };

	add(&items, 0, make_id(DO_SORT, nr), xstrdup("As at first"));
	for (size_t i = 0; i < nr; i++) {
		struct table_column c;

		m->table->ops->column(m->table, i, &c);
		add(&items, 0, make_id(DO_SORT, i),
		    c.event ? xasprintf("%s of event %zu", c.title, c.event) : xstrdup(c.title));
	}
	tui_push(t, view_menu_new("Sort by a column; the same one again: the other way round",
				  items.items, items.nr, false, choose, v));
}

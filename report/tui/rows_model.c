/* SPDX-License-Identifier: MIT */
#include "report/tui/rows_model.h"

#include "base/mem.h"
#include "report/tui/rows_match.h"

/* ---- states */

static struct rows_state copy_state(const struct rows_state *s)
{
	struct rows_state c = *s;

	c.filters = xcalloc(s->nr_filters + 1, sizeof(*c.filters));
	for (size_t i = 0; i < s->nr_filters; i++) {
		c.filters[i] = s->filters[i];
		c.filters[i].text = s->filters[i].text ? xstrdup(s->filters[i].text) : NULL;
		c.filters[i].words = xstrdup(s->filters[i].words);
	}
	c.flipped = xcalloc(s->nr_flipped + 1, sizeof(*c.flipped));
	if (s->nr_flipped)
		memcpy(c.flipped, s->flipped, s->nr_flipped * sizeof(*c.flipped));
	return c;
}

static void free_state(struct rows_state *s)
{
	for (size_t i = 0; i < s->nr_filters; i++) {
		free(s->filters[i].text);
		free(s->filters[i].words);
	}
	free(s->filters);
	free(s->flipped);
}

void rows_step(struct rows_model *m)
{
	while (m->nr_steps > m->at)
		free_state(&m->steps[--m->nr_steps]);
	vec_push(m->steps, m->nr_steps, m->cap_steps, copy_state(&m->state));
	m->at = m->nr_steps;
	m->keep = m->nr ? rows_line_at_cursor(m)->row : TABLE_TOP;
}

static void swap_state(struct rows_model *m, size_t at)
{
	struct rows_state s = m->steps[at];

	m->steps[at] = m->state;
	m->state = s;
	m->keep = TABLE_TOP; /* the state has its own cursor */
	rows_apply(m);
}

bool rows_undo(struct rows_model *m)
{
	if (!m->at)
		return false;
	swap_state(m, --m->at);
	return true;
}

bool rows_redo(struct rows_model *m)
{
	if (m->at == m->nr_steps)
		return false;
	swap_state(m, m->at++);
	return true;
}

/* ---- filters and order */

/* Numbers of cells that pass a filter, by column; a column without them lets none through. */
struct filter_hits {
	u8 **by_column;
	bool exclude;
};

static void hit_column(struct rows_model *m, struct filter_hits *h, const struct rows_filter *f,
		       const struct rows_match *match, size_t col)
{
	const struct rows_column *c = rows_cells_of(&m->cells, col);
	u64 bytes = 0;

	if (match) {
		h->by_column[col] = rows_match_cells(match, c);
		return;
	}
	h->by_column[col] = xcalloc(c->nr + 1, 1);
	for (const char *s = f->text; s && *s; s++)
		bytes |= (u8)*s < 0x80 ? rows_byte_bit(*s) : 0;
	for (size_t i = 0; i < c->nr; i++)
		h->by_column[col][i] =
			f->text ? !(bytes & ~c->bytes[i]) && strstr(rows_cell_text(c, i), f->text)
				: c->values[i] == f->value;
}

static struct filter_hits *hits_of_filters(struct rows_model *m)
{
	struct filter_hits *hits = xcalloc(m->state.nr_filters + 1, sizeof(*hits));

	for (size_t i = 0; i < m->state.nr_filters; i++) {
		const struct rows_filter *f = &m->state.filters[i];
		struct rows_match *match = NULL;
		struct perr e;

		hits[i].by_column = xcalloc(m->cells.nr_columns + 1, sizeof(u8 *));
		hits[i].exclude = f->exclude;
		if (f->matches && rows_match_new(f->text, &match, &e))
			BUG(); /* it has compiled before */
		for (size_t col = 0; col < m->cells.nr_columns; col++)
			if (f->matches ? !m->cells.columns[col].figure : col == f->col)
				hit_column(m, &hits[i], f, match, col);
		rows_match_free(match);
	}
	return hits;
}

static void free_hits(struct rows_model *m, struct filter_hits *hits)
{
	for (size_t i = 0; i < m->state.nr_filters; i++) {
		for (size_t col = 0; col < m->cells.nr_columns; col++)
			free(hits[i].by_column[col]);
		free(hits[i].by_column);
	}
	free(hits);
}

static bool passes(const struct rows_model *m, const struct filter_hits *hits, table_row r)
{
	for (size_t i = 0; i < m->state.nr_filters; i++) {
		bool hit = false;

		for (size_t col = 0; col < m->cells.nr_columns && !hit; col++)
			hit = hits[i].by_column[col] &&
			      hits[i].by_column[col][m->cells.columns[col].of[r]];
		if (hit == hits[i].exclude)
			return false;
	}
	return true;
}

/* The row that the cursor goes to: its own, else the next one in the old order, else one before. */
static table_row find_near(const struct rows_model *m, const table_row *old, size_t nr, size_t at)
{
	size_t i;

	for (i = at; i < nr; i++)
		if (m->place[old[i]])
			return old[i];
	for (i = at < nr ? at : nr; i; i--)
		if (m->place[old[i - 1]])
			return old[i - 1];
	return m->nr ? m->order[0] : 0;
}

/* Puts the cursor on the line of m->keep if the row at the cursor has it. */
static void find_kept(struct rows_model *m)
{
	const struct rows_lines *l = rows_lines_at(m, rows_cursor(m).at);

	for (size_t i = 0; i < l->nr; i++)
		if (l->lines[i].row == m->keep)
			m->state.line = (u32)i;
}

static void pick_rows(struct rows_model *m)
{
	struct filter_hits *hits = hits_of_filters(m);
	const struct table_ops *ops = m->table->ops;

	m->nr = 0;
	memset(m->place, 0, (m->max_row + 1) * sizeof(*m->place));
	for (size_t i = 0; i < m->nr_all; i++) {
		table_row r = ops->row(m->table, TABLE_TOP, i);

		if (passes(m, hits, r))
			m->order[m->nr++] = r;
	}
	free_hits(m, hits);
}

/* The table itself leaves out the rows of levels that have no entry left. */
static void pick_levels(struct rows_model *m)
{
	const struct table_ops *ops = m->table->ops;
	bool *passing = rows_passing(m);

	ops->pick(m->table, passing);
	free(passing);
	memset(m->place, 0, (m->max_row + 1) * sizeof(*m->place));
	m->nr = ops->nr_rows(m->table, TABLE_TOP);
	for (size_t i = 0; i < m->nr; i++)
		m->order[i] = ops->row(m->table, TABLE_TOP, i);
}

bool *rows_passing(struct rows_model *m)
{
	struct filter_hits *hits = hits_of_filters(m);
	bool *passing = m->state.nr_filters ? xcalloc(m->max_entry + 1, sizeof(*passing)) : NULL;

	for (size_t i = 0; passing && i < m->nr_entries; i++)
		passing[m->all[i]] = passes(m, hits, m->all[i]);
	free_hits(m, hits);
	return passing;
}

/* Where rows in the order of their shares begin to be below the limit. */
static size_t first_light(const struct rows_model *m)
{
	size_t low = 0, high = m->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (rows_is_light(m, m->order[mid]))
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

/*
 * Leaves out rows below the limit, of the shares that are shown now. Only the first time, without
 * filters, the table may not have sorted all rows yet.
 */
static void drop_light(struct rows_model *m)
{
	const struct table_ops *ops = m->table->ops;
	size_t nr = 0, nr_sorted = ops->nr_settled(m->table);
	const bool ordered = m->state.limit > 0 && ops->by_share && ops->by_share(m->table);

	if (ordered)
		m->nr = first_light(m);
	m->nr_settled = m->expected_to = 0;
	for (size_t i = 0; i < m->nr; i++) {
		table_row r = m->order[i];

		if (!ordered && rows_is_light(m, r))
			continue;
		m->order[nr++] = r;
		m->place[r] = (u32)nr;
		m->nr_settled += i < nr_sorted;
	}
	m->nr = nr;
}

static void sort_table(struct rows_model *m)
{
	const struct table_ops *ops = m->table->ops;
	size_t col = m->state.sort_col;

	if (m->sorted_by == col && m->sorted_descending == m->state.descending)
		return;
	(void)ops->sort(m->table, TABLE_NO_COLUMN, false);
	if (col != TABLE_NO_COLUMN)
		(void)ops->sort(m->table, col, m->state.descending);
	m->sorted_by = col;
	m->sorted_descending = m->state.descending;
}

void rows_apply(struct rows_model *m)
{
	const struct table_ops *ops = m->table->ops;
	table_row *old = m->order, near;
	size_t nr, at;

	if (old)
		rows_settle(m);
	nr = m->nr;
	at = nr ? (m->place[m->state.cursor] ? m->place[m->state.cursor] - 1 : 0) : 0;

	m->order = xcalloc(m->nr_all + 1, sizeof(*m->order));
	sort_table(m);
	ops->whole(m->table, NULL, 0);
	if (ops->limit)
		ops->limit(m->table, m->state.tree_limit);
	if (m->table->entries)
		pick_levels(m);
	else
		pick_rows(m);
	if (m->state.relative)
		ops->whole(m->table, m->order, m->nr);
	drop_light(m);
	m->changes++;
	rows_forget_walk(m);
	near = m->nr && m->place[m->state.cursor] ? m->state.cursor : find_near(m, old, nr, at);
	if (near != m->state.cursor)
		m->state.line = 0;
	m->state.cursor = near;
	rows_set_cursor(m, rows_cursor(m));
	if (m->nr && m->keep != TABLE_TOP)
		find_kept(m);
	free(old);
	if (m->pattern) {
		struct perr e;
		char *pattern = m->pattern;

		m->pattern = NULL;
		if (rows_search(m, pattern, &e))
			BUG(); /* it has compiled before */
		free(pattern);
	}
}

void rows_add_filter(struct rows_model *m, const struct rows_filter *f)
{
	struct rows_state *s = &m->state;
	struct rows_filter copy = *f;

	rows_step(m);
	copy.text = f->text ? xstrdup(f->text) : NULL;
	copy.words = xstrdup(f->words);
	s->filters = xrealloc(s->filters, (s->nr_filters + 1) * sizeof(*s->filters));
	s->filters[s->nr_filters++] = copy;
	rows_apply(m);
}

void rows_replace_filter(struct rows_model *m, size_t i, const struct rows_filter *f)
{
	struct rows_filter *old = &m->state.filters[i];

	rows_step(m);
	free(old->text);
	free(old->words);
	*old = *f;
	old->text = f->text ? xstrdup(f->text) : NULL;
	old->words = xstrdup(f->words);
	rows_apply(m);
}

void rows_cancel_step(struct rows_model *m)
{
	if (rows_undo(m))
		free_state(&m->steps[--m->nr_steps]);
}

bool rows_go_on(struct rows_model *m)
{
	if (m->nr_settled < m->nr) {
		if (!m->table->ops->settle(m->table))
			rows_settle(m);
		return true;
	}
	return rows_cells_go_on(&m->cells);
}

void rows_remove_filter(struct rows_model *m, size_t i)
{
	struct rows_state *s = &m->state;

	rows_step(m);
	free(s->filters[i].text);
	free(s->filters[i].words);
	s->nr_filters--;
	memmove(s->filters + i, s->filters + i + 1, (s->nr_filters - i) * sizeof(*s->filters));
	rows_apply(m);
}

bool rows_drop_filter(struct rows_model *m)
{
	if (!m->state.nr_filters)
		return false;
	rows_remove_filter(m, m->state.nr_filters - 1);
	return true;
}

size_t rows_find_filter(const struct rows_model *m, size_t col, u64 value)
{
	size_t i = 0;

	while (i < m->state.nr_filters &&
	       (m->state.filters[i].text || m->state.filters[i].exclude ||
		m->state.filters[i].col != col || m->state.filters[i].value != value))
		i++;
	return i;
}

size_t rows_column_of(const struct table *t, enum table_kind kind)
{
	for (size_t i = 0; i < t->ops->nr_columns(t); i++) {
		struct table_column c;

		t->ops->column(t, i, &c);
		if (c.kind == kind)
			return i;
	}
	return TABLE_NO_COLUMN;
}

/* ---- */

static size_t max_top_row(struct table *t, size_t nr)
{
	size_t max = 0;

	for (size_t i = 0; i < nr; i++) {
		table_row r = t->ops->row(t, TABLE_TOP, i);

		max = r > max ? r : max;
	}
	return max;
}

static void list_all(struct rows_model *m)
{
	struct table *t = m->entries;
	bool *is_top;
	size_t nr = 0, i;

	m->nr_entries = t->ops->nr_rows(t, TABLE_TOP);
	m->max_entry = max_top_row(t, m->nr_entries);
	m->all = xcalloc(m->nr_entries + 1, sizeof(*m->all));
	is_top = xcalloc(m->max_entry + 1, sizeof(*is_top));
	for (i = 0; i < m->nr_entries; i++)
		is_top[t->ops->row(t, TABLE_TOP, i)] = true;
	for (i = 0; i <= m->max_entry; i++)
		if (is_top[i])
			m->all[nr++] = (table_row)i;
	free(is_top);
}

void rows_model_init(struct rows_model *m, struct table *table, double limit)
{
	*m = (struct rows_model){ .table = table,
				  .entries = table->entries ? table->entries : table,
				  .sorted_by = TABLE_NO_COLUMN,
				  .keep = TABLE_TOP };
	(void)table->ops->sort(table, TABLE_NO_COLUMN, false);
	if (table->entries)
		table->ops->pick(table, NULL);
	m->nr_all = table->ops->nr_rows(table, TABLE_TOP);
	m->max_row = max_top_row(table, m->nr_all);
	m->place = xcalloc(m->max_row + 1, sizeof(*m->place));
	list_all(m);
	rows_cells_init(&m->cells, m->entries, m->all, m->nr_entries, m->max_entry);
	m->state = (struct rows_state){ .limit = limit,
					.tree_limit = -1,
					.sort_col = TABLE_NO_COLUMN };
	if (m->nr_all)
		m->state.cursor = table->ops->row(table, TABLE_TOP, 0);
	rows_apply(m);
}

void rows_model_fini(struct rows_model *m)
{
	free_state(&m->state);
	while (m->nr_steps)
		free_state(&m->steps[--m->nr_steps]);
	free(m->steps);
	free(m->order);
	free(m->place);
	free(m->all);
	rows_cells_fini(&m->cells);
	for (size_t i = 0; i < ROWS_CACHED; i++)
		free(m->cache[i].lines);
	rows_forget_walk(m);
	free(m->pattern);
	free(m->found);
}

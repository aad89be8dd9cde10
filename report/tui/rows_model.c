/* SPDX-License-Identifier: MIT */
#include "report/tui/rows_model.h"

#include "base/mem.h"

#define MEMO_MAX ((u64)1 << 24) /* values of a column whose result of a filter is remembered */

/* Whether cells contain a text, remembered by their values. */
struct memo {
	u8 *known; /* by value: 1 no, 2 yes */
	size_t cap;
};

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
}

static void swap_state(struct rows_model *m, size_t at)
{
	struct rows_state s = m->steps[at];

	m->steps[at] = m->state;
	m->state = s;
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

static bool cell_contains(struct rows_model *m, table_row r, size_t col, const char *text)
{
	enum table_tone tone;
	struct out o;
	bool found;

	out_init_mem(&o);
	m->table->ops->cell(m->table, r, col, &o, &tone);
	found = o.len && memmem(o.buf, o.len, text, strlen(text));
	out_fini(&o);
	return found;
}

static bool remembers(struct rows_model *m, struct memo *memo, table_row r,
		      const struct rows_filter *f)
{
	u64 value = m->table->ops->value(m->table, r, f->col);

	if (value >= MEMO_MAX)
		return cell_contains(m, r, f->col, f->text);
	if (value >= memo->cap) {
		size_t cap = memo->cap;

		vec_reserve(memo->known, memo->cap, value + 1);
		memset(memo->known + cap, 0, memo->cap - cap);
	}
	if (!memo->known[value])
		memo->known[value] = cell_contains(m, r, f->col, f->text) ? 2 : 1;
	return memo->known[value] == 2;
}

static bool passes(struct rows_model *m, struct memo *memos, table_row r)
{
	for (size_t i = 0; i < m->state.nr_filters; i++) {
		const struct rows_filter *f = &m->state.filters[i];
		bool hit = f->text ? remembers(m, &memos[i], r, f)
				   : m->table->ops->value(m->table, r, f->col) == f->value;

		if (hit == f->exclude)
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

static void pick_rows(struct rows_model *m)
{
	struct memo *memos = xcalloc(m->state.nr_filters + 1, sizeof(*memos));
	const struct table_ops *ops = m->table->ops;

	m->nr = 0;
	memset(m->place, 0, (m->max_row + 1) * sizeof(*m->place));
	for (size_t i = 0; i < m->nr_all; i++) {
		table_row r = ops->row(m->table, TABLE_TOP, i);

		if (passes(m, memos, r))
			m->order[m->nr++] = r;
	}
	for (size_t i = 0; i < m->state.nr_filters; i++)
		free(memos[i].known);
	free(memos);
}

bool *rows_passing(struct rows_model *m)
{
	struct memo *memos = xcalloc(m->state.nr_filters + 1, sizeof(*memos));
	bool *passing = m->state.nr_filters ? xcalloc(m->max_row + 1, sizeof(*passing)) : NULL;

	for (size_t i = 0; passing && i < m->nr_all; i++) {
		table_row r = m->table->ops->row(m->table, TABLE_TOP, i);

		passing[r] = passes(m, memos, r);
	}
	for (size_t i = 0; i < m->state.nr_filters; i++)
		free(memos[i].known);
	free(memos);
	return passing;
}

/* Leaves out rows below the limit, of the shares that are shown now. */
static void drop_light(struct rows_model *m)
{
	size_t nr = 0;

	for (size_t i = 0; i < m->nr; i++) {
		table_row r = m->order[i];

		if (m->state.limit > 0 && m->table->ops->share(m->table, r) * 100 < m->state.limit)
			continue;
		m->order[nr++] = r;
		m->place[r] = (u32)nr;
	}
	m->nr = nr;
}

void rows_apply(struct rows_model *m)
{
	const struct table_ops *ops = m->table->ops;
	table_row *old = m->order, near;
	size_t nr = m->nr,
	       at = nr ? (m->place[m->state.cursor] ? m->place[m->state.cursor] - 1 : 0) : 0;

	m->order = xcalloc(m->nr_all + 1, sizeof(*m->order));
	(void)ops->sort(m->table, TABLE_NO_COLUMN, false);
	if (m->state.sort_col != TABLE_NO_COLUMN)
		(void)ops->sort(m->table, m->state.sort_col, m->state.descending);
	ops->whole(m->table, NULL, 0);
	pick_rows(m);
	if (m->state.relative)
		ops->whole(m->table, m->order, m->nr);
	drop_light(m);
	m->changes++;
	near = m->nr && m->place[m->state.cursor] ? m->state.cursor : find_near(m, old, nr, at);
	if (near != m->state.cursor)
		m->state.line = 0;
	m->state.cursor = near;
	rows_set_cursor(m, rows_cursor(m));
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

void rows_model_init(struct rows_model *m, struct table *table, double limit)
{
	*m = (struct rows_model){ .table = table };
	(void)table->ops->sort(table, TABLE_NO_COLUMN, false);
	m->nr_all = table->ops->nr_rows(table, TABLE_TOP);
	for (size_t i = 0; i < m->nr_all; i++) {
		table_row r = table->ops->row(table, TABLE_TOP, i);

		m->max_row = r > m->max_row ? r : m->max_row;
	}
	m->place = xcalloc(m->max_row + 1, sizeof(*m->place));
	m->state = (struct rows_state){ .limit = limit, .sort_col = TABLE_NO_COLUMN };
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
	for (size_t i = 0; i < ROWS_CACHED; i++)
		free(m->cache[i].lines);
	free(m->pattern);
	free(m->found);
}

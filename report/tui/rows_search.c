/* SPDX-License-Identifier: MIT */
/* Search in the rows of a table: all other rows stay. */
#include "base/mem.h"
#include "report/tui/rows_match.h"
#include "report/tui/rows_model.h"

/* ---- rows of levels, as if all were open */

void rows_forget_walk(struct rows_model *m)
{
	free(m->walk.rows);
	free(m->walk.above);
	free(m->walk.at);
	m->walk = (struct rows_walk){ 0 };
}

/* Rows below a row that are still to be listed. */
struct below {
	table_row parent;
	size_t next, nr;
};

static void add_to_walk(struct rows_walk *w, table_row r, table_row above)
{
	size_t at = w->nr;

	vec_push(w->above, at, w->cap_above, above);
	vec_push(w->rows, w->nr, w->cap, r);
	w->nr_at = r >= w->nr_at ? r + (size_t)1 : w->nr_at;
}

static void list_below(struct rows_model *m, table_row top)
{
	const struct table_ops *ops = m->table->ops;
	struct below *todo = NULL;
	size_t nr = 0, cap = 0;

	add_to_walk(&m->walk, top, TABLE_TOP);
	vec_push(todo, nr, cap, ((struct below){ top, 0, ops->nr_rows(m->table, top) }));
	while (nr) {
		struct below *b = &todo[nr - 1];
		table_row parent = b->parent, r;

		if (b->next == b->nr) {
			nr--;
			continue;
		}
		r = ops->row(m->table, parent, b->next++);
		if (!ops->is_entry(m->table, r)) {
			nr--; /* frames of a call tree */
			continue;
		}
		if (rows_is_light(m, r))
			continue;
		add_to_walk(&m->walk, r, parent);
		vec_push(todo, nr, cap, ((struct below){ r, 0, ops->nr_rows(m->table, r) }));
	}
	free(todo);
}

static void list_walk(struct rows_model *m)
{
	struct rows_walk *w = &m->walk;

	if (w->rows)
		return;
	for (size_t i = 0; i < m->nr; i++)
		list_below(m, m->order[i]);
	w->at = xcalloc(w->nr_at + 1, sizeof(*w->at));
	for (size_t i = 0; i < w->nr; i++)
		w->at[w->rows[i]] = (u32)i + 1;
}

/* ---- the rows that are searched: top rows, or those of all levels */

static bool has_levels(const struct rows_model *m)
{
	return m->table->entries;
}

size_t rows_nr_searched(const struct rows_model *m)
{
	return has_levels(m) ? m->walk.nr : m->nr;
}

size_t rows_searched_index(const struct rows_model *m, table_row r)
{
	u32 at;

	if (!has_levels(m))
		at = r <= m->max_row ? m->place[r] : 0;
	else
		at = r < m->walk.nr_at ? m->walk.at[r] : 0;
	return at ? at - 1 : SIZE_MAX;
}

bool rows_is_found_at(const struct rows_model *m, size_t i)
{
	return m->found && i != SIZE_MAX && m->found[i / 64] >> (i & 63) & 1;
}

static void find_in_column(struct rows_model *m, const struct rows_match *match, size_t col)
{
	const struct rows_column *c = rows_cells_of(&m->cells, col);
	u8 *hits = rows_match_cells(match, c);

	for (size_t i = 0; i < rows_nr_searched(m); i++) {
		table_row r = has_levels(m) ? m->walk.rows[i] : m->order[i];
		size_t named = col;

		if (!has_levels(m) ||
		    (m->table->ops->named(m->table, r, &r, &named) && named == col))
			m->found[i / 64] |= (u64)hits[c->of[r]] << (i & 63);
	}
	free(hits);
}

/* True if the samples of a row are also those of a row above it that was found. */
static bool is_below_found(const struct rows_model *m, size_t i)
{
	while (has_levels(m) && m->walk.above[i] != TABLE_TOP) {
		i = rows_searched_index(m, m->walk.above[i]);
		if (rows_is_found_at(m, i))
			return true;
	}
	return false;
}

static void find_all(struct rows_model *m, const struct rows_match *match)
{
	if (has_levels(m))
		list_walk(m);
	m->found = xcalloc(rows_nr_searched(m) / 64 + 1, sizeof(*m->found));
	for (size_t col = 0; col < m->cells.nr_columns; col++)
		if (!m->cells.columns[col].figure)
			find_in_column(m, match, col);
	for (size_t i = 0; i < rows_nr_searched(m); i++) {
		if (!rows_is_found_at(m, i))
			continue;
		m->nr_found++;
		if (!is_below_found(m, i))
			m->found_own += m->table->ops->own(m->table, has_levels(m) ? m->walk.rows[i]
										   : m->order[i]);
	}
}

int rows_search(struct rows_model *m, const char *pattern, struct perr *e)
{
	struct rows_match *match = NULL;
	int err = pattern ? rows_match_new(pattern, &match, e) : 0;

	if (err)
		return err;
	free(m->pattern);
	free(m->found);
	m->pattern = pattern ? xstrdup(pattern) : NULL;
	m->found = NULL;
	m->nr_found = 0;
	m->found_own = 0;
	if (pattern) {
		rows_settle(m); /* what is found is known by index */
		find_all(m, match);
	}
	rows_match_free(match);
	return 0;
}

bool rows_is_found(const struct rows_model *m, const struct rows_line *l)
{
	return m->found && rows_is_found_at(m, rows_searched_index(m, l->row));
}

size_t rows_number_found_at(const struct rows_model *m, size_t i)
{
	size_t number = 0, word;

	for (word = 0; word < i / 64; word++)
		number += (size_t)__builtin_popcountll(m->found[word]);
	return number + (size_t)__builtin_popcountll(m->found[word] << (63 - (i & 63)));
}

size_t rows_number_of_found(const struct rows_model *m, const struct rows_line *l)
{
	size_t i = rows_searched_index(m, l->row);

	return m->found && i != SIZE_MAX ? rows_number_found_at(m, i) : 0;
}

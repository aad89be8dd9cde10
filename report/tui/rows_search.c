/* SPDX-License-Identifier: MIT */
/* Search in the rows of a table: all other rows stay. */
#include "base/mem.h"
#include "report/tui/rows_model.h"

static void find_all(struct rows_model *m, const struct rows_match *match)
{
	m->found = xcalloc(m->nr / 64 + 1, sizeof(*m->found));
	for (size_t col = 0; col < m->cells.nr_columns; col++) {
		const struct rows_column *c;
		u8 *hits;

		if (m->cells.columns[col].figure)
			continue;
		c = rows_cells_of(&m->cells, col);
		hits = rows_match_cells(match, c);
		for (size_t i = 0; i < m->nr; i++)
			m->found[i / 64] |= (u64)hits[c->of[m->order[i]]] << (i & 63);
		free(hits);
	}
	for (size_t i = 0; i < m->nr; i++) {
		if (!rows_is_found(m, i))
			continue;
		m->nr_found++;
		m->found_own += m->table->ops->own(m->table, m->order[i]);
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
	if (pattern)
		find_all(m, match);
	rows_match_free(match);
	return 0;
}

bool rows_is_found(const struct rows_model *m, size_t i)
{
	return m->found && m->found[i / 64] >> (i & 63) & 1;
}

size_t rows_number_of_found(const struct rows_model *m, size_t i)
{
	size_t number = 0, word;

	for (word = 0; word < i / 64; word++)
		number += (size_t)__builtin_popcountll(m->found[word]);
	return number + (size_t)__builtin_popcountll(m->found[word] << (63 - (i & 63)));
}

size_t rows_find(struct rows_model *m, int direction)
{
	size_t at = rows_cursor(m).at, i;

	if (!m->nr_found)
		return 0;
	for (i = 0; i < m->nr; i++) {
		at = direction > 0 ? (at + 1) % m->nr : (at + m->nr - 1) % m->nr;
		if (rows_is_found(m, at))
			break;
	}
	rows_set_cursor(m, (struct rows_pos){ at, 0 });
	return rows_number_of_found(m, at);
}

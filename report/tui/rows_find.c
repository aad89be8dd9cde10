/* SPDX-License-Identifier: MIT */
/* The cursor on the rows that a search found. */
#include "report/tui/rows_model.h"

/* Opens the rows above a row of a level and puts the cursor on it. */
static void show_row(struct rows_model *m, size_t i, bool *ret_opened)
{
	table_row r = m->walk.rows[i], top = r, above;
	const struct rows_lines *l;

	*ret_opened = false;
	while ((above = m->walk.above[rows_searched_index(m, top)]) != TABLE_TOP) {
		if (!rows_is_open(&m->state, above)) {
			if (!*ret_opened)
				rows_step(m);
			*ret_opened = true;
			rows_set_open(&m->state, above, true);
		}
		top = above;
	}
	m->changes += *ret_opened;
	i = m->place[top] - 1;
	l = rows_lines_at(m, i);
	for (u32 line = 0; line < l->nr; line++)
		if (l->lines[line].row == r) {
			rows_set_cursor(m, (struct rows_pos){ i, line });
			return;
		}
}

size_t rows_find(struct rows_model *m, int direction, bool *ret_opened)
{
	size_t nr = rows_nr_searched(m), at, i;
	bool opened = false;

	if (ret_opened)
		*ret_opened = false;
	if (!m->nr_found)
		return 0;
	at = rows_searched_index(m, rows_entry_at_cursor(m));
	if (at == SIZE_MAX)
		at = 0;
	for (i = 0; i < nr; i++) {
		at = direction > 0 ? (at + 1) % nr : (at + nr - 1) % nr;
		if (rows_is_found_at(m, at))
			break;
	}
	if (m->table->entries)
		show_row(m, at, &opened);
	else
		rows_set_cursor(m, (struct rows_pos){ at, 0 });
	if (ret_opened)
		*ret_opened = opened;
	return rows_number_found_at(m, at);
}

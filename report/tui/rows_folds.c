/* SPDX-License-Identifier: MIT */
/* Steps that open and close call trees in the view of rows. */
#include "base/mem.h"
#include "report/tui/rows_model.h"

void rows_toggle(struct rows_model *m)
{
	const struct rows_line *l = rows_line_at_cursor(m);

	if (!l || l->sign == ' ')
		return;
	rows_step(m);
	rows_set_open(&m->state, l->row, l->sign == '+');
	m->changes++;
	rows_set_cursor(m, rows_cursor(m));
}

/* Opens or closes everything below a top row. */
static void set_tree(struct rows_model *m, table_row top, bool open)
{
	const struct table_ops *ops = m->table->ops;
	table_row *todo = NULL, r;
	size_t nr = 0, cap = 0;

	vec_push(todo, nr, cap, top);
	while (nr) {
		r = todo[--nr];
		rows_set_open(&m->state, r, open);
		for (size_t i = 0; i < ops->nr_rows(m->table, r); i++)
			vec_push(todo, nr, cap, ops->row(m->table, r, i));
	}
	free(todo);
}

void rows_toggle_whole(struct rows_model *m, bool only_close)
{
	bool open;

	if (!m->nr || !m->table->ops->has_rows(m->table, m->state.cursor))
		return;
	open = rows_is_open(&m->state, m->state.cursor);
	if (only_close && !open)
		return;
	rows_step(m);
	set_tree(m, m->state.cursor, !open);
	m->changes++;
	rows_set_cursor(m, rows_cursor(m));
}

void rows_open_all(struct rows_model *m, bool open)
{
	rows_step(m);
	m->state.all_open = open;
	m->state.nr_flipped = 0;
	m->changes++;
	rows_set_cursor(m, rows_cursor(m));
}

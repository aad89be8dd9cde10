/* SPDX-License-Identifier: MIT */
/* Rows of one table shown as those of another one are. */
#include "base/mem.h"
#include "report/tui/rows_model.h"

static char *cell_text(struct table *t, table_row r, size_t col)
{
	enum table_tone tone;
	struct out o;
	char *text;

	out_init_mem(&o);
	t->ops->cell(t, r, col, &o, &tone);
	text = xstrndup(o.len ? o.buf : "", o.len);
	out_fini(&o);
	return text;
}

/* The cell that a filter by value stands for; NULL: no row has it. */
static char *text_of_value(const struct rows_model *m, size_t col, u64 value)
{
	for (size_t i = 0; i < m->nr_entries; i++)
		if (m->entries->ops->value(m->entries, m->all[i], col) == value)
			return cell_text(m->entries, m->all[i], col);
	return NULL;
}

/* The value of a cell with this text. False: no row has it. */
static bool value_of_text(const struct rows_model *m, size_t col, const char *text, u64 *ret)
{
	for (size_t i = 0; i < m->nr_entries; i++) {
		char *cell = cell_text(m->entries, m->all[i], col);
		bool equal = !strcmp(cell, text);

		free(cell);
		*ret = m->entries->ops->value(m->entries, m->all[i], col);
		if (equal)
			return true;
	}
	return false;
}

static void take_filter(struct rows_model *m, const struct rows_model *from,
			const struct rows_filter *f)
{
	struct rows_filter copy = *f;

	if (!f->text) {
		char *text = text_of_value(from, f->col, f->value);

		/* a value that no row has: nothing passes, or all do */
		if (!text || !value_of_text(m, f->col, text, &copy.value))
			copy.value = UINT64_MAX;
		free(text);
	}
	rows_add_filter(m, &copy);
}

void rows_take_over(struct rows_model *m, const struct rows_model *from)
{
	const struct rows_state *s = &from->state;

	if (m->table->ops->nr_columns(m->table) != from->table->ops->nr_columns(from->table) ||
	    m->entries->ops->nr_columns(m->entries) !=
		    from->entries->ops->nr_columns(from->entries))
		return;
	for (size_t i = 0; i < s->nr_filters; i++)
		take_filter(m, from, &s->filters[i]);
	m->state.limit = s->limit;
	m->state.tree_limit = s->tree_limit;
	m->state.sort_col = s->sort_col;
	m->state.descending = s->descending;
	m->state.relative = s->relative;
	m->state.objects = s->objects;
	rows_apply(m);
}

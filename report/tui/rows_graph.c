/* SPDX-License-Identifier: MIT */
/* From the rows to graphs of their samples. */
#include "base/mem.h"
#include "report/tui/graph/graph_views.h"
#include "report/tui/view_rows.h"

/* What filters say, for the title of a graph. */
static char *filter_words(const struct rows_model *m)
{
	struct out o;
	char *words;

	out_init_mem(&o);
	for (size_t i = 0; i < m->state.nr_filters; i++) {
		const struct rows_filter *f = &m->state.filters[i];

		out_printf(&o, ", %s%s", f->exclude ? "without " : "", f->words);
	}
	words = xstrndup(o.len ? o.buf : "", o.len);
	out_fini(&o);
	return words;
}

void view_rows_show_flame(struct view_rows *v, struct tui *t)
{
	struct rows_model *m = rows_shown(v);
	const struct rows_line *l = rows_line_at_cursor(m);
	struct table_place place = { 0 };
	bool *shown = rows_passing(m);
	char *words = filter_words(m);
	struct tui_view *flame;

	if (l && !m->table->ops->place(m->table, l->row, &place))
		place.function = NULL;
	flame = flame_view_new(v->in, v->event, shown, words, &place);
	if (flame)
		tui_push(t, flame);
	else
		tui_warn(t, shown ? "no sample was taken in the rows that are shown"
				  : "there are no stacks for a flame graph");
	free(words);
	free(shown);
}

/* SPDX-License-Identifier: MIT */
/* From the rows to other views of their samples. */
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

/* Shows the samples that filters let through. */
static void show_flame(struct view_rows *v, struct tui *t)
{
	struct rows_model *m = rows_shown(v);
	const struct rows_line *l = rows_line_at_cursor(m);
	struct table_place place = { 0 };
	bool *shown = rows_passing(m);
	char *words = filter_words(m);
	struct tui_view *flame;

	if (l && !m->table->ops->place(m->table, l->row, &place))
		place.function = NULL;
	flame = flame_view_new(v->in, v->event, shown, words, &place, &v->view);
	if (flame)
		tui_push(t, flame);
	else
		tui_warn(t, shown ? "no sample was taken in the rows that are shown"
				  : "there are no stacks for a flame graph");
	free(words);
	free(shown);
}

/* The function at the cursor, a row or a frame of its call tree. */
static void show_callers(struct view_rows *v, struct tui *t)
{
	struct rows_model *m = rows_shown(v);
	const struct rows_line *l = rows_line_at_cursor(m);
	struct table_place place;
	struct out o;

	if (!l || !v->in->callers || !m->table->trees) {
		tui_warn(t, "there are no call chains to tell callers from");
		return;
	}
	if (!m->table->ops->place(m->table, l->row, &place) || !place.function) {
		tui_warn(t, "no function is known here");
		return;
	}
	tui_out(t, &o); /* a line end in a name ends no line */
	v->in->callers(v->in->ctx, v->event, &place, &o);
	tui_push(t, view_text_new("Callers and callees", &o));
}

bool view_rows_graph_key(struct view_rows *v, struct tui *t, int key)
{
	switch (key) {
	case 'b': show_callers(v, t); break;
	case 'g': show_flame(v, t); break;
	case 'T': time_view_open(v->in, v->event, &v->view, t); break;
	default: return false;
	}
	return true;
}

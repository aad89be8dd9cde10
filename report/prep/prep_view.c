/* SPDX-License-Identifier: MIT */
/* The tables of a report on the terminal: what report/tui shows of it. */
#include "base/mem.h"
#include "count/counts.h"
#include "machine/mapset.h"
#include "report/prep/prep_annotate.h"
#include "report/charts/count_lanes.h"
#include "report/charts/hist_flame.h"
#include "report/prep/prep_callers.h"
#include "report/prep/prep_report_priv.h"
#include "report/tui/tui_start.h"
#include "report/table/hist_table.h"
#include "report/table/level_table.h"
#include "report/text/header_text.h"
#include "report/tui/screen_curses.h"
#include "report/tui/screen_mem.h"
#include "report/tui/tui_tables.h"
#include "symbols/symbols.h"

/* One event, or the events that share a table. */
struct viewed_table {
	u32 *events;
	size_t nr_events;
	struct hist hist;
	struct table *table; /* NULL: it was not asked for yet */
};

struct report_view {
	struct tui_tables shown;
	struct report *r;
	struct event_tables choice;
	struct viewed_table *tables;
	size_t nr, cap;
	struct prep_annotate *annotate;
};

static void find_tables(struct report_view *v)
{
	struct viewed_table t = { 0 };

	for (size_t i = 0; i < v->r->pd->nr_events; i++) {
		t.events = xcalloc(v->r->pd->nr_events + 1, sizeof(*t.events));
		t.nr_events = event_table(&v->choice, i, t.events);
		if (t.nr_events)
			vec_push(v->tables, v->nr, v->cap, t);
		else
			free(t.events);
	}
}

static struct viewed_table *made_table(struct report_view *v, size_t i)
{
	struct viewed_table *t = &v->tables[i];

	if (!t->table) {
		report_list_hist(v->r, &t->hist, t->events, t->nr_events);
		if (v->r->opt->table.hierarchy)
			t->table = level_table_new(&t->hist, v->r->tree, report_nr_threads(v->r));
		if (!t->table)
			t->table =
				hist_table_new_early(&t->hist, v->r->tree, report_nr_threads(v->r));
		t->table->trees |= v->r->room_for_signs;
	}
	return t;
}

static struct table *view_table(void *view, size_t i)
{
	return made_table(view, i)->table;
}

static void view_name(void *view, size_t i, struct out *o)
{
	struct report_view *v = view;

	event_table_put_name(&v->choice, v->tables[i].events, v->tables[i].nr_events, o);
}

static void view_title(void *view, size_t i, struct out *o)
{
	struct report_view *v = view;

	report_put_event(v->r, &v->choice, &made_table(v, i)->hist, ", ", o);
}

static u64 view_samples(void *view, size_t i)
{
	struct report_view *v = view;
	u64 sum = 0;

	for (size_t n = 0; n < v->tables[i].nr_events; n++)
		if (v->tables[i].events[n] < v->r->counts->nr_events)
			sum += v->r->counts->events[v->tables[i].events[n]].samples;
	return sum;
}

static void view_callers(void *view, size_t i, const struct table_place *place, struct out *o)
{
	prep_put_callers(&made_table(view, i)->hist, place->function, place->object, o);
}

static bool view_flame(void *view, size_t i, const bool *shown, struct flame *ret)
{
	struct viewed_table *t = made_table(view, i);

	return hist_flame(&t->hist, shown, ret);
}

static struct tui_view *view_annotate(void *view, size_t i, const struct table_place *place,
				      struct perr *e)
{
	struct report_view *v = view;
	struct tui_view *opened;
	struct out name;

	out_init_mem(&name);
	view_name(view, i, &name);
	out_char(&name, '\0');
	if (!v->annotate)
		v->annotate = prep_annotate_new(v->r);
	opened = prep_annotate_open(v->annotate, v->tables[i].events, v->tables[i].nr_events,
				    name.buf, place, e);
	out_fini(&name);
	return opened;
}

/* The symbols of an object, for the map window. */
struct object_symbols {
	struct dso *dso;
	struct sym_listed *list;
};

static void get_symbol(void *of, size_t i, struct tui_symbol *ret)
{
	/* perf has no letter for other ones */
	static const char bindings[] = {
		[SYM_LOCAL] = 'l', [SYM_GLOBAL] = 'g', [SYM_WEAK] = 'w', [SYM_OTHER] = 'w'
	};
	const struct object_symbols *o = of;
	const struct sym_listed *s = &o->list[i];

	*ret = (struct tui_symbol){ s->start, s->end, bindings[s->binding],
				    dso_listed_name(o->dso, s->id) };
}

static void free_symbols(void *of)
{
	struct object_symbols *o = of;

	free(o->list);
	free(o);
}

static void view_symbols(void *view, const struct table_place *place, struct tui_symbols *ret)
{
	struct object_symbols *o = xcalloc(1, sizeof(*o));

	(void)view;
	o->dso = place->map->dso;
	*ret = (struct tui_symbols){
		.object = place->object, .get = get_symbol, .free = free_symbols, .of = o
	};
	ret->nr = dso_list_symbols(o->dso, &o->list);
	for (size_t i = 0; i < ret->nr; i++)
		ret->highest = o->list[i].end > ret->highest ? o->list[i].end : ret->highest;
}

static int view_lanes(void *view, size_t i, struct time_lanes *ret, struct perr *e)
{
	struct report_view *v = view;
	const struct viewed_table *t = &v->tables[i];
	struct counts *c;
	int err = report_count_times(v->r, &c, e);

	if (err)
		return err;
	if (!count_lanes(c, v->r->session, t->events, t->nr_events, ret))
		err = perr_set(e, PERR_NOTFOUND, "no sample has a time");
	counts_free(c);
	return err;
}

static void view_header(void *view, struct out *o)
{
	struct report_view *v = view;

	header_text_print(o, v->r->pd, true);
	if (v->r->pd->kind == PD_PIPE)
		header_text_print_features(o, v->r->pd, true);
}

static void view_quality(void *view, struct out *o)
{
	struct report_view *v = view;

	if (*v->r->verdict)
		verdict_print_text(o, v->r->rc->prog, *v->r->verdict, false);
	else
		out_str(o, "No verdict was made: --no-quality or -q is given.\n");
}

static void view_fini(struct report_view *v)
{
	for (size_t i = 0; i < v->nr; i++) {
		if (v->tables[i].table) {
			v->tables[i].table->ops->free(v->tables[i].table);
			hist_fini(&v->tables[i].hist);
		}
		free(v->tables[i].events);
	}
	free(v->tables);
	prep_annotate_free(v->annotate);
}

static struct tui_tables *view_part(void *view, u64 from, u64 to, struct perr *e);

static void view_free_part(struct tui_tables *shown)
{
	struct report_view *v = shown->ctx;

	view_fini(v);
	report_free_part(v->r);
	free(v);
}

/* v is at an address of its own from now on. */
static void view_init(struct report_view *v, struct report *r)
{
	*v = (struct report_view){ .r = r, .choice = report_event_tables(r) };
	find_tables(v);
	v->shown = (struct tui_tables){ .ctx = v,
					.nr = v->nr,
					.limit = r->opt->percent_limit,
					.name = view_name,
					.title = view_title,
					.samples = view_samples,
					.table = view_table,
					.callers = view_callers,
					.flame = view_flame,
					.annotate = view_annotate,
					.symbols = view_symbols,
					.lanes = view_lanes,
					.part = view_part,
					.free_part = view_free_part,
					.is_part = r->again,
					.header = view_header,
					.quality = view_quality };
}

static struct tui_tables *view_part(void *view, u64 from, u64 to, struct perr *e)
{
	struct report_view *of = view, *v;
	struct report *part;

	if (report_count_part(of->r, from, to, &part, e) || !part)
		return NULL;
	part->verdict = of->r->verdict; /* of the whole recording */
	v = xmalloc(sizeof(*v));
	view_init(v, part);
	return &v->shown;
}

int report_view(struct report *r, struct perr *e)
{
	struct report_view v;
	struct screen *s;
	int *keys = NULL, err;

	view_init(&v, r);
	if (v.nr == 1)
		(void)made_table(&v, 0);
	progress_end(&r->progress);
	err = tui_start_open(&r->opt->ui, r->opt->color, &s, &keys, e);
	if (!err) {
		tui_show_tables(s, &v.shown);
		tui_start_close(&r->opt->ui, s, r->o);
	}
	free(keys);
	view_fini(&v);
	return err;
}

/* SPDX-License-Identifier: MIT */
/* pann on the terminal: the events of a recording, and the code of their functions. */
#include "base/mem.h"
#include "report/code/code_view.h"
#include "report/pann/annotate_priv.h"
#include "report/text/header_text.h"
#include "report/tui/tui.h"
#include "symbols/symbols.h"

/* One event, or the events that share columns. */
struct viewed_event {
	u32 *events;
	size_t nr;
	char *name;
};

struct pann_view {
	struct annotate_run *r;
	const struct verdict *verdict;
	struct viewed_event *events;
	size_t nr, cap;
	struct code_input in;
	struct pann_scripts scripts;
};

static void find_events(struct pann_view *v)
{
	struct annotate_run *r = v->r;
	struct viewed_event ev = { 0 };
	struct out name;

	out_init_mem(&name);
	for (size_t i = 0; i < r->pd->nr_events; i++) {
		ev.events = xcalloc(r->pd->nr_events + 1, sizeof(*ev.events));
		ev.nr = event_table(&r->tables, i, ev.events);
		if (!ev.nr) {
			free(ev.events);
			continue;
		}
		name.len = 0;
		event_table_put_name(&r->tables, ev.events, ev.nr, &name);
		ev.name = xstrndup(name.len ? name.buf : "", name.len);
		vec_push(v->events, v->nr, v->cap, ev);
	}
	out_fini(&name);
}

/* How many of the functions, the hottest first, have samples of the events and pass the options. */
static size_t count_shown(const struct pann_view *v, const struct viewed_event *ev)
{
	const struct annot_samples *s = &v->r->samples;
	const struct pann_options *o = v->r->opt;
	size_t n = 0;

	for (; n < s->nr && !(o->max_symbols && n == o->max_symbols); n++) {
		const struct annot_sum *sums = s->funcs[n].sums;
		bool any = false;

		for (size_t i = 0; i < ev->nr; i++)
			any |= sums[ev->events[i]].samples != 0;
		if (!any || 100.0 * (double)sums[ev->events[0]].period <
				    o->percent_limit * (double)s->totals[ev->events[0]].period)
			break;
	}
	return n;
}

/* The function that the user named; the hottest of those that have the name. */
static size_t named_function(const struct annot_samples *s, const char *name)
{
	for (int loosely = 0; loosely < 2; loosely++)
		for (size_t i = 0; i < s->nr; i++)
			if (annot_name_matches(s->funcs[i].name, name, loosely))
				return i;
	return s->nr;
}

/* The view that an event begins with: the named function, or the hottest one with code. */
static struct tui_view *view_event(struct pann_view *v, size_t i, struct perr *e)
{
	struct viewed_event *ev = &v->events[i];
	struct annot_samples *s = &v->r->samples;
	struct tui_view *view;
	const char *name = v->r->opt->symbol;
	size_t first = 0;
	struct perr why = { .off = -1 };

	annot_samples_sort(s, ev->events, ev->nr);
	v->in.nr_listed = count_shown(v, ev);
	v->in.page.events = ev->events;
	v->in.page.nr_events = ev->nr;
	v->in.page.leader = v->r->pd->events[ev->events[0]];
	v->in.page.event_name = ev->name;
	if (name)
		first = named_function(s, name);
	if (name && first == s->nr) {
		annotate_no_function(v->r, name, e);
		return NULL;
	}
	if (!s->nr || (!name && !v->in.nr_listed)) {
		perr_set(e, PERR_NOTFOUND,
			 s->nr ? "no function has that share" : "no samples in functions");
		return NULL;
	}
	view = name ? code_view_new(&v->in, &s->funcs[first], &why)
		    : code_view_find(&v->in, 0, 1, &why);
	if (!view)
		perr_set(e, PERR_NOTFOUND, "cannot annotate %s: %s", s->funcs[first].name,
			 why.text);
	return view;
}

static void open_event(void *view, struct tui *t, int id)
{
	struct perr e;
	struct tui_view *opened = view_event(view, (size_t)id, &e);

	if (opened)
		tui_push(t, opened);
	else
		tui_warn(t, "%s", e.text);
}

static struct tui_view *list_events(struct pann_view *v)
{
	struct tui_item *items = xcalloc(v->nr, sizeof(*items));

	for (size_t i = 0; i < v->nr; i++) {
		u64 samples = 0;

		for (size_t n = 0; n < v->events[i].nr; n++)
			samples += v->r->samples.totals[v->events[i].events[n]].samples;
		items[i].id = (int)i;
		items[i].text =
			xasprintf("%8llu %s", (unsigned long long)samples, v->events[i].name);
	}
	return view_menu_new("Available samples", items, v->nr, true, open_event, v);
}

static void put_header(void *view, struct out *o)
{
	struct pann_view *v = view;

	header_text_print(o, v->r->pd, true);
}

static void put_quality(void *view, struct out *o)
{
	struct pann_view *v = view;

	if (v->verdict)
		verdict_print_text(o, v->r->rc->prog, v->verdict, false);
	else
		out_str(o, "No verdict was made: --quality=none is given.\n");
}

static void open_scripts(void *view, struct tui *t, const char *function)
{
	struct pann_view *v = view;

	pann_scripts_menu(&v->scripts, t, function);
}

static int show(struct pann_view *v, struct tui_view *first, struct perr *e)
{
	const struct tui_start *ui = &v->r->opt->ui;
	struct screen *s;
	struct tui t;
	int *keys, err = tui_start_open(ui, v->r->opt->style.color, &s, &keys, e);

	if (err) {
		first->ops->close(first);
	} else {
		tui_run(&t, s, first);
		tui_start_close(ui, s, v->r->o);
	}
	free(keys);
	return err;
}

int annotate_show(struct annotate_run *r, const struct verdict *verdict, struct perr *e)
{
	struct pann_view v = {
		.r = r,
		.verdict = verdict,
		.scripts = { .r = r },
		.in = { .page = { .samples = &r->samples, .lines = r->lines },
			.code = { .intel = r->opt->intel,
				  .arch = r->session->machine->arch,
				  .symbols = symbols_get_config(r->session->machine->symbols) },
			.cycles = r->cycles,
			.scripts = open_scripts,
			.header = put_header,
			.quality = put_quality,
			.ctx = &v },
	};
	struct tui_view *first = NULL;
	int err;

	find_events(&v);
	code_look_init(&v.in.look, &r->opt->style);
	if (v.nr)
		first = v.nr > 1 ? list_events(&v) : view_event(&v, 0, e);
	else
		perr_set(e, PERR_NOTFOUND, "no samples in functions");
	err = first ? show(&v, first, e) : e->code;
	for (size_t i = 0; i < v.nr; i++) {
		free(v.events[i].events);
		free(v.events[i].name);
	}
	free(v.events);
	return err;
}

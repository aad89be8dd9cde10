/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_annotate.h"

#include "base/mem.h"
#include "count/counts.h"
#include "machine/mapset.h"
#include "profile/line_text.h"
#include "report/annotate/code_lines.h"
#include "report/code/code_view.h"
#include "session/frames.h"
#include "symbols/symbols.h"

struct prep_annotate {
	struct report *r;
	bool made; /* the samples below, when the first function is opened */
	struct annot_samples samples;
	struct annot_sum *none;
	char *event_name;
	struct code_input in;
};

struct prep_annotate *prep_annotate_new(struct report *r)
{
	struct prep_annotate *a = xcalloc(1, sizeof(*a));
	const struct annot_style style = { 0 };

	a->r = r;
	a->in = (struct code_input){
		.page = { .samples = &a->samples, .lines = line_source_new() },
		.code = { .arch = r->session->machine->arch,
			  .symbols = symbols_get_config(r->session->machine->symbols) },
	};
	code_look_init(&a->in.look, &style);
	return a;
}

void prep_annotate_free(struct prep_annotate *a)
{
	if (!a)
		return;
	if (a->made)
		annot_samples_fini(&a->samples);
	branch_cycles_free(a->in.cycles);
	line_source_free(a->in.page.lines);
	free(a->none);
	free(a->event_name);
	free(a);
}

static int make_samples(struct prep_annotate *a, struct perr *e)
{
	if (a->made)
		return 0;
	if (!(a->r->counts->columns & COUNT_BIT(COUNT_IP)))
		return perr_set(
			e, PERR_NOTFOUND, "%s",
			a->r->opt->table.mode == TABLE_BRANCH
				? "branches have no costs of code: --no-branch-stack counts samples"
				: "the rows know no addresses of code: use -s symbol");
	annot_samples_init(&a->samples, a->r->counts, NULL, a->r->wanted);
	a->none = xcalloc(a->samples.nr_events + 1, sizeof(*a->none));
	a->in.cycles = branch_cycles_new(a->r->session, &a->r->opt->filter);
	a->made = true;
	return 0;
}

static void choose_events(struct prep_annotate *a, const u32 *events, size_t nr_events,
			  const char *event_name)
{
	free(a->event_name);
	a->event_name = xstrdup(event_name);
	a->in.page.events = events;
	a->in.page.nr_events = nr_events;
	a->in.page.leader = a->r->pd->events[events[0]];
	a->in.page.event_name = a->event_name;
	annot_samples_sort(&a->samples, events, nr_events);
	a->in.nr_listed = 0;
	for (size_t i = 0; i < a->samples.nr; i++) {
		bool any = false;

		for (size_t n = 0; n < nr_events; n++)
			any |= a->samples.funcs[i].sums[events[n]].samples != 0;
		if (!any)
			break;
		a->in.nr_listed++;
	}
}

/* Whether a frame is at a place; one without an address is known by its names. */
static bool is_at(const struct frame *fr, const struct table_place *place)
{
	if (!fr->map || fr->map->timed || strcmp(fr->map->dso_name, place->object) != 0)
		return false;
	return place->addr ? map_ip_to_addr(fr->map, fr->ip) == place->addr
			   : fr->has_sym && !strcmp(fr->sym->name, place->function);
}

/* A function, maybe without samples of its own: call chains know where its object is mapped. */
static bool find_in_chains(struct prep_annotate *a, const struct table_place *place,
			   struct annot_func *ret)
{
	const struct counts *c = a->r->counts;

	for (u32 i = 0; i < counts_nr_frames(c); i++) {
		const struct frame *fr = counts_frame(c, i);

		if (is_at(fr, place) && annot_func_at(&a->samples, fr->map, fr->ip, a->none, ret))
			return true;
	}
	return false;
}

struct tui_view *prep_annotate_open(struct prep_annotate *a, const u32 *events, size_t nr_events,
				    const char *event_name, const struct table_place *place,
				    struct perr *e)
{
	struct tui_view *view;
	struct annot_func f;
	struct perr why;

	if (!place->function || !place->object) {
		perr_set(e, PERR_NOTFOUND, "no function is known here");
		return NULL;
	}
	if (make_samples(a, e))
		return NULL;
	choose_events(a, events, nr_events, event_name);
	if (!(place->addr && annot_func_in(&a->samples, place->object, place->addr, &f)) &&
	    !find_in_chains(a, place, &f)) {
		perr_set(e, PERR_NOTFOUND, "%s was inlined, or has no code", place->function);
		return NULL;
	}
	view = code_view_new(&a->in, &f, &why);
	if (!view)
		perr_set(e, why.code, "cannot annotate %s: %s", f.name, why.text);
	return view;
}

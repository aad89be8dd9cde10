/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_callers.h"

#include <stdlib.h>

#include "base/intern.h"
#include "count/counts.h"

struct neighbour {
	u64 period;
	u32 name; /* text id */
};

/* Periods by the name of what is next to the function. */
struct neighbours {
	struct neighbour *items; /* by text id */
	size_t nr, cap;
	u64 total;
};

struct caller_search {
	struct hist *h;
	const char *function, *object;
	struct intern names;
	struct neighbours callers, callees;
};

static bool is_wanted(const struct caller_search *c, u32 id)
{
	const struct frame *fr = hist_frame(c->h->d, id);

	return fr->has_sym && !strcmp(fr->sym->name, c->function) &&
	       (fr->map ? c->object && !strcmp(fr->map->dso_name, c->object) : !c->object);
}

static u32 name_of(struct caller_search *c, u32 id)
{
	const struct frame *fr = hist_frame(c->h->d, id);
	char text[32];

	if (fr->has_sym)
		return intern_str(&c->names, fr->sym->name);
	snprintf(text, sizeof(text), "%#llx", (unsigned long long)fr->ip);
	return intern_str(&c->names, text);
}

static void count(struct neighbours *n, u32 name, u64 period)
{
	while (n->nr <= name) {
		struct neighbour next = { .name = (u32)n->nr };

		vec_push(n->items, n->nr, n->cap, next);
	}
	n->items[name].period += period;
	n->total += period;
}

static void count_row(struct caller_search *c, u32 row)
{
	struct hist_stack st = hist_stack_of(c->h->stacks, row);
	u64 period = hist_period(c->h->d, &c->h->d->counts->rows[row]);
	u32 first = 0, last;

	while (first < st.nr && !is_wanted(c, st.ids[first]))
		first++;
	if (first == st.nr)
		return;
	for (last = st.nr - 1; !is_wanted(c, st.ids[last]); last--)
		;
	count(&c->callees,
	      first ? name_of(c, st.ids[first - 1])
		    : intern_str(&c->names, "[the function itself]"),
	      period);
	count(&c->callers,
	      last + 1 < st.nr ? name_of(c, st.ids[last + 1])
			       : intern_str(&c->names, "[no caller]"),
	      period);
}

static int by_period(const void *a, const void *b)
{
	const struct neighbour *x = a, *y = b;

	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static double percent(const struct caller_search *c, u64 period)
{
	u64 total = c->h->totals[0].period;

	return total ? 100.0 * (double)period / (double)total : 0;
}

static void put_list(struct caller_search *c, struct neighbours *n, const char *title,
		     struct out *o)
{
	if (n->nr)
		qsort(n->items, n->nr, sizeof(*n->items), by_period);
	out_raw(o, title, strlen(title));
	out_char(o, '\n');
	for (size_t i = 0; i < n->nr && n->items[i].period; i++)
		out_printf(o, "  %6.2f%%  %s\n", percent(c, n->items[i].period),
			   intern_text(&c->names, n->items[i].name));
	free(n->items);
}

void prep_put_callers(struct hist *h, const char *function, const char *object, struct out *o)
{
	struct caller_search c = { .h = h, .function = function, .object = object };

	intern_init(&c.names);
	for (size_t row = 0; row < h->d->counts->nr_rows; row++)
		if (h->row_ids_of[row] && h->d->counts->rows[row].event == h->events[0])
			count_row(&c, (u32)row);
	out_printf(o, "\n  %6.2f%%  %s\n\n", percent(&c, c.callers.total), function);
	put_list(&c, &c.callers, "Called by", o);
	out_char(o, '\n');
	put_list(&c, &c.callees, "Calls", o);
	intern_fini(&c.names);
}

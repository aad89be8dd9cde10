/* SPDX-License-Identifier: MIT */
#include "report/pscript/script_switches.h"

#include <stdio.h>

#include "fileformat/tracing_data.h"

void script_switches_fini(struct script_switches *w)
{
	switch_gaps_fini(&w->gaps);
}

static bool is_named(const struct pd_trace_field *f, const char *name)
{
	return f->name.n == strlen(name) && !memcmp(f->name.p, name, f->name.n);
}

static void read_fields(struct script_switches *w, struct span format, const struct pd_event *ev)
{
	bool has_prev = false, has_next = false;
	struct pd_trace_field f;
	size_t pos = 0;

	w->has_comm = false;
	while (pd_trace_field_next(format, &pos, &f)) {
		if (is_named(&f, "prev_pid")) {
			w->prev = f;
			has_prev = true;
		} else if (is_named(&f, "next_pid")) {
			w->next = f;
			has_next = true;
		} else if (is_named(&f, "prev_comm")) {
			w->comm = f;
			w->has_comm = true;
		}
	}
	if (has_prev && has_next)
		w->fields_of = ev;
}

/* Whether each switch is a sample of this event, with the fields that are needed. */
static bool is_switch(struct script_switches *w, const struct perfdata *pd,
		      const struct pd_event *ev)
{
	struct pd_tracepoint tp;
	struct pd_tracing t;
	struct perr ignored;

	if (!ev->name || strcmp(ev->name, "sched:sched_switch") != 0 ||
	    ev->attr.type != PD_TYPE_TRACEPOINT || ev->attr.sample_period_or_freq != 1 ||
	    !(ev->attr.sample_type & PD_SAMPLE_RAW) || !(ev->attr.sample_type & PD_SAMPLE_CPU) ||
	    !(ev->attr.sample_type & PD_SAMPLE_TIME) || !pd->tracing_data.n)
		return false;
	if (w->fields_of == ev)
		return true;
	if (w->fields_of || pd_tracing_open(pd->tracing_data, &t, &ignored))
		return false; /* a second event of switches would count each twice */
	while (pd_tracing_next(&t, &tp, &ignored) > 0) {
		if (tp.id != ev->attr.config)
			continue;
		read_fields(w, tp.format, ev);
		break;
	}
	return w->fields_of == ev;
}

void script_switches_take(struct script_switches *w, const struct perfdata *pd,
			  const struct pd_event *ev, const struct pd_sample *s)
{
	char comm[16] = "";

	if (ev != w->known) {
		w->known = ev;
		w->known_is_switch = is_switch(w, pd, ev);
	}
	if (!w->known_is_switch)
		return;
	if (w->has_comm && !w->gaps.all_threads) {
		struct span text = pd_trace_field_text(&w->comm, s->raw, s->swap);

		(void)snprintf(comm, sizeof(comm), "%.*s", (int)(text.n < 15 ? text.n : 15),
			       (const char *)text.p);
	}
	switch_gaps_take(&w->gaps, s->cpu, pd_trace_field_u32(&w->prev, s->raw, s->swap), comm,
			 pd_trace_field_u32(&w->next, s->raw, s->swap));
}

/* SPDX-License-Identifier: MIT */
/* The events of a report: which of them have tables, their totals and titles. */
#include "base/parallel.h"
#include "base/screen/fit.h"
#include "count/counts.h"
#include "report/prep/prep_report_priv.h"
#include "report/table/wanted_rows.h"

static const struct count_totals *totals_of(const struct report *r, u32 event)
{
	static const struct count_totals none;

	return event < r->counts->nr_events ? &r->counts->events[event] : &none;
}

void report_put_event(const struct report *r, const struct event_tables *tables,
		      const struct hist *h, const char *between, struct out *o)
{
	static const char units[] = " KMGTPE";
	const struct pd_event *ev = r->pd->events[h->events[0]];
	/* stock perf makes a group of all events, then shows its members alone */
	bool all = r->opt->group_given && !h->events[0] && r->pd->nr_events > 1;
	bool group = r->wall || ev->nr_members > 1 || h->nr_events > 1 ||
		     (all && !events_have_groups(r->pd));
	u64 samples = 0, period = 0;
	int unit = 0;

	for (size_t i = 0; i < h->nr_events; i++) {
		samples += h->totals[i].samples;
		period += h->totals[i].period;
	}
	while (samples >= 1000 && unit < 6) {
		samples /= 1000;
		unit++;
	}
	out_printf(o, "Samples: %llu%c of event%s '", (unsigned long long)samples, units[unit],
		   group ? "s" : "");
	event_table_put_name(tables, h->events, h->nr_events, o);
	if (r->wall)
		out_str(o, " + " PD_OFFCPU_NAME);
	out_char(o, '\'');
	if (r->opt->time)
		out_printf(o, " (time slices: %s)", r->opt->time);
	out_raw(o, between, strlen(between));
	if (r->opt->table.mode == TABLE_MEMORY)
		out_printf(o, "Total weight : %llu", (unsigned long long)period);
	else
		out_printf(o, "Event count (approx.): %llu", (unsigned long long)period);
}

void report_print_event(const struct report *r, const struct event_tables *tables,
			const struct hist *h)
{
	struct out o;

	out_init_mem(&o);
	out_escape_like(&o, r->o);
	out_str(&o, "# ");
	report_put_event(r, tables, h, "\n# ", &o);
	if (r->opt->table.mode == TABLE_MEMORY)
		out_printf(&o, "\n# Sort order   : %s", r->layout.sort_text);
	if (r->opt->table.socket >= 0)
		out_printf(&o, "\n# Processor Socket: %d", (int)r->opt->table.socket);
	out_str(&o, "\n#\n");
	fit_comments(r->o, o.buf, o.len);
	out_fini(&o);
}

/* The periods of the leader's samples that filters left out of its totals. */
static u64 left_out(const struct report *r, const struct hist *h, const struct count_totals *t)
{
	u64 sum = 0;

	if (!filters_rows(&r->opt->filter))
		return 0;
	if (!r->wanted)
		return t->filtered_period;
	for (size_t i = 0; r->opt->relative && i < r->counts->nr_rows; i++)
		if (r->counts->rows[i].event == h->events[0] && !r->wanted[i])
			sum += hist_period(&r->data, &r->counts->rows[i]);
	return sum;
}

static void add_filtered(const struct report *r, struct hist *h)
{
	bool absolute = !r->opt->relative && filters_rows(&r->opt->filter) && !r->wanted;

	for (size_t i = 0; i < h->nr_events; i++) {
		const struct count_totals *t = totals_of(r, h->events[i]);

		/* of branches the totals count the branches; where filters leave none, no sample */
		if (r->opt->table.mode == TABLE_BRANCH && h->totals[i].samples)
			h->totals[i].samples = t->samples;
		if (!i)
			h->whole = h->totals[i].period + left_out(r, h, t);
		if (absolute) {
			h->totals[i].samples += t->filtered;
			h->totals[i].period += t->filtered_period;
			h->totals[i].latency += t->filtered_latency;
		}
	}
}

/* Whether -U hides all samples of an event. */
static bool is_hidden_event(const struct report *r, u32 event)
{
	if (!r->opt->table.hide_unresolved)
		return false;
	for (size_t i = 0; i < r->counts->nr_rows; i++)
		if (r->counts->rows[i].event == event && !hist_stack_own(r->stacks, (u32)i).hidden)
			return false;
	return true;
}

static bool is_empty_event(const void *report, u32 event)
{
	const struct report *r = report;
	const struct count_totals *t = totals_of(r, event);

	return (r->wall && event != r->wall - 1) || is_hidden_event(r, event) ||
	       (!t->samples && !(filters_rows(&r->opt->filter) && !r->wanted && t->filtered));
}

bool report_has_samples(const struct report *r)
{
	for (u32 i = 0; i < r->pd->nr_events; i++)
		if (!is_empty_event(r, i))
			return true;
	return false;
}

struct event_tables report_event_tables(const struct report *r)
{
	return (struct event_tables){ .pd = r->pd,
				      .group = r->opt->group,
				      .force_group = r->opt->force_group,
				      .skip_empty = r->opt->skip_empty,
				      .keep_leader = true,
				      .nr_events = r->pd->nr_events,
				      .is_empty = is_empty_event,
				      .arg = r };
}

unsigned int report_nr_threads(const struct report *r)
{
	return r->opt->nr_threads ? (unsigned int)r->opt->nr_threads : parallel_nr_cpus();
}

void report_list_hist(struct report *r, struct hist *h, const u32 *events, size_t nr)
{
	*h = (struct hist){
		.d = &r->data,
		.layout = &r->layout,
		.chain = r->chains ? &r->opt->chain : NULL,
		.order = r->opt->chain.order,
		.stacks = r->stacks,
		.events = events,
		.nr_events = nr,
		.children = r->children,
		.wanted = r->wanted,
		.relative = r->opt->relative,
	};
	hist_list(h, report_nr_threads(r));
	add_filtered(r, h);
}

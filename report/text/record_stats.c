/* SPDX-License-Identifier: MIT */
#include "report/text/record_stats.h"

#include "base/mem.h"
#include "fileformat/feature/feature.h"
#include "fileformat/record_minor.h"

void record_stats_fini(struct record_stats *s)
{
	free(s->events);
	counter_values_fini(&s->counters);
	*s = (struct record_stats){ 0 };
}

static struct record_stats_event *stats_of(struct record_stats *s, const struct pd_event *ev)
{
	while (s->nr <= ev->idx)
		vec_push(s->events, s->nr, s->cap, (struct record_stats_event){ 0 });
	return &s->events[ev->idx];
}

/* Of a sample with the totals of a group's events, each event that has grown has a sample. */
static void count_sample(struct record_stats *s, const struct perfdata *pd,
			 const struct pd_event *ev, const struct pd_record *r)
{
	struct pd_sample sample;

	if (!(ev->attr.sample_type & PD_SAMPLE_READ) || !(ev->attr.read_format & PD_FORMAT_ID) ||
	    pd_read_sample(ev, r, pd->swap, &sample, NULL)) {
		stats_of(s, ev)->samples++;
		return;
	}
	for (u64 i = 0; i < sample.read.nr; i++) {
		struct pd_read_value v = pd_read_get(&sample.read, i, pd->swap);

		ev = pd_event_by_id(pd, v.id);
		if (ev && counter_values_advance(&s->counters, ev, v.id, sample.tid, v.value))
			stats_of(s, ev)->samples++;
	}
}

static void count_lost(struct record_stats *s, const struct perfdata *pd, const struct pd_event *ev,
		       const struct pd_record *r)
{
	struct record_stats_event *of = stats_of(s, ev);
	struct pd_lost_samples l;

	if (pd_read_lost_samples(r, pd->swap, &l, NULL))
		return;
	if (r->misc & PD_MISC_LOST_SAMPLES_BPF)
		of->dropped_samples += l.lost;
	else
		of->lost_samples += l.lost;
}

void record_stats_count(struct record_stats *s, const struct perfdata *pd,
			const struct pd_record *r)
{
	const struct pd_event *ev;

	/* other recorders have types of their own, which perf does not count */
	if (r->type >= RECORD_STATS_TYPES || !pd_record_name(r->type))
		return;
	s->total++;
	s->types[r->type]++;
	if (r->type != PD_RECORD_SAMPLE && r->type != PD_RECORD_LOST_SAMPLES)
		return;
	ev = pd_event_of_record(pd, r);
	if (!ev)
		return;
	if (r->type == PD_RECORD_SAMPLE)
		count_sample(s, pd, ev, r);
	else if (!s->samples_only)
		count_lost(s, pd, ev, r);
}

static void print_count(struct out *o, const char *name, u64 n)
{
	out_printf(o, "%20s events: %10d", name, (int)n);
}

static void print_event_count(struct out *o, const char *name, u64 n)
{
	if (!n)
		return;
	print_count(o, name, n);
	out_char(o, '\n');
}

static void print_types(struct out *o, const struct perfdata *pd, const struct record_stats *s,
			bool skip_empty)
{
	out_str(o, "\nAggregated stats:");
	if (pd_feature_get(pd, PD_FEAT_AUXTRACE))
		out_str(o, " (excludes AUX area (e.g. instruction trace) decoded / synthesized "
			   "events)");
	out_char(o, '\n');
	print_count(o, "TOTAL", s->total);
	out_char(o, '\n');
	for (u32 type = 0; type < RECORD_STATS_TYPES; type++) {
		const char *name = pd_record_name(type);

		if (!name || (skip_empty && !s->types[type]))
			continue;
		print_count(o, name, s->types[type]);
		out_printf(o, "  (%4.1f%%)\n", 100.0 * (double)s->types[type] / (double)s->total);
	}
}

static void print_events(struct out *o, const struct perfdata *pd, const struct record_stats *s,
			 bool skip_empty)
{
	for (size_t i = 0; i < pd->nr_events; i++) {
		const struct record_stats_event none = { 0 },
						*of = i < s->nr ? &s->events[i] : &none;

		if (skip_empty && !of->samples && !of->lost_samples && !of->dropped_samples)
			continue;
		out_printf(o, "%s stats:\n", pd->events[i]->name);
		print_event_count(o, "SAMPLE", of->samples);
		print_event_count(o, "LOST_SAMPLES", of->lost_samples);
		print_event_count(o, "LOST_SAMPLES (BPF)", of->dropped_samples);
	}
}

void record_stats_print(const struct record_stats *s, struct out *o, const struct perfdata *pd,
			bool skip_empty)
{
	print_types(o, pd, s, skip_empty);
	print_events(o, pd, s, skip_empty);
}

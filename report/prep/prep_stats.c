/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_stats.h"

#include "base/mem.h"
#include "base/progress.h"
#include "fileformat/record.h"
#include "report/text/rawdump.h"

#define NR_TYPES 256

struct stats {
	u64 types[NR_TYPES], total;
	u64 *samples; /* per event */
	size_t nr, cap;
};

static void count_record(struct stats *s, const struct perfdata *pd, const struct pd_record *r)
{
	const struct pd_event *ev;

	s->total++;
	if (r->type < NR_TYPES)
		s->types[r->type]++;
	if (r->type != PD_RECORD_SAMPLE)
		return;
	ev = pd_event_of_record(pd, r);
	if (!ev)
		return;
	while (s->nr <= ev->idx)
		vec_push(s->samples, s->nr, s->cap, 0);
	s->samples[ev->idx]++;
}

static void print_count(struct out *o, const char *name, u64 n)
{
	out_printf(o, "%20s events: %10d", name, (int)n);
}

static void print(struct out *o, const struct perfdata *pd, const struct stats *s)
{
	out_str(o, "\nAggregated stats:\n");
	print_count(o, "TOTAL", s->total);
	out_char(o, '\n');
	for (u32 type = 0; type < NR_TYPES; type++) {
		const char *name = pd_record_name(type);

		if (!s->types[type] || !name)
			continue;
		print_count(o, name, s->types[type]);
		out_printf(o, "  (%4.1f%%)\n", 100.0 * (double)s->types[type] / (double)s->total);
	}
	for (size_t i = 0; i < s->nr; i++) {
		if (!s->samples[i])
			continue;
		out_printf(o, "%s stats:\n", pd->events[i]->name);
		print_count(o, "SAMPLE", s->samples[i]);
		out_char(o, '\n');
	}
}

int prep_dump_print(struct out *o, struct perfdata *pd, struct perr *e)
{
	struct rawdump dump;
	struct pd_record r;
	int got;

	rawdump_init(&dump, pd);
	while ((got = pd_next(pd, &r, e)) == 1)
		rawdump_record(&dump, o, &r);
	rawdump_fini(&dump);
	return got;
}

int prep_stats_print(struct out *o, struct perfdata *pd, struct perr *e)
{
	struct stats s = { 0 };
	struct progress progress;
	struct pd_record r;
	int got;

	progress_init_ahead(&progress, "prep", pd->file_size, stderr);
	while ((got = pd_next(pd, &r, e)) == 1) {
		progress_update(&progress, r.off);
		count_record(&s, pd, &r);
	}
	progress_end(&progress);
	print(o, pd, &s);
	free(s.samples);
	return got;
}

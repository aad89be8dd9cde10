/* SPDX-License-Identifier: MIT */
#include "report/tui/graph/time_lanes.h"

#include "base/mem.h"

void time_lanes_fini(struct time_lanes *t)
{
	for (size_t i = 0; i < t->nr_lanes; i++)
		free(t->lanes[i].name);
	free(t->lanes);
	free(t->samples);
	*t = (struct time_lanes){ 0 };
}

/* The first ns of a slice. */
static u64 start_of(const struct time_slices *s, int slice)
{
	unsigned __int128 len = (unsigned __int128)(s->span.to - s->span.from) + 1;
	u64 nr = (u64)s->nr;

	/* rounded up, so that time_slices_at() of it is this slice */
	return s->span.from + (u64)((len * (u64)slice + nr - 1) / nr);
}

int time_slices_at(const struct time_slices *s, u64 time)
{
	unsigned __int128 len = (unsigned __int128)(s->span.to - s->span.from) + 1;

	if (time < s->span.from)
		return 0;
	if (time > s->span.to)
		return s->nr - 1;
	return (int)((unsigned __int128)(time - s->span.from) * (u64)s->nr / len);
}

struct time_span time_slices_span(const struct time_slices *s, int first, int last)
{
	u64 from = start_of(s, first), behind;

	if (last == s->nr - 1)
		return (struct time_span){ from, s->span.to };
	behind = start_of(s, last + 1);
	/* with more slices than ns, some are empty */
	return (struct time_span){ from, behind > from ? behind - 1 : from };
}

void time_slices_count(struct time_slices *s, const struct time_lanes *t, struct time_span span,
		       int nr)
{
	size_t cols = (size_t)nr;
	u64 *all;

	*s = (struct time_slices){ .span = span, .nr = nr };
	s->counts = xcalloc((t->nr_lanes + 1) * cols, sizeof(*s->counts));
	all = s->counts + t->nr_lanes * cols;
	for (size_t i = 0; i < t->nr_samples; i++) {
		const struct time_sample *sample = &t->samples[i];
		u64 *count;
		int at;

		if (sample->time < span.from || sample->time > span.to)
			continue;
		at = time_slices_at(s, sample->time);
		count = &s->counts[sample->lane * cols + (size_t)at];
		*count += sample->count;
		all[at] += sample->count;
		s->most = *count > s->most ? *count : s->most;
		s->most_of_all = all[at] > s->most_of_all ? all[at] : s->most_of_all;
	}
}

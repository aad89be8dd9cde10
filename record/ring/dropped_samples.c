/* SPDX-License-Identifier: MIT */
#include "record/ring/dropped_samples.h"

#include "base/mem.h"
#include "fileformat/write/record_encode.h"

void dropped_samples_init(struct dropped_samples *d, size_t nr_events)
{
	*d = (struct dropped_samples){ .nr_events = nr_events };
	d->events = xcalloc(nr_events + 1, sizeof(*d->events));
}

void dropped_samples_fini(struct dropped_samples *d)
{
	free(d->events);
	*d = (struct dropped_samples){ 0 };
}

void dropped_samples_note(struct dropped_samples *d, size_t event, u64 id)
{
	d->events[event].nr++;
	d->events[event].id = id;
}

void dropped_samples_put(struct dropped_samples *d, const struct rec_evlist *l, struct wbuf *out)
{
	for (size_t i = 0; i < d->nr_events; i++) {
		struct dropped_of_event *e = &d->events[i];

		if (e->nr == e->written)
			continue;
		pd_put_lost_samples(out, &l->events[i]->attr, e->nr - e->written, e->id);
		e->written = e->nr;
	}
}

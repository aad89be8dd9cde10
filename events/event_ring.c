/* SPDX-License-Identifier: MIT */
#include "events/event_ring.h"

#include "base/mem.h"

static void drop_oldest(struct event_ring *r)
{
	occurrence_fini(&r->v[r->first]);
	r->first = (r->first + 1) % EVENT_RING_EVENTS;
	r->nr--;
}

void event_ring_add(struct event_ring *r, const struct sample_view *v)
{
	if (!r->v)
		r->v = xcalloc(EVENT_RING_EVENTS, sizeof(*r->v));
	if (r->nr == EVENT_RING_EVENTS) {
		r->dropped = r->v[r->first].time;
		drop_oldest(r);
	}
	occurrence_init(&r->v[(r->first + r->nr) % EVENT_RING_EVENTS], v, true);
	r->nr++;
}

const struct occurrence *event_ring_at(const struct event_ring *r, size_t i)
{
	return &r->v[(r->first + i) % EVENT_RING_EVENTS];
}

void event_ring_forget(struct event_ring *r, u64 time)
{
	while (r->nr && r->v[r->first].time < time)
		drop_oldest(r);
}

void event_ring_fini(struct event_ring *r)
{
	while (r->nr)
		drop_oldest(r);
	free(r->v);
	*r = (struct event_ring){ 0 };
}

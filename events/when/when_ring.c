/* SPDX-License-Identifier: MIT */
#include "events/when/when_ring.h"

#include "base/mem.h"

static void drop_oldest(struct when_ring *r)
{
	occurrence_fini(&r->v[r->first]);
	r->first = (r->first + 1) % WHEN_RING_EVENTS;
	r->nr--;
}

void when_ring_add(struct when_ring *r, const struct sample_view *v)
{
	if (!r->v)
		r->v = xcalloc(WHEN_RING_EVENTS, sizeof(*r->v));
	if (r->nr == WHEN_RING_EVENTS) {
		r->dropped = r->v[r->first].time;
		drop_oldest(r);
	}
	occurrence_init(&r->v[(r->first + r->nr) % WHEN_RING_EVENTS], v, true);
	r->nr++;
}

const struct occurrence *when_ring_at(const struct when_ring *r, size_t i)
{
	return &r->v[(r->first + i) % WHEN_RING_EVENTS];
}

void when_ring_forget(struct when_ring *r, u64 time)
{
	while (r->nr && r->v[r->first].time < time)
		drop_oldest(r);
}

void when_ring_fini(struct when_ring *r)
{
	while (r->nr)
		drop_oldest(r);
	free(r->v);
	*r = (struct when_ring){ 0 };
}

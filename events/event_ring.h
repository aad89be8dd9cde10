/* SPDX-License-Identifier: MIT */
/* The last events of each CPU, for what is printed around a hit. */
#ifndef EVENTS_EVENT_RING_H
#define EVENTS_EVENT_RING_H

#include "events/occurrence.h"

/* So many events of a CPU are kept. */
#define EVENT_RING_EVENTS 1024

struct event_ring {
	struct occurrence *v; /* EVENT_RING_EVENTS, the oldest at `first` */
	size_t first, nr;
	u64 dropped; /* time of the newest event that there was no room for; 0: none */
};

/* Adds an event; the oldest one is dropped when there is no room. */
void event_ring_add(struct event_ring *r, const struct sample_view *v);
/* The i-th oldest event. */
const struct occurrence *event_ring_at(const struct event_ring *r, size_t i);
/* Drops events older than a time. */
void event_ring_forget(struct event_ring *r, u64 time);
void event_ring_fini(struct event_ring *r);

#endif

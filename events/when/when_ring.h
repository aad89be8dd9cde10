/* SPDX-License-Identifier: MIT */
/* The last events of each CPU, for what is printed around a hit. */
#ifndef EVENTS_WHEN_WHEN_RING_H
#define EVENTS_WHEN_WHEN_RING_H

#include "events/occurrence.h"

/* So many events of a CPU are kept. */
#define WHEN_RING_EVENTS 1024

struct when_ring {
	struct occurrence *v; /* WHEN_RING_EVENTS, the oldest at `first` */
	size_t first, nr;
	u64 dropped; /* time of the newest event that there was no room for; 0: none */
};

/* Adds an event; the oldest one is dropped when there is no room. */
void when_ring_add(struct when_ring *r, const struct sample_view *v);
/* The i-th oldest event. */
const struct occurrence *when_ring_at(const struct when_ring *r, size_t i);
/* Drops events older than a time. */
void when_ring_forget(struct when_ring *r, u64 time);
void when_ring_fini(struct when_ring *r);

#endif

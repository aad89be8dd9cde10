/* SPDX-License-Identifier: MIT */
/* --around: what else happened on the CPUs of a pair, shortly before it, in it and shortly after
 * it. */
#ifndef EVENTS_SINKS_AROUND_H
#define EVENTS_SINKS_AROUND_H

#include "events/event_ring.h"

struct around_cpu {
	struct event_ring ring;
	u64 until; /* events up to this time are printed as they come; 0: none */
};

struct around {
	u64 ns; /* before a begin and after an end */
	void (*put)(void *ctx, const struct occurrence *at);
	void *ctx;
	struct around_cpu *cpus;
	size_t nr, cap;
};

/* a: ns, put and ctx are set, the rest is zero. */
void around_fini(struct around *a);

/* Each event of the recording, after the pairs that end with it. */
void around_take(struct around *a, const struct sample_view *v);
/*
 * A pair has ended: puts the events of its CPUs, each event once, those of the begin's CPU first.
 * Returns false if older ones are not kept.
 */
bool around_pair(struct around *a, const struct occurrence *begin, const struct occurrence *end);

#endif

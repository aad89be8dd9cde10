/* SPDX-License-Identifier: MIT */
/* Counts samples that prec drops because it cannot keep up, and writes LOST_SAMPLES about them. */
#ifndef RECORD_RING_DROPPED_SAMPLES_H
#define RECORD_RING_DROPPED_SAMPLES_H

#include "base/wbuf.h"
#include "record/model/rec_event.h"

struct dropped_samples {
	struct dropped_of_event {
		u64 nr, written; /* written: in LOST_SAMPLES records */
		u64 id;          /* of one of them */
	} * events;              /* by number */
	size_t nr_events;
};

void dropped_samples_init(struct dropped_samples *d, size_t nr_events);
void dropped_samples_fini(struct dropped_samples *d);

/* Counts a sample of an event; id: of its descriptor, 0 if samples have none. */
void dropped_samples_note(struct dropped_samples *d, size_t event, u64 id);
/* Appends LOST_SAMPLES records about the samples since the last call. */
void dropped_samples_put(struct dropped_samples *d, const struct rec_evlist *l, struct wbuf *out);

#endif

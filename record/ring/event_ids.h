/* SPDX-License-Identifier: MIT */
/* Finds events by the ids in their records. */
#ifndef RECORD_RING_EVENT_IDS_H
#define RECORD_RING_EVENT_IDS_H

#include "base/hash.h"
#include "record/model/rec_event.h"

struct event_ids {
	const struct rec_evlist *l;
	struct idmap by_id; /* index of the event */
	size_t nr;          /* number of descriptors when by_id was filled */
};

/* l is borrowed. */
void event_ids_init(struct event_ids *e, const struct rec_evlist *l);
void event_ids_fini(struct event_ids *e);
/* Returns the index of the event with this id; 0 if the id is unknown. */
u32 event_ids_find(struct event_ids *e, u64 id);

#endif

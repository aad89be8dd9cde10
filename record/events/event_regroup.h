/* SPDX-License-Identifier: MIT */
/* Changes the list of events when the kernel refuses an event or a group. */
#ifndef RECORD_EVENTS_EVENT_REGROUP_H
#define RECORD_EVENTS_EVENT_REGROUP_H

#include "record/model/rec_event.h"

/*
 * Removes event idx from the list like evlist_remove, and moves its tasks to other events: the
 * start of its group and, for {..}:S, the sampling to the next member; the side-band to the first
 * remaining event. The list must have another event.
 */
void event_leave_out(struct rec_evlist *l, u32 idx);

/* Turns the members of a group into separate events that start like their leader. */
void event_break_up_group(struct rec_evlist *l, u32 leader_idx);

#endif

/* SPDX-License-Identifier: MIT */
/* Changes to the list of events that the kernel's refusals force. */
#ifndef RECORD_EVENTS_EVENT_REGROUP_H
#define RECORD_EVENTS_EVENT_REGROUP_H

#include "record/model/rec_event.h"

/*
 * Takes event idx out, as evlist_remove; what it did for others goes to another event: the start of
 * its group and, of {..}:S, the sampling to the next member, the side-band to the first event left.
 * At least one other event must be there.
 */
void event_leave_out(struct rec_evlist *l, u32 idx);

/* The members of a group become events of their own, started as their leader is. */
void event_break_up_group(struct rec_evlist *l, u32 leader_idx);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Decoders for two feature sections that describe events: EVENT_DESC (attrs, ids and names) and
 * GROUP_DESC (event groups). Layouts: docs/FORMAT.md 1.4.
 */
#ifndef FILEFORMAT_EVENT_DESC_H
#define FILEFORMAT_EVENT_DESC_H

#include "fileformat/feature/feature.h"
#include "fileformat/perfdata.h"

/*
 * One entry of EVENT_DESC. The section is {u32 nr, u32 attr_size, nr entries}, an entry is
 * {attr[attr_size], u32 nr_ids, string, u64 ids[nr_ids]}.
 */
struct pd_event_desc {
	struct pd_attr attr;
	struct span name; /* borrowed from the payload; may be empty */
	struct span ids;  /* u64s in the file's byte order */
};

/* A position in an EVENT_DESC payload. */
struct pd_event_descs {
	struct pd_list list;
	u32 attr_size; /* bytes of each attr in the payload */
};

/* Starts at the first entry of an EVENT_DESC payload. PERR_FORMAT: the payload is too short. */
int pd_event_desc_open(struct span payload, bool swap, struct pd_event_descs *ret,
		       struct perr *e) MUST_CHECK;
/* Returns 1 with the next entry, 0 after the last, PERR_FORMAT if the payload ends inside an entry.
 */
int pd_event_desc_next(struct pd_event_descs *d, struct pd_event_desc *ret,
		       struct perr *e) MUST_CHECK;

/*
 * Names the events of pd that the file has not named yet by an EVENT_DESC payload. An entry names
 * the event that has the entry's first id. If it has no ids, or no event has them, it names the
 * event at the entry's position, provided type and config are equal. PERR_FORMAT: the payload is
 * damaged; the entries before the damage have been applied.
 */
int event_desc_apply(struct perfdata *pd, struct span payload, struct perr *e) MUST_CHECK;

/* One entry of GROUP_DESC. The section is {u32 nr, nr x {string name, u32 leader_idx,
 * u32 nr_members}}. */
struct pd_group_desc {
	struct span name; /* "{anon_group}" if the user gave no name */
	u32 leader_idx;   /* the leader's position among the file's events */
	u32 nr_members;   /* the leader and the events that directly follow it */
};
/* Returns 1 with the next entry, 0 after the last, PERR_FORMAT if the payload ends inside an entry.
 */
int pd_group_desc_next(struct pd_list *l, struct pd_group_desc *ret, struct perr *e) MUST_CHECK;

/*
 * Groups the events of pd by a GROUP_DESC payload: sets leader_idx and nr_members of the events and
 * group_name of the leaders (NULL for an anonymous group). PERR_FORMAT: a group overlaps an earlier
 * one or reaches past the last event; the groups before it have been applied.
 */
int group_desc_apply(struct perfdata *pd, struct span payload, struct perr *e) MUST_CHECK;

#endif

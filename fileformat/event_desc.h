/* SPDX-License-Identifier: MIT */
/*
 * What feature sections say of the events beside their attrs: EVENT_DESC (names) and GROUP_DESC
 * (groups). Layouts: FORMAT.md 1.4.
 */
#ifndef FILEFORMAT_EVENT_DESC_H
#define FILEFORMAT_EVENT_DESC_H

#include "fileformat/feature/feature.h"
#include "fileformat/perfdata.h"

/*
 * EVENT_DESC {u32 nr, u32 attr_size, nr x {attr[attr_size], u32 nr_ids, string, u64 ids[nr_ids]}}.
 */
struct pd_event_desc {
	struct pd_attr attr;
	struct span name; /* may be empty */
	struct span ids;  /* u64s in the file's byte order */
};

struct pd_event_descs {
	struct pd_list list;
	u32 attr_size;
};

int pd_event_desc_open(struct span payload, bool swap, struct pd_event_descs *ret,
		       struct perr *e) MUST_CHECK;
/* 1 with the next event, 0 at the end, PERR_FORMAT where the payload ends inside one. */
int pd_event_desc_next(struct pd_event_descs *d, struct pd_event_desc *ret,
		       struct perr *e) MUST_CHECK;

/*
 * Gives pd's events that have no given name the names of an EVENT_DESC payload: an entry goes to
 * the event that has its first id; without ids (or with ids that no event has) to the event at its
 * position, if type and config are the same. On PERR_FORMAT the entries before the damage have been
 * applied.
 */
int event_desc_apply(struct perfdata *pd, struct span payload, struct perr *e) MUST_CHECK;

/* GROUP_DESC {u32 nr, nr x {string name, u32 leader_idx, u32 nr_members}}. */
struct pd_group_desc {
	struct span name; /* "{anon_group}" where the user gave none */
	u32 leader_idx;   /* position among the events */
	u32 nr_members;   /* the leader and the events right behind it */
};
int pd_group_desc_next(struct pd_list *l, struct pd_group_desc *ret, struct perr *e) MUST_CHECK;

/*
 * Sets leader_idx and nr_members of pd's events and group_name (NULL for anonymous ones) of the
 * leaders. PERR_FORMAT when a group overlaps another or reaches beyond the last event; groups
 * before it have been applied.
 */
int group_desc_apply(struct perfdata *pd, struct span payload, struct perr *e) MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The events of an open perf.data, the ids by which records name them, and its feature sections:
 * what the header and describing records fill in and the decoders look up.
 */
#ifndef FILEFORMAT_EVENTS_H
#define FILEFORMAT_EVENTS_H

#include "base/bytes.h"
#include "base/text_format.h"
#include "fileformat/attr.h"

struct perfdata;
struct pd_record;

#define PD_NR_FEATURES 256

/* Sizes and positions in an event's records, computed once from its attr: pd_event_prepare(). */
struct pd_event_layout {
	u16 sample_fixed; /* bytes of the fields of fixed size that a SAMPLE starts with */
	u16 trailer;      /* bytes of the sample_id_all trailer, 0 without one */
	u16 time_sample;  /* of the time in a SAMPLE, from the record's start; 0 when untimed */
	u16 time_trailer; /* of the time in other records, from the record's end; 0 when untimed */
	u16 nr_regs_user, nr_regs_intr;
	bool simple; /* a SAMPLE holds nothing after its call chain */
};

/* One event of the file: its attr, the ids its records carry, and its name. */
struct pd_event {
	struct pd_attr attr;
	u64 *ids;
	size_t nr_ids, cap_ids;
	char *name;      /* never NULL: from EVENT_DESC, EVENT_UPDATE, else from the attr */
	bool name_given; /* the file names it */
	char *unit;      /* EVENT_UPDATE; NULL when none */
	double scale;
	u32 idx;        /* position among the file's events */
	u32 leader_idx; /* group leader's idx (GROUP_DESC), else idx */
	u32 nr_members; /* of a leader: members with itself; 0 for a member */
	char *group_name;
	struct pd_event_layout layout; /* pd_event_prepare() */
};

/* A feature section's payload. In pipes it comes with a HEADER_FEATURE record. */
struct pd_feature {
	bool present;
	u64 off;          /* file offset of the payload, 0 in pipes */
	struct span data; /* borrowed from the perfdata; empty for flag features */
};

/*
 * Fills ev->layout from ev->attr. Events of an open perf.data are prepared; call it for an event
 * made by hand before a decoder of sample.h gets it.
 */
void pd_event_prepare(struct pd_event *ev);

/*
 * Names the events that the file does not name as that perf does (TEXT_PERF_7_2 before), those that
 * are still to come as well. pd->format also decides other text about the file.
 */
void pd_set_text_format(struct perfdata *pd, enum text_format format);

/* Payload of feature `bit`, NULL when the file has none. */
const struct pd_feature *pd_feature_get(const struct perfdata *pd, unsigned int bit);

/*
 * The event a record belongs to, by the id it carries; the first event where ids are not recorded;
 * NULL when the id is of no event. Source: FORMAT.md 2.3.
 */
struct pd_event *pd_event_of_record(const struct perfdata *pd, const struct pd_record *rec);
struct pd_event *pd_event_by_id(const struct perfdata *pd, u64 id);

/* True when every event asks for sample_id_all trailers (or the file has no event). */
bool pd_sample_id_all(const struct perfdata *pd);

/* True when some event's samples carry copies of user stacks (PERF_SAMPLE_STACK_USER). */
bool pd_has_stack_copies(const struct perfdata *pd);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What each event of a recording is for an analysis: a begin, an end, something to count; under
 * which condition; and which of its values are the key that finds the partner, and the row.
 */
#ifndef EVENTS_ROLES_H
#define EVENTS_ROLES_H

#include "events/expr/expr.h"
#include "events/open_begins.h"

/*
 * What the user wrote. All texts are borrowed. An event in a list may be followed by a condition
 * and a key of its own, and a ? in front says that the recording may lack it:
 * "?sched:sched_switch/prev_state == 0/key=prev_pid/".
 */
struct role_texts {
	const char **
		begins; /* each "EVENT[/CONDITION/][key=A,B/][,EVENT...]"; none: ends are counted */
	size_t nr_begins;
	const char **ends;
	size_t nr_ends;
	const char *key;   /* "A,B" of both, or "A,B=C,D" of begins and ends; NULL: by the events */
	const char *by;    /* "A,B"; NULL: one row. "begin:A" and "end:A" say of which event */
	const char *value; /* what is measured where no begin is; NULL: nothing */
	const char *record; /* the command that records what is needed; NULL: by the event */
};

/* What most values are: a field. */
enum role_part_kind {
	PART_OTHER,
	PART_S32, /* an integer of 4 bytes */
	PART_U32,
	PART_U64,
	PART_TEXT16, /* a text in 16 bytes */
};

enum role_kind { ROLE_BEGIN, ROLE_END };

/* One use of one event. NULL expressions are not used. */
struct role {
	enum role_kind kind;
	u32 event;      /* pd_event.idx */
	char *key_text; /* of this event alone; NULL: that of all */
	struct expr *condition;
	const struct expr_tests *tests; /* of the condition; NULL: it has none */
	struct expr *key[MAX_PARTS];
	struct expr *row[MAX_PARTS]; /* those that are known at this event */
	struct expr *value;
	/* all of these that count there: of the key, or the value; then those of the row */
	struct role_part {
		enum role_part_kind kind;
		u32 offset, end; /* bytes in the payload, of kinds other than PART_OTHER */
		const struct expr *x;
	} parts[2 * MAX_PARTS];
	u32 nr_parts;
};

struct roles {
	struct event_fields *fields; /* by pd_event.idx */
	size_t nr_events;
	struct role *all; /* by event; the ends of an event come before its begins */
	size_t nr, cap;
	u32 *first;            /* by event: its first role; [nr_events] is nr */
	size_t nr_key, nr_row; /* parts */
	char *row_titles[MAX_PARTS];
	enum expr_show row_shows[MAX_PARTS];
	bool key_has_cpu; /* only events of one CPU are partners */
	bool has_begins;
	char *missing; /* optional events that the recording lacks, "a, b"; NULL: none */
};

/*
 * Finds the events in a recording whose formats are known by now. PERR_NOTFOUND: it lacks an event
 * or a field. PERR_USAGE: a text is wrong. Free with roles_fini(), also after an error.
 */
int roles_init(struct roles *r, const struct perfdata *pd, const struct role_texts *texts,
	       struct perr *e) MUST_CHECK;
void roles_fini(struct roles *r);

#endif

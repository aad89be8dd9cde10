/* SPDX-License-Identifier: MIT */
/*
 * Parses and applies modifiers of events, the letters behind the last ':' or '/': u k h G H I p P S
 * D W e b.
 */
#ifndef RECORD_EVENTS_EVENT_MODIFIERS_H
#define RECORD_EVENTS_EVENT_MODIFIERS_H

#include "record/model/rec_event.h"

#define EVENT_MODIFIERS "ukhGHIpPSDWeb"

struct event_modifiers {
	bool given; /* at least one letter was given */
	bool user, kernel, hypervisor, guest, host, idle_excluded;
	bool precise_max, sample_read, pinned, weak, exclusive;
	unsigned int precise; /* number of letters p */
};

/*
 * Parses the letters s[0..len). Fails with PERR_USAGE for an unknown letter or one given twice (p:
 * four times); *ret_pos is then its index in s.
 */
int event_modifiers_parse(const char *s, size_t len, struct event_modifiers *ret, size_t *ret_pos,
			  struct perr *e) MUST_CHECK;

/*
 * Applies modifiers to ev as perf record 6.1 does. is_group: they are those of ev's group, and are
 * added to the event's own. The event's own reset exclude_guest, 1 without modifiers, to 0 unless
 * u, p or H is given. *guest_given: G or H has been seen; the caller keeps it between the calls for
 * the event and for its group. Fails with PERR_USAGE for more than three p in total.
 */
int event_modifiers_apply(const struct event_modifiers *m, struct rec_event *ev, bool is_group,
			  bool *guest_given, struct perr *e) MUST_CHECK;

/* The event `name` as -e takes it, with the modifier P instead of its p's. Malloc'd. */
char *event_name_most_precise(const char *name);

#endif

/* SPDX-License-Identifier: MIT */
/* Modifiers of events, the letters behind the last ':' or '/': u k h G H I p P S D W e b. */
#ifndef RECORD_EVENTS_EVENT_MODIFIERS_H
#define RECORD_EVENTS_EVENT_MODIFIERS_H

#include "record/model/rec_event.h"

#define EVENT_MODIFIERS "ukhGHIpPSDWeb"

struct event_modifiers {
	bool given; /* any at all */
	bool user, kernel, hypervisor, guest, host, idle_excluded;
	bool precise_max, sample_read, pinned, weak, exclusive;
	unsigned int precise; /* times p */
};

/*
 * The letters s[0..len). PERR_USAGE for a letter that is none, or that is given twice (p: four
 * times); *ret_pos is then its place in s.
 */
int event_modifiers_parse(const char *s, size_t len, struct event_modifiers *ret, size_t *ret_pos,
			  struct perr *e) MUST_CHECK;

/*
 * Sets what perf record 6.1 sets. An event's own modifiers start from nothing: exclude_guest, which
 * is 1 without modifiers, becomes 0 unless u, p or H asks for it. Those of a group (is_group) are
 * added to what each event has. *guest_given: G or H was seen, kept by the caller between the two.
 * PERR_USAGE: more than three p altogether.
 */
int event_modifiers_apply(const struct event_modifiers *m, struct rec_event *ev, bool is_group,
			  bool *guest_given, struct perr *e) MUST_CHECK;

#endif

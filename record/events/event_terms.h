/* SPDX-License-Identifier: MIT */
/* Terms of an event: what stands between the slashes of cpu/event=0x3c,umask=1,name=x/. */
#ifndef RECORD_EVENTS_EVENT_TERMS_H
#define RECORD_EVENTS_EVENT_TERMS_H

#include "record/events/event_scan.h"

/* Borrows from the text it was read from. */
struct event_term {
	const char *name;
	size_t name_len;
	const char *value; /* without quotes; NULL: no '=' */
	size_t value_len;
	size_t pos, value_pos; /* in the text of -e, for messages */
};

struct event_terms {
	struct event_term *terms;
	size_t nr, cap;
};
void event_terms_fini(struct event_terms *t);

/*
 * Reads terms from the '/' at s->pos to the closing one, and moves behind that. PERR_USAGE for a
 * text that does not close or has an empty term.
 */
int event_terms_scan(struct event_scan *s, struct event_terms *ret) MUST_CHECK;

/* As event_terms_scan for the text of a PMU's alias; all messages point at byte `pos`. */
int event_terms_of_alias(struct event_scan *s, const char *text, size_t pos,
			 struct event_terms *ret) MUST_CHECK;

/*
 * Carries out, for one event, the terms that are valid for every PMU (period, call-graph, ...).
 * PERR_USAGE for other terms, help then lists the valid ones. A tracepoint takes fewer of them.
 */
int event_terms_apply(struct event_scan *s, const struct event_terms *t,
		      struct rec_event *ev) MUST_CHECK;

/* A whole number, decimal or 0x, with a check of its range. */
int event_term_number(struct event_scan *s, const struct event_term *t, u64 max,
		      u64 *ret) MUST_CHECK;

/* One term of event_terms_apply: 0, 1 when it is none of these, or an error. */
int event_term_general(struct event_scan *s, const struct event_term *t,
		       struct rec_event *ev) MUST_CHECK;

/* Whether it is one of them, for any kind of event. */
bool event_term_is_general(const struct event_term *t);

/* The terms of event_terms_apply as a list in words, for help. */
void event_terms_help(const struct rec_event *ev, const struct pmu *pmu, char *ret, size_t size);

#endif

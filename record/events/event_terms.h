/* SPDX-License-Identifier: MIT */
/*
 * Parses and applies the terms of an event, the text between the slashes of
 * cpu/event=0x3c,umask=1,name=x/.
 */
#ifndef RECORD_EVENTS_EVENT_TERMS_H
#define RECORD_EVENTS_EVENT_TERMS_H

#include "record/events/event_scan.h"

/* One term. Its strings point into the text that it was read from. */
struct event_term {
	const char *name;
	size_t name_len;
	const char *value; /* without quotes; NULL: the term has no '=' */
	size_t value_len;
	size_t pos, value_pos; /* positions in the text of -e, for messages */
};

struct event_terms {
	struct event_term *terms;
	size_t nr, cap;
};
void event_terms_fini(struct event_terms *t);

/*
 * Reads terms from the '/' at s->pos to the closing one, and moves s->pos behind that. The caller
 * frees *ret with event_terms_fini. Fails with PERR_USAGE if the '/' is not closed or a term is
 * empty.
 */
int event_terms_scan(struct event_scan *s, struct event_terms *ret) MUST_CHECK;

/* As event_terms_scan, for the text of a PMU's named event. Errors have position `pos`. */
int event_terms_of_alias(struct event_scan *s, const char *text, size_t pos,
			 struct event_terms *ret) MUST_CHECK;

/*
 * Applies to one event the terms that are valid for every PMU (period, call-graph, ...);
 * tracepoints accept fewer of them. Fails with PERR_USAGE for other terms, listing the valid ones
 * in s->where->help.
 */
int event_terms_apply(struct event_scan *s, const struct event_terms *t,
		      struct rec_event *ev) MUST_CHECK;

/*
 * Reads a term's value as a number, decimal or with 0x, from 0 to max; 1 if the term has no value.
 * Fails with PERR_USAGE.
 */
int event_term_number(struct event_scan *s, const struct event_term *t, u64 max,
		      u64 *ret) MUST_CHECK;

/*
 * Applies one term that is valid for every PMU. Returns 0, 1 if the term is not one of these, or an
 * error.
 */
int event_term_general(struct event_scan *s, const struct event_term *t,
		       struct rec_event *ev) MUST_CHECK;

/* Returns true if event_term_general applies the term to some kind of event. */
bool event_term_is_general(const struct event_term *t);

/* Writes a list of the valid terms for ev, and of pmu's fields unless it is NULL, into ret. */
void event_terms_help(const struct rec_event *ev, const struct pmu *pmu, char *ret, size_t size);

#endif

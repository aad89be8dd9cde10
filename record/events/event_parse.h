/* SPDX-License-Identifier: MIT */
/*
 * The text of -e to events: names, cache events, raw codes, PMU terms, tracepoints, breakpoints,
 * uprobes by symbol, groups and modifiers, as perf record takes them (FORMAT.md 5.2).
 */
#ifndef RECORD_EVENTS_EVENT_PARSE_H
#define RECORD_EVENTS_EVENT_PARSE_H

#include "record/model/rec_opts.h"

/* The place of an error in the text of -e; the message points there with a caret. */
struct event_parse_error {
	size_t pos;     /* byte of the text */
	char help[400]; /* nearest names, valid terms; "" for none. One or more lines. */
};

/*
 * Appends the events of `text` to l. On failure l is as before, e has the reason and *where the
 * place in the text. PERR_USAGE: the text is wrong; PERR_NOTFOUND: nothing has that name; PERR_IO,
 * PERR_KERNEL: tracefs or sysfs cannot be read.
 */
int event_parse(struct rec_evlist *l, const struct rec_opts *o, const char *text,
		struct event_parse_error *where, struct perr *e) MUST_CHECK;

/* --filter TEXT: for the tracepoints after the last -e before it; PERR_USAGE when there is none. */
int event_parse_filter(struct rec_evlist *l, const char *text, struct perr *e) MUST_CHECK;

/* The event that is recorded when no -e was given: hardware cycles, as precise as it can be. */
struct rec_event *event_parse_default(struct rec_evlist *l);

/*
 * As event_parse_default, and on a machine whose CPUs have PMUs of several kinds one for each of
 * them. Returns how many.
 */
size_t event_parse_defaults(struct rec_evlist *l, const struct rec_opts *o);

#endif

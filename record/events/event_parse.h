/* SPDX-License-Identifier: MIT */
/*
 * Parses the text of -e into events: names, cache events, raw codes, PMU terms, tracepoints,
 * breakpoints, uprobes by symbol, groups and modifiers, as perf record does (FORMAT.md 5.2).
 */
#ifndef RECORD_EVENTS_EVENT_PARSE_H
#define RECORD_EVENTS_EVENT_PARSE_H

#include "record/model/rec_opts.h"

/* Position of an error in the text of -e, under which the message prints a caret. */
struct event_parse_error {
	size_t pos; /* index of the byte */
	/* suggestions of one or more lines (nearest names, valid terms); "": none */
	char help[400];
};

/*
 * Appends the events of `text` to l. o supplies the host's roots and diag for warnings. On failure
 * l is unchanged, e has the cause and *where its position in the text. PERR_USAGE: malformed text;
 * PERR_NOTFOUND: nothing has that name; PERR_UNSUPPORTED: a term or probe that is not supported
 * here; PERR_IO, PERR_KERNEL, PERR_FORMAT: tracefs, sysfs or a probed file cannot be read.
 */
int event_parse(struct rec_evlist *l, const struct rec_opts *o, const char *text,
		struct event_parse_error *where, struct perr *e) MUST_CHECK;

/*
 * Adds the value of --filter to the tracepoints and uprobes of the last event_parse; several
 * filters are combined with &&. Fails with PERR_USAGE if there are no such events.
 */
int event_parse_filter(struct rec_evlist *l, const char *text, struct perr *e) MUST_CHECK;

/*
 * Appends the default event of perf record: hardware cycles, as precise as possible. For machines
 * with one kind of CPU core; callers use event_parse_defaults.
 */
struct rec_event *event_parse_default(struct rec_evlist *l);

/*
 * Appends the events that are recorded without -e: the default event, on machines with several
 * kinds of CPU cores one for the PMU of each kind. Returns their number.
 */
size_t event_parse_defaults(struct rec_evlist *l, const struct rec_opts *o);

#endif

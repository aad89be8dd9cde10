/* SPDX-License-Identifier: MIT */
/*
 * The names that an expression can use about one event: the fields of its tracepoint, as the
 * recording describes them, and what every sample has.
 */
#ifndef EVENTS_EXPR_EVENT_FIELDS_H
#define EVENTS_EXPR_EVENT_FIELDS_H

#include "base/err.h"
#include "fileformat/sample.h"
#include "fileformat/trace_field.h"

/* What every sample has, whatever its event. Written with a $ where a field has the same name. */
enum sample_own {
	OWN_NONE,
	OWN_CPU,
	OWN_PID,
	OWN_TID,
	OWN_COMM, /* text: the thread's name at that time */
	OWN_TIME, /* ns */
	OWN_IP,
	OWN_ADDR,
	OWN_PERIOD,
};

/* One event's fields. All zero: an event that has none. */
struct event_fields {
	struct pd_trace_field *fields;
	size_t nr, cap;
	char *event; /* a copy of its name, which a stream may change; NULL: unknown */
};

/* Reads the fields of a tracepoint's format text, which must outlive ef. */
void event_fields_init(struct event_fields *ef, struct span format);
/* Reads the fields of an event of a recording. An event without a description has none. */
void event_fields_of(struct event_fields *ef, const struct perfdata *pd, const struct pd_event *ev);
void event_fields_fini(struct event_fields *ef);

/* The field of this name; NULL without one. Borrowed until event_fields_fini(). */
const struct pd_trace_field *event_fields_find(const struct event_fields *ef, struct span name);

/* What `name` (without a $) means of every sample; OWN_NONE: nothing. */
enum sample_own sample_own_find(struct span name);

/* Names that are like one that was not found, for a message: "prev_pid, next_pid, ...". Writes at
 * most n bytes with the NUL. */
void event_fields_list(const struct event_fields *ef, char *buf, size_t n);

#endif

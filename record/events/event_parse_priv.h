/* SPDX-License-Identifier: MIT */
/* The kinds of events and the groups that the text of -e is made of: one function for each. */
#ifndef RECORD_EVENTS_EVENT_PARSE_PRIV_H
#define RECORD_EVENTS_EVENT_PARSE_PRIV_H

#include "record/events/event_scan.h"

/* Each reads at s->pos and moves s->pos behind what it read. Errors as event_parse. */

/* An event that starts with its name: of the kernel, of a PMU, or a tracepoint. */
int scan_named(struct event_scan *s) MUST_CHECK;

/* "mem:ADDRESS/LENGTH:ACCESS". */
int scan_breakpoint(struct event_scan *s) MUST_CHECK;

/* "uprobe:FILE:FUNCTION" and "uretprobe:FILE:FUNCTION". */
int scan_uprobe(struct event_scan *s) MUST_CHECK;

/* A group "{a,b}:MODIFIERS" whose '{' is at s->pos. name: malloc'd and taken; NULL: no name. */
int scan_group(struct event_scan *s, char *name) MUST_CHECK;

/*
 * Appends the tracepoints of "system:name", each of which may be a glob. pos: where `system` stands
 * in the text, for messages. s->pos does not move.
 */
int scan_tracepoint(struct event_scan *s, size_t pos, const char *system,
		    const char *name) MUST_CHECK;

#endif

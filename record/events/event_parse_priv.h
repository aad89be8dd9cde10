/* SPDX-License-Identifier: MIT */
/* One function for each kind of event in the text of -e, and one for groups. */
#ifndef RECORD_EVENTS_EVENT_PARSE_PRIV_H
#define RECORD_EVENTS_EVENT_PARSE_PRIV_H

#include "record/events/event_scan.h"

/*
 * The functions below read at s->pos and move s->pos behind what they read. Errors are those of
 * event_parse.
 */

/* Reads an event that starts with its name: of the kernel, of a PMU, or a tracepoint. */
int scan_named(struct event_scan *s) MUST_CHECK;

/* Reads a breakpoint "mem:ADDRESS/LENGTH:ACCESS". */
int scan_breakpoint(struct event_scan *s) MUST_CHECK;

/* Reads "uprobe:FILE:FUNCTION", and the same with uretprobe or uret. */
int scan_uprobe(struct event_scan *s) MUST_CHECK;

/* Reads "usdt:FILE:PROVIDER:NAME". */
int scan_usdt(struct event_scan *s) MUST_CHECK;

/*
 * Reads a group "{a,b}:MODIFIERS" whose '{' is at s->pos. Frees name, which is malloc'd; NULL:
 * unnamed.
 */
int scan_group(struct event_scan *s, char *name) MUST_CHECK;

/*
 * Appends the tracepoints that match "system:name", both of which may be globs. pos: position of
 * `system` in the text, for messages. s->pos does not change.
 */
int scan_tracepoint(struct event_scan *s, size_t pos, const char *system,
		    const char *name) MUST_CHECK;

#endif

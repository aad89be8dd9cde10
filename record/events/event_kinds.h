/* SPDX-License-Identifier: MIT */
/*
 * Tells from the start of a text which kind of event it is: a breakpoint, a uprobe or a named
 * event.
 */
#ifndef RECORD_EVENTS_EVENT_KINDS_H
#define RECORD_EVENTS_EVENT_KINDS_H

#include "record/events/event_scan.h"

/*
 * Reads one event at s->pos, which must not be a blank, with its terms and modifiers, appends it to
 * s->l and moves s->pos behind it. Appends several events if the name stands for several. Errors
 * are those of event_parse, with their position in s->where.
 */
int scan_event(struct event_scan *s) MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/* Which kind of event a text begins: a breakpoint, a uprobe, or an event with a name. */
#ifndef RECORD_EVENTS_EVENT_KINDS_H
#define RECORD_EVENTS_EVENT_KINDS_H

#include "record/events/event_scan.h"

/*
 * Reads one event at s->pos, which must not be a blank, with its terms and modifiers, appends it to
 * s->l and moves s->pos behind it. A name that stands for several events appends all of them.
 * Errors as event_parse, with their place in s->where.
 */
int scan_event(struct event_scan *s) MUST_CHECK;

#endif

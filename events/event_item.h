/* SPDX-License-Identifier: MIT */
/* One event as -b and -e have it: "?sched:sched_switch/prev_state == 0/key=prev_pid/". */
#ifndef EVENTS_EVENT_ITEM_H
#define EVENTS_EVENT_ITEM_H

#include "base/bytes.h"
#include "base/err.h"

struct event_item {
	struct span name, condition, key; /* empty: there is none */
	bool optional;                    /* it begins with ? */
};

/* Takes an item apart; the spans point into text. PERR_USAGE: it does not end with its last /. */
int event_item_split(struct span text, struct event_item *ret, struct perr *e) MUST_CHECK;

#endif

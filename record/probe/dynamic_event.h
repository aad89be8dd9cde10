/* SPDX-License-Identifier: MIT */
/* The probes that users have made in tracefs: they are tracepoints; what lies behind them. */
#ifndef RECORD_PROBE_DYNAMIC_EVENT_H
#define RECORD_PROBE_DYNAMIC_EVENT_H

#include "base/types.h"

struct dynamic_event {
	char *system, *name;
	char *text; /* "uprobe at /bin/app:0x1130" */
};

struct dynamic_events {
	struct dynamic_event *v;
	size_t nr, cap;
};

/* Reads uprobe_events and kprobe_events below root; what cannot be read is left out. */
void dynamic_events_read(const char *root, struct dynamic_events *ret);
void dynamic_events_fini(struct dynamic_events *l);

/* Its text, borrowed; NULL when nobody made a tracepoint of that name. */
const char *dynamic_event_find(const struct dynamic_events *l, const char *system,
			       const char *name);

#endif

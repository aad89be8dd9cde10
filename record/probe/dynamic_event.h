/* SPDX-License-Identifier: MIT */
/*
 * Lists the probes that users have created in tracefs. They are tracepoints; this tells what they
 * probe.
 */
#ifndef RECORD_PROBE_DYNAMIC_EVENT_H
#define RECORD_PROBE_DYNAMIC_EVENT_H

#include "base/types.h"

struct dynamic_event {
	char *system, *name;
	char *text; /* what it probes: "uprobe at /bin/app:0x1130" */
};

struct dynamic_events {
	struct dynamic_event *v;
	size_t nr, cap;
};

/*
 * Reads uprobe_events and kprobe_events below root, the folder of tracefs, without those that
 * cannot be read. The caller frees *ret with dynamic_events_fini.
 */
void dynamic_events_read(const char *root, struct dynamic_events *ret);
void dynamic_events_fini(struct dynamic_events *l);

/*
 * Returns the text of a probe, which l owns, or NULL if this tracepoint is not a probe of a user.
 */
const char *dynamic_event_find(const struct dynamic_events *l, const char *system,
			       const char *name);

#endif

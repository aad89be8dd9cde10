/* SPDX-License-Identifier: MIT */
/* Counts the switches of threads that are missing among the samples of sched:sched_switch. */
#ifndef REPORT_PSCRIPT_SCRIPT_SWITCHES_H
#define REPORT_PSCRIPT_SCRIPT_SWITCHES_H

#include "fileformat/perfdata.h"
#include "fileformat/sample.h"
#include "fileformat/trace_field.h"
#include "session/switch_gaps.h"

/* All zero: no sample was seen yet. */
struct script_switches {
	struct switch_gaps gaps;
	const struct pd_event *known; /* the event that was asked about last */
	bool known_is_switch;
	const struct pd_event *fields_of; /* NULL: none */
	struct pd_trace_field prev, next, comm;
	bool has_comm;
};
void script_switches_fini(struct script_switches *w);

/* A sample, in the order of time. pd outlives w. */
void script_switches_take(struct script_switches *w, const struct perfdata *pd,
			  const struct pd_event *ev, const struct pd_sample *s);

#endif

/* SPDX-License-Identifier: MIT */
/* Makes events of a PMU from pmu/terms/. */
#ifndef RECORD_EVENTS_PMU_EVENT_H
#define RECORD_EVENTS_PMU_EVENT_H

#include "record/events/event_terms.h"

/*
 * Appends an event of this PMU with the terms t: fields of the PMU's format, its named events, for
 * PMUs of CPU cores names of hardware and cache events, and terms of event_terms_apply. name is
 * copied. Errors are those of event_parse; the event then stays in s->l until event_parse removes
 * it.
 */
int pmu_event_add(struct event_scan *s, const struct pmu *pmu, const struct event_terms *t,
		  const char *name) MUST_CHECK;

/* Restricts ev to the PMU's CPUs, if sysfs lists them. Call it once for an event. */
void pmu_event_set_cpus(struct rec_event *ev, const struct pmu *pmu);

#endif

/* SPDX-License-Identifier: MIT */
/* Events of a PMU: pmu/terms/. */
#ifndef RECORD_EVENTS_PMU_EVENT_H
#define RECORD_EVENTS_PMU_EVENT_H

#include "record/events/event_terms.h"

/*
 * Appends an event of this PMU with the terms t: fields of the PMU's format, its aliases, names of
 * hardware and cache events for PMUs of CPUs, or the terms of event_terms_apply. `name` is copied.
 * Errors as event_parse; the event is then in s->l already, and event_parse removes it.
 */
int pmu_event_add(struct event_scan *s, const struct pmu *pmu, const struct event_terms *t,
		  const char *name) MUST_CHECK;

/* Restricts ev to the PMU's CPUs, where sysfs lists them. */
void pmu_event_set_cpus(struct rec_event *ev, const struct pmu *pmu);

#endif

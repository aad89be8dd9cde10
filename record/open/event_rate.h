/* SPDX-License-Identifier: MIT */
/* Changes the rate of events that are open (--max-cpu). */
#ifndef RECORD_OPEN_EVENT_RATE_H
#define RECORD_OPEN_EVENT_RATE_H

#include "record/open/event_open.h"

/*
 * Returns the lowest rate, in samples per second and CPU, among the events that are sampled at one:
 * those with a frequency, and clocks with a period. 0: there are none.
 */
double event_rate_lowest(const struct rec_evlist *l);

/*
 * Lets these events take `share` (above 0, at most 1) of the samples that they were opened for. The
 * kernel writes true periods into the samples of all but clocks, whose period_now this sets. Events
 * on CPUs only: copies that tasks have inherited keep their rate. Errors of the system calls are
 * ignored.
 */
void event_rate_set(struct rec_evlist *l, double share, const struct rec_sys *sys);

#endif

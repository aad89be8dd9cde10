/* SPDX-License-Identifier: MIT */
/*
 * Which events of a recording are folded. Counts of different events do not add up, but for the two
 * halves of an event on hybrid CPUs: cpu_core/cycles/ and cpu_atom/cycles/.
 */
#ifndef FOLD_FOLD_EVENTS_H
#define FOLD_FOLD_EVENTS_H

#include "fileformat/perfdata.h"

struct counts;

/*
 * Length of what is the same in the names of an event on the kinds of CPUs of a hybrid machine, and
 * where it begins: "cycles/u" of "cpu_core/cycles/u". The whole name for other events.
 */
struct span fold_event_base(const char *name);

/*
 * Sets ret_wanted[0..c->nr_events). want: a name as pevlist prints it, or what the two halves of an
 * event have in common ("cycles" for "cpu_core/cycles/"); NULL: the one event that has samples.
 * PERR_USAGE with *ret_choices when several have, or when there is none of that name: the events
 * with samples, one line each, malloc'd and the caller's.
 */
int fold_events_choose(const struct perfdata *pd, const struct counts *c, const char *want,
		       bool *ret_wanted, char **ret_choices, struct perr *e) MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Completes the attr of every event from the options, as perf record 6.1 does (FORMAT.md 5.4), adds
 * a dummy event for the side-band if no other event may carry it, and chooses the size that all
 * attrs of the file have.
 */
#ifndef RECORD_OPEN_EVENT_CONFIG_H
#define RECORD_OPEN_EVENT_CONFIG_H

#include "record/model/rec_opts.h"
#include "record/open/target.h"

/*
 * Call it once, after parsing and before opening. May append the dummy event to l. Warnings go to
 * o->diag. Fails with PERR_USAGE if options exclude each other or do not fit an event.
 */
int event_config(struct rec_evlist *l, struct rec_opts *o, const struct rec_target *t,
		 struct perr *e) MUST_CHECK;

/* Prints "perf_event_attr:" and the attr's fields as perf -vv prints them before each open. */
void attr_print(const struct pd_attr *a, FILE *f);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Options to attrs: completes the attr of every event as perf record 6.1 does (FORMAT.md 5.4), adds
 * the dummy event that carries the side-band where none of the others may, and settles the one
 * attr size of the file.
 */
#ifndef RECORD_OPEN_EVENT_CONFIG_H
#define RECORD_OPEN_EVENT_CONFIG_H

#include "record/model/rec_opts.h"
#include "record/open/target.h"

/*
 * To be called once, after parsing and before opening. PERR_USAGE for options that exclude each
 * other or that an event cannot have.
 */
int event_config(struct rec_evlist *l, struct rec_opts *o, const struct rec_target *t,
		 struct perr *e) MUST_CHECK;

/* "perf_event_attr:" and its fields as perf -vv prints them before each open, for -vv and tests. */
void attr_print(const struct pd_attr *a, FILE *f);

#endif

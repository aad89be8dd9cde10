/* SPDX-License-Identifier: MIT */
/* prec --list-events: what perf list shows. */
#ifndef RECORD_EVENTS_EVENT_LIST_H
#define RECORD_EVENTS_EVENT_LIST_H

#include <stdio.h>

#include "record/model/rec_opts.h"

/*
 * Prints the events whose names match one of the nr globs (all when nr is 0), or that are of the
 * kind a word names: hw sw cache tracepoint pmu sdt metric uprobe. Returns the number printed.
 */
size_t event_list_print(const struct rec_opts *o, char **globs, size_t nr, bool json, FILE *f);

#endif

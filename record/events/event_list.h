/* SPDX-License-Identifier: MIT */
/* Prints the list of events for prec --list-events, in the form of perf list. */
#ifndef RECORD_EVENTS_EVENT_LIST_H
#define RECORD_EVENTS_EVENT_LIST_H

#include <stdio.h>

#include "record/model/rec_opts.h"

/*
 * Prints to f the events whose names match one of the nr globs (all events if nr is 0), or that are
 * of the kind that a word names: hw sw cache tracepoint pmu sdt metric uprobe. Hardware, software
 * and cache events that the kernel cannot open are left out. Warns in o->diag if tracepoints cannot
 * be listed. Returns the number of events printed.
 */
size_t event_list_print(const struct rec_opts *o, char **globs, size_t nr, bool json, FILE *f);

#endif

/* SPDX-License-Identifier: MIT */
/* --hierarchy: one level of lines for each sort key, such as comm, object, symbol. */
#ifndef REPORT_PREP_HIST_HIERARCHY_H
#define REPORT_PREP_HIST_HIERARCHY_H

#include "report/prep/hist_text.h"

/*
 * Appends a histogram that hist_arrange() made ready, one level for each key, with call chains
 * below the last key. titles: print the column titles first. Changes the order of t->h->lines.
 */
void hist_print_hierarchy(struct out *o, struct hist_text *t, bool titles);

#endif

/* SPDX-License-Identifier: MIT */
/* --hierarchy: the keys one below the other, each with its share of the one above. */
#ifndef REPORT_PREP_HIST_HIERARCHY_H
#define REPORT_PREP_HIST_HIERARCHY_H

#include "report/prep/hist_text.h"

/*
 * Appends an arranged histogram (hist_arrange), the chains below the innermost key. The lines of
 * t->h are put in the order of the hierarchy.
 */
void hist_print_hierarchy(struct out *o, struct hist_text *t, bool titles);

#endif

/* SPDX-License-Identifier: MIT */
/* Lines of comments above prep's tables, fitted to the terminal. */
#ifndef REPORT_PREP_PREP_COMMENTS_H
#define REPORT_PREP_PREP_COMMENTS_H

#include "report/table/hist_columns.h"
#include "session/filter.h"

/* Prints how the header is shown. */
void prep_print_hint(struct out *o);

/* Prints the columns that a filter with one name leaves one value in, in their order. */
void prep_print_elided(struct out *to, const struct filter *f, const struct hist_layout *l);

#endif

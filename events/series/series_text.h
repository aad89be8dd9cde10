/* SPDX-License-Identifier: MIT */
/* What is printed of a series: one table of its legs and of the whole; or JSON, or lines of values.
 */
#ifndef EVENTS_SERIES_SERIES_TEXT_H
#define EVENTS_SERIES_SERIES_TEXT_H

#include "events/series/series.h"
#include "events/table_text.h"

/* Writes it all. until: when an interval ended, in ns; 0: this is the end. */
void series_text_put(struct out *o, struct series *c, const struct table_options *opt,
		     struct value_text *t, u64 until);

#endif

/* SPDX-License-Identifier: MIT */
/* What was not freed, as text: by call stack, by thread name or by process. */
#ifndef EVENTS_LEAK_LEAK_REPORT_H
#define EVENTS_LEAK_LEAK_REPORT_H

#include "events/leak/leak_options.h"
#include "events/leak/leak_source.h"

struct leak_row;

struct leak_report {
	const struct leak_options *opt;
	struct leak_source *src;
	struct leak_row *rows; /* in the order in which they are printed */
	size_t nr;
};

/* Makes the rows as of a time, ns. All is borrowed until leak_report_fini(). */
void leak_report_init(struct leak_report *r, const struct leak_options *opt,
		      struct leak_source *src, u64 now);
void leak_report_fini(struct leak_report *r);

/* Writes the table, and what is uncertain about it. */
void leak_report_put(const struct leak_report *r, struct out *o);
/* Writes the stacks of what was surely not freed: functions, outermost first, and bytes. */
void leak_report_put_folded(const struct leak_report *r, struct out *o);

#endif

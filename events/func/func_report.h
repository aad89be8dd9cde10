/* SPDX-License-Identifier: MIT */
/* What plat func prints. */
#ifndef EVENTS_FUNC_FUNC_REPORT_H
#define EVENTS_FUNC_FUNC_REPORT_H

#include "events/func/func_options.h"
#include "events/func/func_source.h"

/* Writes the table, then the histograms and trees that the options ask for, then the events that
 * belong to no call. */
void func_report_put(struct out *o, const struct func_options *opt, const struct func_source *src);

/*
 * The numbers of the rows to print, in their order; the caller frees them. *ret_nr: how many; at
 * most --top.
 */
u32 *func_report_order(const struct func_options *opt, const struct func_table *t, size_t *ret_nr);

/* -I: writes a line with the time, in ns, at which an interval ended. */
void func_report_put_time(struct out *o, u64 time);

/* --than: writes one call with those in it. */
void func_report_put_slow(struct out *o, const struct func_options *opt, struct func_table *t,
			  const struct func_slow *s);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Filters on threads and places, applied to rows after counting, for tables whose shares are of all
 * samples.
 */
#ifndef REPORT_TABLE_WANTED_ROWS_H
#define REPORT_TABLE_WANTED_ROWS_H

#include "session/session.h"
#include "session/filter.h"

struct counts;

/* True if the filter has conditions on threads or places. */
bool filters_rows(const struct filter *f);

/*
 * Returns for each row of c whether it passes the conditions on comm, pid, tid, parallelism,
 * object and symbol. The rows need these columns: COUNT_COMM, COUNT_PID, COUNT_TID,
 * COUNT_PARALLELISM if it has that condition, and COUNT_IP if filter_needs_frame(). The caller
 * frees the array. If no row passes, the session's diag gets a warning that says which filter is
 * why.
 */
bool *wanted_rows(const struct filter *f, const struct session *s, const struct counts *c);

#endif

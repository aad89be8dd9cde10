/* SPDX-License-Identifier: MIT */
/* What a recording's events have for prep's options: branch stacks, call chains, data sources. */
#ifndef REPORT_PREP_PREP_DATA_H
#define REPORT_PREP_PREP_DATA_H

#include "fileformat/perfdata.h"
#include "report/prep/prep_options.h"
#include "report/table/hist_columns.h"

/* True if an event has one of these sample_type bits. */
bool prep_any_event(const struct perfdata *pd, u64 sample_type);

/* True if rows are branches: by -b and --no-branch-stack, else by the header. */
bool prep_has_branch_rows(const struct prep_options *o, const struct perfdata *pd);

/* True if an event was recorded with context switches. */
bool prep_has_switches(const struct perfdata *pd);

/* PERR_USAGE when an option or a column of the table needs context switches and there are none. */
int prep_check_switches(const struct prep_options *o, const struct perfdata *pd,
			const struct hist_layout *l, struct perr *e) MUST_CHECK;

/*
 * PERR_USAGE when an option needs data that no event of the recording has; keys: enum key_flags of
 * the table's keys. As in perf nothing is required of a stream, whose events come with its records.
 */
int prep_check_data(const struct prep_options *o, const struct perfdata *pd, u32 keys,
		    struct perr *e) MUST_CHECK;

#endif

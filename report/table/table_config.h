/* SPDX-License-Identifier: MIT */
/* What a table of counted samples is to be like: its keys, its columns, and what it leaves out. */
#ifndef REPORT_TABLE_TABLE_CONFIG_H
#define REPORT_TABLE_TABLE_CONFIG_H

#include "session/filter.h"

enum table_mode {
	TABLE_NORMAL,
	TABLE_BRANCH, /* a row stands for a branch: where it starts and where it goes */
	TABLE_MEMORY, /* a row stands for memory accesses, which count by their weight */
};

/* Strings and the filter are borrowed for as long as the table lives; NULL: not given. */
struct table_config {
	enum table_mode mode;
	const char *sort;            /* keys, separated by commas, as of -s */
	const char *fields;          /* columns, as of -F */
	const char *widths;          /* of the first columns: "10,20" */
	const struct filter *filter; /* a column that it leaves one value in is not shown */
	const char *symbol_filter;   /* only entries whose symbol's name holds this text */
	const char *parent;          /* regex of the callers that the parent key shows */
	const char *ignore_callees;  /* regex: what these functions call counts as theirs */
	bool exclude_other;          /* leave out samples that have no such parent */
	bool hide_unresolved;        /* leave out frames without a symbol */
	s64 socket;                  /* only samples of this socket; -1: all */
	u32 max_stack;               /* frames of a chain that the kernel recorded */
	s64 group_sort_idx;          /* the event of a group that sorts first; -1: the leader */
	bool show_samples, show_period, show_cpu_modes; /* more columns, before the keys */
	bool hierarchy;                                 /* keys are shown one below the other */
	bool separated; /* a separator stands between cells: columns need not be aligned */
	int verbose;    /* above 0: addresses, and full paths of objects */
	bool full_source_path;
	bool raw_trace; /* payloads of tracepoints as their fields, not in words */
	bool ns;        /* times in nanoseconds, else in microseconds */
};

#endif

/* SPDX-License-Identifier: MIT */
/* Options of a table of counted samples: its keys, its columns, and what it leaves out. */
#ifndef REPORT_TABLE_TABLE_CONFIG_H
#define REPORT_TABLE_TABLE_CONFIG_H

#include "session/filter.h"

/* What the rows of a table stand for. */
enum table_mode {
	TABLE_NORMAL, /* code that samples were taken in */
	TABLE_BRANCH, /* branches: where they start and where they go */
	TABLE_MEMORY, /* memory accesses, which count by their weight */
	TABLE_DIFF,   /* code, as with TABLE_NORMAL, compared with other recordings */
};

/*
 * The options of one table. Strings and the filter are borrowed as long as the table lives; strings
 * are NULL if not given.
 */
struct table_config {
	enum table_mode mode;
	const char *sort;            /* keys, separated by commas, as of -s */
	const char *fields;          /* columns, as of -F */
	const char *widths;          /* widths of the first columns in characters: -w "10,20" */
	const struct filter *filter; /* a column in which it leaves one value is not shown */
	const char *symbol_filter;   /* only entries whose symbol's name holds this text */
	const char *parent;          /* regex: the callers that the parent key shows */
	const char *ignore_callees;  /* regex: callees of matching functions count as theirs */
	bool exclude_other;          /* leave out samples without a caller that `parent` matches */
	bool hide_unresolved;        /* leave out frames without a symbol */
	s64 socket;                  /* only samples of this socket; -1: all */
	bool by_name;                /* functions of one object with equal names are one function */
	u32 max_stack;               /* most frames of a chain that the kernel recorded */
	s64 group_sort_idx;          /* the event of a group that sorts first; -1: the leader */
	bool latency_first; /* --latency: Latency columns, which decide the order of rows */
	bool show_samples, show_period, show_cpu_modes; /* more columns, before the keys */
	bool hierarchy;                                 /* --hierarchy: one level for each key */
	bool separated; /* a separator stands between cells: columns need not be aligned */
	int verbose;    /* above 0: addresses, and full paths of objects */
	bool full_source_path;
	bool raw_trace; /* show tracepoint payloads as fields, not by their print fmt */
	bool ns;        /* show times with 9 decimals of a second, otherwise with 6 */
};

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Sort keys that are fields of tracepoints: "prev_pid" of any event that has it,
 * "sched_switch.prev_pid", "sched:sched_switch.prev_pid", and "trace_fields" for all of them.
 */
#ifndef REPORT_TABLE_SORT_TRACE_H
#define REPORT_TABLE_SORT_TRACE_H

#include "report/table/sort_key.h"
#include "base/blobs.h"

/* One field of one event. */
struct trace_column {
	u64 event_id; /* the attr's config */
	char *name;
	int width; /* the least */
	u32 off, size;
	bool dynamic;  /* its place is told by {u16 offset, u16 size} there */
	bool relative; /* ... from the end of that word */
	bool text;
	struct blobs values;
};

/* For all of them; in place of its header stands the field's name. */
extern const struct sort_key sort_key_trace_field;

/*
 * Fields that a word names; *cols is made when it is NULL. Returns how many; *ret and what it
 * points at live as long as *cols, unless it is asked again.
 */
size_t trace_columns_find(struct trace_columns **cols, const struct perfdata *pd, const char *word,
			  size_t len, struct trace_column *const **ret);
void trace_columns_free(struct trace_columns *c);

#endif

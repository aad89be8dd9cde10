/* SPDX-License-Identifier: MIT */
/*
 * Sort keys that are fields of tracepoints: "prev_pid" names the field in every event that has it,
 * "sched_switch.prev_pid" and "sched:sched_switch.prev_pid" in one event, "trace_fields" all fields
 * of all events.
 */
#ifndef REPORT_TABLE_SORT_TRACE_H
#define REPORT_TABLE_SORT_TRACE_H

#include "report/table/sort_key.h"
#include "base/blobs.h"
#include "fileformat/trace_field.h"

/* One field of one tracepoint event. */
struct trace_column {
	u64 event_id; /* the attr's config */
	char *name;
	int width; /* least width of the column, in characters */
	struct pd_trace_field field;
	struct blobs values; /* distinct values; their numbers are the key's ids */
};

/* The sort key of every field; key_inst.field says which. The field's name is its title. */
extern const struct sort_key sort_key_trace_field;

/*
 * Finds the fields that a word of -s or -F names and returns their number. *cols is allocated from
 * pd if it is NULL; free it with trace_columns_free(). The array *ret is valid until the next call
 * with these *cols, the fields until *cols is freed.
 */
size_t trace_columns_find(struct trace_columns **cols, const struct perfdata *pd, const char *word,
			  size_t len, struct trace_column *const **ret);
/* Frees the fields. NULL is allowed. */
void trace_columns_free(struct trace_columns *c);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * An event's attr as text, as perf has it in the "event :" lines of a header and in `evlist -v`:
 * that of perf 6.1 where the file's format says so, else that of 7.2. Unlike perf's, the names in
 * parentheses behind type and config come from the file, never from the machine it is read on.
 */
#ifndef REPORT_TEXT_ATTR_TEXT_H
#define REPORT_TEXT_ATTR_TEXT_H

#include "base/hash.h"
#include "base/out.h"
#include "fileformat/perfdata.h"

/* What a file says of PMUs and tracepoints; borrows from it. */
struct attr_text {
	struct idmap index; /* (type, 0): a PMU's name; (tracepoint id, 1): its name */
	struct attr_text_name {
		struct span a, b;   /* PMU, empty; or system, event */
		struct span format; /* of a tracepoint */
	} * names;
	size_t nr, cap;
	enum text_format format;
};

/* pd may be NULL: nothing is known then. */
void attr_text_init(struct attr_text *t, const struct perfdata *pd);
void attr_text_fini(struct attr_text *t);

/* Format text of the tracepoint with this id (tracing_data.h); empty where the file has none. */
struct span attr_text_format(const struct attr_text *t, u64 id);

enum attr_style {
	ATTR_HEADER, /* ", type = 1 (PERF_TYPE_SOFTWARE), size = 144": a separator before each */
	ATTR_EVLIST, /* " type: 1 (PERF_TYPE_SOFTWARE), size: 144": between them */
};

/*
 * Prints the fields that are not zero (for perf 7.2 type, size and config always). name is the
 * event's; it names the tracepoint where the file has no TRACING_DATA. May be NULL.
 */
void attr_text_print(const struct attr_text *t, struct out *o, const struct pd_attr *a,
		     const char *name, enum attr_style style);

#endif

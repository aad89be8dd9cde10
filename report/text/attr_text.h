/* SPDX-License-Identifier: MIT */
/*
 * Prints an event's perf_event_attr as perf does in the "event :" lines of a header and in `perf
 * evlist -v`, in the format of perf 6.1 if perfdata.format says so, else of 7.2. The names in
 * parentheses behind type and config come from the file; perf takes them from the machine that it
 * runs on.
 */
#ifndef REPORT_TEXT_ATTR_TEXT_H
#define REPORT_TEXT_ATTR_TEXT_H

#include "base/hash.h"
#include "base/out.h"
#include "fileformat/perfdata.h"

/* The names of PMUs and tracepoints in a file. Spans point into the file's data. */
struct attr_text {
	struct idmap index; /* (type, 0) of a PMU, (id, 1) of a tracepoint -> index in names */
	struct attr_text_name {
		struct span a, b;   /* a PMU's name and nothing; or a tracepoint's system, name */
		struct span format; /* a tracepoint's format text */
	} * names;
	size_t nr, cap;
	enum text_format format;
};

/*
 * Collects the names in pd, which is borrowed until attr_text_fini(). With a NULL pd there are no
 * names. Damaged parts of the file are skipped without a message.
 */
void attr_text_init(struct attr_text *t, const struct perfdata *pd);
void attr_text_fini(struct attr_text *t);

/* Returns the format text of the tracepoint with this id, empty if the file does not have it. */
struct span attr_text_format(const struct attr_text *t, u64 id);

/* The two layouts of an attr. */
enum attr_style {
	ATTR_HEADER, /* ", type = 1 (PERF_TYPE_SOFTWARE), size = 144": a comma before each field */
	ATTR_EVLIST, /* " type: 1 (PERF_TYPE_SOFTWARE), size: 144": commas between fields */
};

/*
 * Appends the fields of an attr that are not zero; in perf 7.2's format also type, size and config
 * if they are zero. name is the event's name or NULL; it is used for a tracepoint that the file
 * does not describe.
 */
void attr_text_print(const struct attr_text *t, struct out *o, const struct pd_attr *a,
		     const char *name, enum attr_style style);

#endif

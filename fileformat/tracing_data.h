/* SPDX-License-Identifier: MIT */
/*
 * Decoder for TRACING_DATA, the descriptions of the recorded tracepoints, which the recorder copied
 * from tracefs (docs/FORMAT.md 1.5). The data states its own byte order. The kallsyms, printk and
 * cmdline texts at its end are not decoded.
 */
#ifndef FILEFORMAT_TRACING_DATA_H
#define FILEFORMAT_TRACING_DATA_H

#include "base/bytes.h"
#include "base/err.h"

struct pd_tracing {
	struct cursor c;
	u8 long_size;  /* sizeof(long) of the recording machine: 4 or 8 */
	u32 page_size; /* of the recording machine, in bytes */
	bool big_endian;
	struct span system; /* the system of the next tracepoint */
	u32 systems_left, events_left;
};

/* The format file of one tracepoint. All spans are borrowed from the blob. */
struct pd_tracepoint {
	struct span system; /* "sched" */
	struct span name;   /* "sched_switch" */
	u64 id;             /* attr.config of events of this tracepoint */
	struct span format; /* the text of the format file; its fields: trace_field.h */
};

/* Starts at the first tracepoint of a TRACING_DATA blob, which is borrowed. PERR_FORMAT: the bytes
 * are not a TRACING_DATA blob. */
int pd_tracing_open(struct span blob, struct pd_tracing *ret, struct perr *e) MUST_CHECK;

/* Returns 1 with the next tracepoint (the events of system "ftrace" come first), 0 after the last,
 * PERR_FORMAT if the blob ends inside one. */
int pd_tracing_next(struct pd_tracing *t, struct pd_tracepoint *ret, struct perr *e) MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The TRACING_DATA blob: descriptions of the tracepoints that were recorded, copied by the recorder
 * from tracefs (FORMAT.md 1.5). It has a byte order of its own and ends with texts that are not
 * read here.
 */
#ifndef FILEFORMAT_TRACING_DATA_H
#define FILEFORMAT_TRACING_DATA_H

#include "base/bytes.h"
#include "base/err.h"

struct pd_tracing {
	struct cursor c;
	u8 long_size;  /* bytes of the recorder's long: 4 or 8 */
	u32 page_size; /* bytes */
	bool big_endian;
	struct span system; /* whose events come next */
	u32 systems_left, events_left;
};

/* One tracepoint's format file. All spans are borrowed from the blob. */
struct pd_tracepoint {
	struct span system; /* "sched" */
	struct span name;   /* "sched_switch" */
	u64 id;             /* attr.config of its events */
	struct span format; /* whole text */
};

/* Reads up to the first format. PERR_FORMAT for what is no such blob. blob stays in use. */
int pd_tracing_open(struct span blob, struct pd_tracing *ret, struct perr *e) MUST_CHECK;

/* 1 with the next tracepoint (those of ftrace itself first), 0 at the end, PERR_FORMAT when cut. */
int pd_tracing_next(struct pd_tracing *t, struct pd_tracepoint *ret, struct perr *e) MUST_CHECK;

/*
 * Names of a format's own fields (not the common_ ones) in order: *pos starts as 0. False after the
 * last. "char prev_comm[16]" gives "prev_comm".
 */
bool pd_tracepoint_field(struct span format, size_t *pos, struct span *ret_name);

#endif

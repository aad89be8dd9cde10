/* SPDX-License-Identifier: MIT */
/* Makes the parts of a recording before and after its data from the open events and the host. */
#ifndef RECORD_HEAD_PARTS_H
#define RECORD_HEAD_PARTS_H

#include "record/ring/copier.h"
#include "record/header/host_features.h"
#include "record/sink/sink.h"

struct head_parts {
	struct pd_out_event *events;
	size_t nr_events;
	struct wbuf tracing_data, unwound;
	struct host_features host;
	struct pd_feature_out features[PD_FEAT_END + 1];
	struct pd_head head; /* refers to the members above; for sink_open and sink_switch */
};

/*
 * Makes the part before the data: attrs, ids, tracing data and the features known at the start.
 * Call it after event_open_all, which sets the events' ids. expand: bytes that one compressed
 * record may expand to, for COMPRESSED.mmap_len. h borrows the names of l; the caller ends with
 * head_parts_fini. Fails with PERR_IO or PERR_NOTFOUND if tracefs cannot be read.
 */
int head_parts_make(struct head_parts *h, const struct rec_evlist *l, const struct rec_opts *o,
		    u64 expand, struct perr *e) MUST_CHECK;
void head_parts_fini(struct head_parts *h);

/*
 * Appends the payload of UNWOUND about the events that are unwound; nothing if there are none.
 * live: what was done; NULL: nothing yet.
 */
void head_put_unwound(struct wbuf *b, const struct rec_evlist *l, const struct live_chains *live);

/*
 * The features known only at the end of a recording: BUILD_ID (unless ids is NULL or empty),
 * SAMPLE_TIME, and COMPRESSED with its ratio if the recording was compressed.
 */
struct late_parts {
	struct wbuf build_id, sample_time, compressed, unwound;
	struct pd_feature_out features[4];
	size_t nr;
};
/*
 * Fills *p; the caller ends with late_parts_fini. ids may be NULL for a recording without
 * build-ids. Warns in o->diag if there was no time to read all build-ids. expand: as in
 * head_parts_make.
 */
void late_parts_make(struct late_parts *p, struct rec_buildids *ids, const struct rec_opts *o,
		     const struct rec_counts *counts, const struct rec_sink_stat *stat, u64 expand);
/* Adds UNWOUND, if events are unwound. */
void late_parts_add_unwound(struct late_parts *p, const struct rec_evlist *l,
			    const struct live_chains *live);
void late_parts_fini(struct late_parts *p);

#endif

/* SPDX-License-Identifier: MIT */
/* What stands in front of the data of a recording, and behind it, made from the open events. */
#ifndef RECORD_HEAD_PARTS_H
#define RECORD_HEAD_PARTS_H

#include "record/ring/copier.h"
#include "record/header/host_features.h"
#include "record/sink/sink.h"

struct head_parts {
	struct pd_out_event *events;
	size_t nr_events;
	struct wbuf tracing_data;
	struct host_features host;
	struct pd_feature_out features[PD_FEAT_END];
	struct pd_head head; /* of the parts above, for sink_open and sink_switch */
};

/* l is open: its ids are known. expand: COMPRESSED.mmap_len. PERR_IO: tracefs cannot be read. */
int head_parts_make(struct head_parts *h, const struct rec_evlist *l, const struct rec_opts *o,
		    u64 expand, struct perr *e) MUST_CHECK;
void head_parts_fini(struct head_parts *h);

/* The features that are known at the end: BUILD_ID, SAMPLE_TIME, COMPRESSED with its ratio. */
struct late_parts {
	struct wbuf build_id, sample_time, compressed;
	struct pd_feature_out features[3];
	size_t nr;
};
void late_parts_make(struct late_parts *p, struct rec_buildids *ids, const struct rec_opts *o,
		     const struct rec_counts *counts, const struct rec_sink_stat *stat, u64 expand);
void late_parts_fini(struct late_parts *p);

#endif

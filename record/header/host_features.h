/* SPDX-License-Identifier: MIT */
/*
 * Facts about the host, as the payloads of the feature sections that are known before
 * the recording starts: all of FORMAT.md 1.4 that apply.
 */
#ifndef RECORD_HEADER_HOST_FEATURES_H
#define RECORD_HEADER_HOST_FEATURES_H

#include "fileformat/write/feature_encode.h"
#include "record/model/rec_opts.h"

struct host_features {
	struct wbuf payload[PD_FEAT_END];
	bool present[PD_FEAT_END];
	struct pd_feature_out out[PD_FEAT_END]; /* the present ones, ascending */
	size_t nr_out;
};

/*
 * Reads the host (o->host's roots). events: as they stand in the file, for EVENT_DESC; groups for
 * GROUP_DESC. What the host does not tell is left out. mmap_bytes: COMPRESSED.mmap_len.
 */
void host_features_read(struct host_features *f, const struct rec_opts *o,
			const struct rec_evlist *l, const struct pd_out_event *events,
			u64 mmap_bytes);
void host_features_fini(struct host_features *f);

/*
 * TRACING_DATA of the tracepoints in l (FORMAT.md 1.5), with printk_formats, without kallsyms and
 * saved_cmdlines. Errors of tracefs_find; PERR_IO when a format cannot be read.
 */
int tracing_data_encode(struct wbuf *b, const struct rec_evlist *l, const struct rec_opts *o,
			struct perr *e) MUST_CHECK;

#endif

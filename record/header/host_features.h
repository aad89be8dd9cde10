/* SPDX-License-Identifier: MIT */
/*
 * Makes the payloads of the feature sections that describe the host and the recording and are known
 * before it starts: all of FORMAT.md 1.4 that apply.
 */
#ifndef RECORD_HEADER_HOST_FEATURES_H
#define RECORD_HEADER_HOST_FEATURES_H

#include "fileformat/write/feature_encode.h"
#include "record/model/rec_opts.h"

struct host_features {
	struct wbuf payload[PD_FEAT_END];
	bool present[PD_FEAT_END];
	struct pd_feature_out out[PD_FEAT_END]; /* features that are present, by ascending bit */
	size_t nr_out;
};

/*
 * Reads the host's description below the roots in o->host, and clock, command line and groups from
 * o and l. events: the events as the file lists them, for EVENT_DESC. mmap_bytes:
 * COMPRESSED.mmap_len. Features that cannot be read are left out. The caller frees *f with
 * host_features_fini.
 */
void host_features_read(struct host_features *f, const struct rec_opts *o,
			const struct rec_evlist *l, const struct pd_out_event *events,
			u64 mmap_bytes);
void host_features_fini(struct host_features *f);

/*
 * Appends the payload of TRACING_DATA (FORMAT.md 1.5) for the tracepoints in l, with printk_formats
 * but without kallsyms and saved_cmdlines. Errors are those of tracefs_find, and PERR_IO if a
 * format cannot be read.
 */
int tracing_data_encode(struct wbuf *b, const struct rec_evlist *l, const struct rec_opts *o,
			struct perr *e) MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/* The parts of a converted recording before and after its records. */
#ifndef RECORD_CONVERT_CONVERT_HEAD_H
#define RECORD_CONVERT_CONVERT_HEAD_H

#include "fileformat/perfdata.h"
#include "fileformat/write/feature_encode.h"
#include "record/live/chainer.h"

struct convert_head {
	struct pd_out_event *events;
	size_t nr_events;
	struct wbuf event_desc, unwound, compressed;
	struct pd_feature_out features[PD_NR_FEATURES];
	struct pd_head head; /* refers to the members above and to the recording */
};

/* compress: zstd level, at most 0: none. expand: as COMPRESSED.mmap_len. */
void convert_head_make(struct convert_head *h, const struct perfdata *pd, int compress, u64 expand);
void convert_head_fini(struct convert_head *h);

/*
 * Appends the payload of UNWOUND for the first nr_events events. chainer: what was done; NULL:
 * nothing yet.
 */
void convert_head_put_unwound(struct wbuf *b, const struct perfdata *pd, size_t nr_events,
			      const struct chainer *chainer);

/* Appends what a stream says of its events besides the head: their names, and that prec has unwound
 * them. */
void convert_head_put_marks(struct wbuf *b, const struct perfdata *pd);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The front and the end of a perf.data that is being written (FORMAT.md 1.2 to 1.4, 1.9), in this
 * machine's byte order. Record bodies: record_encode.h; feature payloads: feature_encode.h.
 */
#ifndef FILEFORMAT_WRITE_WRITER_H
#define FILEFORMAT_WRITE_WRITER_H

#include "base/wbuf.h"
#include "fileformat/attr.h"

struct pd_out_event {
	struct pd_attr attr;
	char *name;
	u64 *ids;
	size_t nr_ids;
};

/* A feature section; data is borrowed. A flag feature has an empty payload. */
struct pd_feature_out {
	u32 bit;
	struct span data;
};

/* What stands in front of the data. Borrowed from the caller throughout. */
struct pd_head {
	const struct pd_out_event *events;
	size_t nr_events;
	u32 attr_size;                         /* of every attr written: 64, 72, ... */
	const struct pd_feature_out *features; /* ascending bits */
	size_t nr_features;
};

/* Smallest published attr size (64, 72, 80, 96, 104, 112, 120, 128, 136, 144) that holds a. */
u32 pd_attr_size_needed(const struct pd_attr *a);

/* a as the first `size` bytes of a struct perf_event_attr whose size field says `size`. */
void pd_attr_encode(struct wbuf *b, const struct pd_attr *a, u32 size);

/* Where the parts of a file lie that was laid out by pd_put_head. */
struct pd_out_layout {
	u64 attrs_off, attrs_size, data_off;
	u64 feature_off[256]; /* payloads that stand in front; 0 where there is none */
	u32 feature_size[256];
	u64 feature_bits[4];
};

/*
 * Header, ids, attrs and feature payloads, padded to 8: b->n is then data_off. The header says data
 * size 0 and no features; pd_put_header writes it anew when there is data.
 */
void pd_put_head(struct wbuf *b, const struct pd_head *h, struct pd_out_layout *ret);

/* The 104 bytes of the header alone. bits: u64[4]. */
void pd_put_header(struct wbuf *b, const struct pd_out_layout *l, u32 attr_size, u64 data_size,
		   const u64 *bits);

/*
 * The table of the features in l, one entry per bit, and `late` payloads behind it, which stand in
 * for those of the same bit. at: file offset of the table, the data's end. ret_bits: u64[4].
 */
void pd_put_feature_table(struct wbuf *b, const struct pd_out_layout *l, u64 at,
			  const struct pd_feature_out *late, size_t nr_late, u64 *ret_bits);

/*
 * The 16 bytes that a pipe stream starts with, and its first records: HEADER_ATTR of at least 128
 * bytes, HEADER_FEATURE of what stock perf has there, each older perf knows and a record holds, and
 * TRACING_DATA. perf 7.x takes no names from a pipe's EVENT_DESC: pd_put_event_name gives them.
 * There is no end mark of the features: its number is another one in each perf, and report fails at
 * that of another.
 */
void pd_put_pipe_head(struct wbuf *b, const struct pd_head *h);

#endif

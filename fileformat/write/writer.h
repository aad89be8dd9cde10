/* SPDX-License-Identifier: MIT */
/*
 * Encodes the parts of a perf.data before and after its records (docs/FORMAT.md 1.2 to 1.4, 1.9),
 * in this machine's byte order. record_encode.h encodes records, feature_encode.h the payloads of
 * feature sections.
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

/* The contents of a file before its records. All pointers are borrowed. */
struct pd_head {
	const struct pd_out_event *events;
	size_t nr_events;
	u32 attr_size;                         /* bytes of every attr written: 64, 72, ... */
	const struct pd_feature_out *features; /* in ascending order of bit */
	size_t nr_features;
};

/* Returns the smallest size that some Linux version gave perf_event_attr (64, 72, 80, 96, 104, 112,
 * 120, 128, 136, 144) and that has all fields of a that are not 0. */
u32 pd_attr_size_needed(const struct pd_attr *a);

/* Appends a as the first `size` bytes of a struct perf_event_attr with size field `size`. */
void pd_attr_encode(struct wbuf *b, const struct pd_attr *a, u32 size);

/* File offsets and sizes, in bytes, of the parts that pd_put_head() has written. */
struct pd_out_layout {
	u64 attrs_off, attrs_size, data_off;
	u64 feature_off[256]; /* of payloads before the data; 0 for a feature without one */
	u32 feature_size[256];
	u64 feature_bits[4];
};

/*
 * Appends the header, ids, attrs and feature payloads to the empty buffer b and pads them to a
 * multiple of 8; the data begins there. The header says that the data has size 0 and that there are
 * no features, like the header of a recorder that was killed: overwrite it with the one of
 * pd_put_header() when the data is complete.
 */
void pd_put_head(struct wbuf *b, const struct pd_head *h, struct pd_out_layout *ret);

/*
 * Appends the 104 bytes of a file header. bits: u64[4], the bitmap of feature sections. mark_off:
 * file offset of the mark of a recorder that runs, see pd_put_running_mark(); 0: the recording is
 * finished.
 */
void pd_put_header(struct wbuf *b, const struct pd_out_layout *l, u32 attr_size, u64 data_size,
		   const u64 *bits, u64 mark_off);

/*
 * Appends the 16 bytes of the mark that says that the recorder runs (docs/FORMAT.md 1.7). wall_ns:
 * the time of this write, since the epoch.
 */
void pd_put_running_mark(struct wbuf *b, u64 wall_ns);

/*
 * Appends the table of feature sections, which follows the data, and the payloads `late`, which
 * replace payloads of the same bit in l. at: file offset of the table. ret_bits: u64[4], the bitmap
 * of all features for pd_put_header().
 */
void pd_put_feature_table(struct wbuf *b, const struct pd_out_layout *l, u64 at,
			  const struct pd_feature_out *late, size_t nr_late, u64 *ret_bits);

/*
 * Appends the 16 bytes of a pipe stream's header and its first records: HEADER_ATTR for each event,
 * with an attr of at least 128 bytes, the mark that the stream begins, HEADER_FEATURE for features
 * that stock perf also writes to pipes, that older versions know and that fit into a record, and
 * TRACING_DATA. perf 7.x does not take event names from a pipe's EVENT_DESC, so write them with
 * pd_put_event_name(). The record that marks the end of the features is left out: its number
 * differs between versions of perf, and perf report fails on the number of another version.
 */
void pd_put_pipe_head(struct wbuf *b, const struct pd_head *h);

#endif

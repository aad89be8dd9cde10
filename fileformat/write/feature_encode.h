/* SPDX-License-Identifier: MIT */
/*
 * Encoders for the payloads of feature sections (docs/FORMAT.md 1.4), in this machine's byte order.
 * Each function appends one payload to b. Text is padded to a multiple of 64 bytes, as perf pads
 * it.
 */
#ifndef FILEFORMAT_WRITE_FEATURE_ENCODE_H
#define FILEFORMAT_WRITE_FEATURE_ENCODE_H

#include "fileformat/feature/feature_unwound.h"
#include "fileformat/record.h"
#include "fileformat/write/writer.h"

void pd_put_string(struct wbuf *b, const char *s);
void pd_put_strings(struct wbuf *b, const char *const *s, size_t nr);

void pd_put_event_desc(struct wbuf *b, const struct pd_out_event *events, size_t nr, u32 attr_size);
struct pd_out_group {
	const char *name; /* NULL is written as "{anon_group}" */
	u32 leader_idx, nr_members;
};
void pd_put_group_desc(struct wbuf *b, const struct pd_out_group *groups, size_t nr);
void pd_put_build_id(struct wbuf *b, s32 pid, u16 cpumode, const struct pd_build_id *id,
		     const char *filename);
void pd_put_compressed(struct wbuf *b, const struct pd_compressed *c);
void pd_put_unwound(struct wbuf *b, const struct pd_unwound *events, size_t nr);
void pd_put_clock_data(struct wbuf *b, const struct pd_clock_data *c);
void pd_put_sample_time(struct wbuf *b, u64 first, u64 last);

#endif

/* SPDX-License-Identifier: MIT */
/* Copies records of a ring that are written as the kernel made them, but for one bit. */
#ifndef RECORD_RING_COPIED_RECORD_H
#define RECORD_RING_COPIED_RECORD_H

#include "base/wbuf.h"
#include "record/ring/sample_layout.h"

/*
 * Appends a record to out. Clears MISC_MMAP_BUILD_ID of a mapping that has none, which the kernel
 * leaves set while another recorder asks for build-ids (pd_mmap2_has_build_id()): perf 6.1 aborts
 * on it.
 */
/*
 * misc of a record as it is written: without the mark of a build-id that an MMAP2 record does not
 * have. The record lies in one part.
 */
u16 copied_record_misc(const u8 *record, u32 size);
void copied_record_put(const struct ring_view *v, struct wbuf *out);

#endif

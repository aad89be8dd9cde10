/* SPDX-License-Identifier: MIT */
/*
 * Build-ids of the files that were mapped while recording, gathered as the MMAP records pass, so
 * that the recording is not read again at its end.
 */
#ifndef RECORD_HEADER_BUILDIDS_H
#define RECORD_HEADER_BUILDIDS_H

#include "base/wbuf.h"
#include "record/model/rec_opts.h"

struct rec_buildids;
struct rec_buildids *buildids_new(const struct rec_host *host);
void buildids_free(struct rec_buildids *b);

/* One MMAP or MMAP2 record as it lies in the ring; cheap for files seen before. */
void buildids_note(struct rec_buildids *b, const u8 *record, size_t size);

/*
 * Payload of the BUILD_ID feature: every executable mapping's file, the kernel and its modules,
 * [vdso]. Ids that MMAP2 did not carry are read from the files now (of at most budget_ms; the
 * files left out are counted in *ret_missed). Directly after it, SAMPLE records' hits play no part:
 * as perf's --buildid-all.
 */
void buildids_encode(struct rec_buildids *b, u32 budget_ms, struct wbuf *out, u64 *ret_missed);

#endif

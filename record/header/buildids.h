/* SPDX-License-Identifier: MIT */
/*
 * Collects build-ids of the files mapped while recording from the MMAP records as they pass, so
 * that the recording need not be read again at its end.
 */
#ifndef RECORD_HEADER_BUILDIDS_H
#define RECORD_HEADER_BUILDIDS_H

#include "base/wbuf.h"
#include "record/model/rec_opts.h"

struct rec_buildids;
/* Returns an empty collection; free it with buildids_free. host is copied. */
struct rec_buildids *buildids_new(const struct rec_host *host);
void buildids_free(struct rec_buildids *b);

/*
 * Adds the file of one MMAP or MMAP2 record, in one piece and in this machine's byte order; ignores
 * other records. Takes a hash lookup for files seen before.
 */
void buildids_note(struct rec_buildids *b, const u8 *record, size_t size);

/*
 * Appends the payload of the BUILD_ID feature to *out: all executable files that were mapped, the
 * kernel, its modules and [vdso], whether samples hit them or not (as perf's --buildid-all).
 * Build-ids that MMAP2 records did not carry are read from the files now, for at most budget_ms;
 * *ret_missed counts the files left out then.
 */
void buildids_encode(struct rec_buildids *b, u32 budget_ms, struct wbuf *out, u64 *ret_missed);

#endif

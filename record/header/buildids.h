/* SPDX-License-Identifier: MIT */
/*
 * Collects build-ids of the files mapped while recording from the MMAP records as they pass, so
 * that the recording need not be read again at its end.
 */
#ifndef RECORD_HEADER_BUILDIDS_H
#define RECORD_HEADER_BUILDIDS_H

#include "base/wbuf.h"
#include "record/keep/keeper.h"
#include "record/model/rec_opts.h"

struct rec_buildids;
/*
 * Returns an empty collection; free it with buildids_free, after the keeper. host is copied. keeper
 * gets every mapping of code that the collection sees; NULL: nothing is kept.
 */
struct rec_buildids *buildids_new(const struct rec_host *host, struct keeper *keeper);
void buildids_free(struct rec_buildids *b);

/*
 * Adds the file of one MMAP or MMAP2 record, in one piece and in this machine's byte order; ignores
 * other records. Takes a hash lookup for files seen before. The keeper's thread is not woken.
 */
void buildids_note(struct rec_buildids *b, const u8 *record, size_t size);

/*
 * Appends the payload of the BUILD_ID feature to *out: all executable files that were mapped, the
 * kernel, its modules and [vdso], whether samples hit them or not (as perf's --buildid-all).
 * Build-ids that MMAP2 records did not carry are read from the files now, for at most budget_ms;
 * *ret_missed counts the files left out then. Call keeper_store first: the objects that the cache
 * has without having a build-id are listed too, as docs/FORMAT.md 7.1 says.
 */
void buildids_encode(struct rec_buildids *b, u32 budget_ms, struct wbuf *out, u64 *ret_missed);

#endif

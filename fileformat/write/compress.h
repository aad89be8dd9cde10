/* SPDX-License-Identifier: MIT */
/*
 * COMPRESSED records (FORMAT.md 2.10) from records: the only door to zstd's compressor. One frame
 * that never ends runs through all of a file's records, as in what perf itself writes.
 */
#ifndef FILEFORMAT_WRITE_COMPRESS_H
#define FILEFORMAT_WRITE_COMPRESS_H

#include "base/err.h"
#include "base/wbuf.h"

struct pd_packer;

/*
 * level: 1..22 as the user gave it, or -1..-7 for speed. max_expand: the COMPRESSED feature's
 * mmap_len, at least 4096: a reader has that much room for what one record expands to.
 */
struct pd_packer *pd_packer_new(int level, u64 max_expand);
void pd_packer_free(struct pd_packer *p);

/*
 * Appends whole COMPRESSED records that hold all of `in`: nothing stays behind in the stream. Their
 * sizes are multiples of 8, so that what follows them is aligned.
 */
int pd_pack(struct pd_packer *p, struct span in, struct wbuf *out, struct perr *e) MUST_CHECK;

#endif

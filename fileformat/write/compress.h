/* SPDX-License-Identifier: MIT */
/*
 * Compresses records with zstd into COMPRESSED records (docs/FORMAT.md 2.10). As in files that perf
 * writes, the payloads of all COMPRESSED records of a file are parts of one zstd frame, which is
 * never ended.
 */
#ifndef FILEFORMAT_WRITE_COMPRESS_H
#define FILEFORMAT_WRITE_COMPRESS_H

#include "base/err.h"
#include "base/wbuf.h"

struct pd_packer;

/*
 * Returns a compressor, which the caller frees with pd_packer_free(). level: 1 to 22, or -1 to -7
 * for less compression in less time. max_expand: the most bytes that one record expands to, at
 * least 4096; it is mmap_len of the file's COMPRESSED section, by which readers size their buffer.
 */
struct pd_packer *pd_packer_new(int level, u64 max_expand);
void pd_packer_free(struct pd_packer *p);

/*
 * Compresses the records `in` and appends the resulting COMPRESSED records to `out`. No data stays
 * in the compressor. The sizes of the records are multiples of 8, so that the next record in the
 * file is aligned.
 */
int pd_pack(struct pd_packer *p, struct span in, struct wbuf *out, struct perr *e) MUST_CHECK;

#endif

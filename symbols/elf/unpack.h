/* SPDX-License-Identifier: MIT */
/* Decompresses gzip, xz and zstd files: kernel modules are installed as .ko.gz, .ko.xz or .ko.zst.
 */
#ifndef SYMBOLS_ELF_UNPACK_H
#define SYMBOLS_ELF_UNPACK_H

#include "base/bytes.h"
#include "base/err.h"

/*
 * Decompresses `in`, whose format is known by its first bytes. *ret is malloc'd; the caller frees
 * it. PERR_UNSUPPORTED: the bytes are in none of these formats. PERR_FORMAT: they are damaged or
 * end too early. PERR_LIMIT: the output would have more than `limit` bytes.
 */
int unpack(struct span in, size_t limit, void **ret, size_t *ret_n, struct perr *e) MUST_CHECK;

#endif

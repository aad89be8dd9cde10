/* SPDX-License-Identifier: MIT */
/* Packed files: kernel modules are installed as .ko.gz, .ko.xz or .ko.zst. */
#ifndef SYMBOLS_ELF_UNPACK_H
#define SYMBOLS_ELF_UNPACK_H

#include "base/bytes.h"
#include "base/err.h"

/*
 * Unpacks all of in. *ret is malloc'd and the caller's. PERR_UNSUPPORTED when it is not packed,
 * PERR_FORMAT when it is damaged or ends too early, PERR_LIMIT beyond limit bytes of output.
 */
int unpack(struct span in, size_t limit, void **ret, size_t *ret_n, struct perr *e) MUST_CHECK;

#endif

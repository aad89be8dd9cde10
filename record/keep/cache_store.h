/* SPDX-License-Identifier: MIT */
/* Puts files into the build-id cache, laid out as perf does (docs/FORMAT.md 7.1). */
#ifndef RECORD_KEEP_CACHE_STORE_H
#define RECORD_KEEP_CACHE_STORE_H

#include "base/err.h"
#include "base/types.h"
#include "fileformat/record.h"

/*
 * Opens the cache below the folder dir and makes the folder if it does not exist, as perf does.
 * Returns its descriptor, which the caller closes, or PERR_IO.
 */
int cache_store_open(const char *dir, struct perr *e) MUST_CHECK;

/* True if the cache has the file `role` ("elf", "debug") for a build-id. */
bool cache_store_has(int cache, const struct pd_build_id *id, const char *role);

/*
 * Copies the first n bytes of the file open on fd to PATH/HEX/role, where PATH is the name of the
 * object, and makes the link .build-id/xx/rest to that folder. The copy shares the bytes with the
 * file where the file system can do so. It appears under its name when it is complete, and the
 * same users may read it. Names that would lead elsewhere (with "..") or hold
 * control characters are replaced. No link in the cache is followed but those of .build-id, and
 * those only inside the cache. Adds to *progress while it copies; NULL: it does not. PERR_IO: the
 * file cannot be read or written.
 */
int cache_store_put(int cache, const char *path, const struct pd_build_id *id, const char *role,
		    int fd, u64 n, _Atomic u64 *progress, struct perr *e) MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/* The file that a user means by the path or bare name of a program or shared library. */
#ifndef RECORD_PROBE_LIBRARY_PATH_H
#define RECORD_PROBE_LIBRARY_PATH_H

#include "base/bytes.h"
#include "base/err.h"

/*
 * Absolute path of `name`, symbolic links followed, malloc'd. A name without '/' that is no file
 * here is looked for among the libraries that the dynamic linker knows ("libc.so.6", or "libc" for
 * short), the usual folders and PATH. PERR_NOTFOUND or PERR_IO with the name.
 */
int library_path_find(const char *name, char **ret, struct perr *e) MUST_CHECK;

/*
 * Entry number *i or later of an ld.so.cache whose library is `name`, or begins with name and
 * ".so": its path, borrowed; *i is then the next entry. NULL: there is none. For tests.
 */
const char *library_cache_next(struct span cache, const char *name, size_t *i);

#endif

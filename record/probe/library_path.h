/* SPDX-License-Identifier: MIT */
/* Finds the file of a program or shared library from a path or bare name. */
#ifndef RECORD_PROBE_LIBRARY_PATH_H
#define RECORD_PROBE_LIBRARY_PATH_H

#include "base/bytes.h"
#include "base/err.h"

/*
 * Sets *ret to the absolute path of `name` with symbolic links resolved, malloc'd. A name without
 * '/' that is not a file in the current folder is searched for in the dynamic linker's cache
 * ("libc.so.6", or "libc" for short), the usual folders of libraries and PATH. Fails with
 * PERR_NOTFOUND or PERR_IO, naming it.
 */
int library_path_find(const char *name, char **ret, struct perr *e) MUST_CHECK;

/*
 * Returns the path of the first library from entry *i on of an ld.so.cache that is called `name`,
 * or `name` followed by ".so", and sets *i to the entry after it; NULL: none. The path points into
 * cache. Public so that tests can pass damaged caches.
 */
const char *library_cache_next(struct span cache, const char *name, size_t *i);

#endif

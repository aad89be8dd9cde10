/* SPDX-License-Identifier: MIT */
/* Finds files in the build-id cache, which perf and prec fill: ~/.debug, or that folder below
 * --symfs. */
#ifndef SYMBOLS_FIND_BUILD_ID_CACHE_H
#define SYMBOLS_FIND_BUILD_ID_CACHE_H

#include "symbols/table/dso_desc.h"

/*
 * Lists the sizes in bytes that an id of `size` bytes may really have: first `size`, then larger
 * ones up to 20, because older recordings do not distinguish zero bytes at the end of an id from
 * padding. The list ends with 0.
 */
void build_id_sizes(size_t size, size_t ret[4]);

/*
 * Returns the path of the file `name` that the build-id cache has for an id, malloc'd (the caller
 * frees it); NULL if it has none. The path is DIR/.build-id/xx/rest/NAME, or DIR/.build-id/xx/rest
 * if that is a file, as old versions of perf made it. The id is also tried with zero padding, as
 * older versions of perf stored it.
 */
char *build_id_cache_path(const struct symbols_config *cfg, const u8 *build_id, size_t size,
			  const char *name);

/* Returns the path of the build-id cache's folder, malloc'd (the caller frees it); NULL without
 * $HOME and configuration. */
char *build_id_cache_dir(const struct symbols_config *cfg);

#endif

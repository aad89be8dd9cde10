/* SPDX-License-Identifier: MIT */
/* The build-id cache that perf and prec fill: ~/.debug, or below --symfs. */
#ifndef SYMBOLS_FIND_BUILD_ID_CACHE_H
#define SYMBOLS_FIND_BUILD_ID_CACHE_H

#include "symbols/table/dso_desc.h"

/*
 * Number of bytes of the id, then the sizes it may have been cut from: older files do not tell zero
 * bytes at its end from padding. 0 ends the list.
 */
void build_id_sizes(size_t size, size_t ret[4]);

/*
 * Paths below the build-id cache for an id, malloc'd: DIR/.build-id/xx/rest/NAME, or DIR/.build-id/
 * xx/rest when that is a file itself, as old perf made it. NULL when there is neither. Tries the id
 * zero padded too, as files of older perf store it.
 */
char *build_id_cache_path(const struct symbols_config *cfg, const u8 *build_id, size_t size,
			  const char *name);

/* The build-id cache's folder, malloc'd; NULL when there is none. */
char *build_id_cache_dir(const struct symbols_config *cfg);

#endif

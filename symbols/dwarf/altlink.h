/* SPDX-License-Identifier: MIT */
/* Finds the alternate debug file of an object: dwz moves debug information that several objects
 * share to such a file. */
#ifndef SYMBOLS_DWARF_ALTLINK_H
#define SYMBOLS_DWARF_ALTLINK_H

#include "symbols/find/debugfile.h"

/*
 * Searches for the alternate file that .gnu_debugaltlink of o names: at the named path (relative to
 * o's folder), in .dwz folders and by build-id, which must be equal. Returns the open file, which
 * the caller closes; NULL if o names none or it is not found. The paths tried are added to *tries.
 */
struct object *altlink_find(const struct symbols_config *cfg, const struct object *o,
			    struct debugfile_try **tries, size_t *nr, size_t *cap);

#endif

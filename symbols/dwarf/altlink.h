/* SPDX-License-Identifier: MIT */
/* The file that dwz moved the common parts of several objects' debug information to. */
#ifndef SYMBOLS_DWARF_ALTLINK_H
#define SYMBOLS_DWARF_ALTLINK_H

#include "symbols/find/debugfile.h"

/*
 * Looks for the alternate file that .gnu_debugaltlink of o names, at that path (relative to o's
 * folder), in .dwz folders and by its build-id, which must agree. NULL when o names none, or when
 * it is not found: the places are added to *tries. The caller closes it.
 */
struct object *altlink_find(const struct symbols_config *cfg, const struct object *o,
			    struct debugfile_try **tries, size_t *nr, size_t *cap);

#endif

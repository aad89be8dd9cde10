/* SPDX-License-Identifier: MIT */
/* MiniDebugInfo: an xz-compressed ELF file with a .symtab inside a stripped one (Fedora). */
#ifndef SYMBOLS_GNU_DEBUGDATA_H
#define SYMBOLS_GNU_DEBUGDATA_H

#include "symbols/object.h"

/* Opens what is in o's .gnu_debugdata. PERR_NOTFOUND when it has none. */
int gnu_debugdata_open(const struct object *o, struct object **ret, struct perr *e) MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/* MiniDebugInfo: an xz-compressed ELF file with a .symtab inside a stripped one (Fedora). */
#ifndef SYMBOLS_ELF_GNU_DEBUGDATA_H
#define SYMBOLS_ELF_GNU_DEBUGDATA_H

#include "symbols/elf/object.h"

/* Opens what is in o's .gnu_debugdata. PERR_NOTFOUND when it has none. */
int gnu_debugdata_open(const struct object *o, struct object **ret, struct perr *e) MUST_CHECK;

#endif

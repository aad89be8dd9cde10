/* SPDX-License-Identifier: MIT */
/* MiniDebugInfo: the section .gnu_debugdata of a stripped file, which holds an xz-compressed ELF
 * file with a .symtab. Fedora builds its packages this way. */
#ifndef SYMBOLS_ELF_GNU_DEBUGDATA_H
#define SYMBOLS_ELF_GNU_DEBUGDATA_H

#include "symbols/elf/object.h"

/* Unpacks and opens the ELF file in o's .gnu_debugdata; the caller closes *ret. PERR_NOTFOUND: o
 * has no such section. PERR_FORMAT and PERR_LIMIT: its contents are damaged or too large. */
int gnu_debugdata_open(const struct object *o, struct object **ret, struct perr *e) MUST_CHECK;

#endif

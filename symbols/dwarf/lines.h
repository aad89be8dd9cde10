/* SPDX-License-Identifier: MIT */
/*
 * Finds the source line of an address in the DWARF line tables of an ELF file. The table of a unit
 * is read at the first lookup of an address in it.
 */
#ifndef SYMBOLS_DWARF_LINES_H
#define SYMBOLS_DWARF_LINES_H

#include "base/types.h"

struct debuginfo;
struct lines;

/* Makes a lookup for the DWARF in d, which is borrowed until lines_free(). */
struct lines *lines_new(struct debuginfo *d);
void lines_free(struct lines *l);

/*
 * Finds the source line of the code at vaddr (st_value space): the last row of the line table at or
 * before vaddr in its sequence. *ret_file is the folder and name in the table, or in the unit's
 * folder if the table has no folder; it is relative if the compiler was given a relative path. It
 * is valid as long as the struct debuginfo. Returns false if no unit covers vaddr. The time is
 * bounded by the size of the file, even if the file is damaged.
 */
bool lines_find(struct lines *l, u64 vaddr, const char **ret_file, u32 *ret_line);

#endif

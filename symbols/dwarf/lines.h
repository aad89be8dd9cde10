/* SPDX-License-Identifier: MIT */
/*
 * Source lines of an ELF file's addresses, from its DWARF line tables. Tables are read unit by unit
 * when an address in them is first asked for.
 */
#ifndef SYMBOLS_DWARF_LINES_H
#define SYMBOLS_DWARF_LINES_H

#include "base/types.h"

struct debuginfo;
struct lines;

/* d is borrowed until lines_free. */
struct lines *lines_new(struct debuginfo *d);
void lines_free(struct lines *l);

/*
 * The source line of the code at vaddr (st_value space): the last row of the table at or before it,
 * within its sequence. *ret_file is the table's folder and name (from the unit's own folder where
 * the table names none; relative where the compiler was given a relative one), and lives as long as
 * the debuginfo. False when no unit covers vaddr. Never loops or recurses out of proportion to the
 * file, whatever is in it.
 */
bool lines_find(struct lines *l, u64 vaddr, const char **ret_file, u32 *ret_line);

#endif

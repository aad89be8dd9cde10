/* SPDX-License-Identifier: MIT */
/*
 * Source lines of an ELF file's addresses, from its DWARF line tables. Tables are read unit by unit
 * when an address in them is first asked for.
 */
#ifndef SYMBOLS_LINES_H
#define SYMBOLS_LINES_H

#include "base/err.h"
#include "base/types.h"

struct lines;

/*
 * Opens the line tables of the file at path, which has the debug information itself (compressed
 * sections will do). PERR_IO, PERR_FORMAT; PERR_NOTFOUND when there is none in it.
 */
int lines_open(const char *path, struct lines **ret, struct perr *e) MUST_CHECK;
void lines_close(struct lines *l);

/*
 * The source line of the code at vaddr (st_value space): the last row of the table at or before it,
 * within its sequence. *ret_file is the table's folder and name (from the unit's own folder where
 * the table names none; relative where the compiler was given a relative one), and lives until
 * lines_close. False when no unit covers vaddr. Never loops or recurses out of proportion to the
 * file, whatever is in it.
 */
bool lines_find(struct lines *l, u64 vaddr, const char **ret_file, u32 *ret_line);

#endif

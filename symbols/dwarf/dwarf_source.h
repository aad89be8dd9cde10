/* SPDX-License-Identifier: MIT */
/*
 * Opens the debug information of one object with libdw, including its other files: the alternate
 * file of dwz, and the split units in .dwo files or a .dwp package. Compressed sections are
 * expanded. One thread at a time may use a struct dwarf_source.
 */
#ifndef SYMBOLS_DWARF_DWARF_SOURCE_H
#define SYMBOLS_DWARF_DWARF_SOURCE_H

#include <elfutils/libdw.h>

#include "base/err.h"
#include "symbols/find/debugfile.h"

struct dwarf_source;

/*
 * Opens the DWARF of o; the caller frees *ret with dwarf_source_close(). o and the strings of cfg
 * are borrowed until then. code_path: path of the mapped file, beside which a .dwp package may lie;
 * NULL for the path of o. PERR_NOTFOUND: o has no DWARF. PERR_IO, PERR_FORMAT: it cannot be read.
 */
int dwarf_source_open(const struct symbols_config *cfg, const struct object *o,
		      const char *code_path, struct dwarf_source **ret, struct perr *e) MUST_CHECK;
void dwarf_source_close(struct dwarf_source *s);

/* Returns libdw's handle, whose alternate file is set. It is valid as long as s. */
Dwarf *dwarf_source_dwarf(const struct dwarf_source *s);

/* Returns the expanded bytes of .debug_info, valid as long as s; empty without that section. */
struct span dwarf_source_info(const struct dwarf_source *s);
/* Returns the expanded bytes of .debug_aranges, valid as long as s; empty without that section. */
struct span dwarf_source_aranges(const struct dwarf_source *s);

/* Makes line tables readable. Call it before libdw functions that return lines or names of files.
 */
void dwarf_source_need_lines(struct dwarf_source *s);

/*
 * Finds the DIE of the split unit for a skeleton unit's DIE. Its file is searched for at the first
 * call, and linked so that libdw finds addresses and ranges. Before this call, do not use libdw
 * functions that open the split unit themselves (dwarf_get_units(), and dwarf_cu_info() with
 * subdie). Returns false if the unit is not found. ret may be the same pointer as skeleton.
 */
bool dwarf_source_split(struct dwarf_source *s, Dwarf_Die *skeleton, Dwarf_Die *ret);

/* Searches for the split units of up to max skeletons, so that dwarf_source_tries() lists their
 * paths. */
void dwarf_source_find_all(struct dwarf_source *s, size_t max);

/* Returns the number of paths in *ret at which the alternate file and split units were searched
 * for. The array is valid until the next call with s. */
size_t dwarf_source_tries(const struct dwarf_source *s, const struct debugfile_try **ret);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The debug information of one object, opened by libdw, with all that belongs to it: compressed
 * sections expanded, the file that dwz moved common parts to, and the units that were split off
 * into .dwo files or a .dwp package. Nothing is locked: one thread at a time uses a dwarf_source.
 */
#ifndef SYMBOLS_DWARF_DWARF_SOURCE_H
#define SYMBOLS_DWARF_DWARF_SOURCE_H

#include <elfutils/libdw.h>

#include "base/err.h"
#include "symbols/find/debugfile.h"

struct dwarf_source;

/*
 * Opens o, which has DWARF (debugfile's role) and stays the caller's: it must outlive the result,
 * as must the strings of cfg. code_path: the mapped file's, beside which a package may lie; NULL:
 * as o. PERR_FORMAT, PERR_IO, PERR_NOTFOUND when there is no DWARF in it.
 */
int dwarf_source_open(const struct symbols_config *cfg, const struct object *o,
		      const char *code_path, struct dwarf_source **ret, struct perr *e) MUST_CHECK;
void dwarf_source_close(struct dwarf_source *s);

/* libdw's handle, with its alternate file set. It lives as long as s. */
Dwarf *dwarf_source_dwarf(const struct dwarf_source *s);

/* Sections as libdw has them; they live as long as s. Empty when there is none. */
struct span dwarf_source_info(const struct dwarf_source *s);
struct span dwarf_source_aranges(const struct dwarf_source *s);

/* To be called before libdw is asked for lines or names of files. */
void dwarf_source_need_lines(struct dwarf_source *s);

/*
 * The DIE of the split unit that belongs to a skeleton unit, whose DIE is given; looked for at the
 * first call, and linked so that libdw finds addresses and ranges. libdw itself must not be asked
 * for it before (dwarf_get_units and dwarf_cu_info without subdie). False when it is not found. ret
 * may be skeleton.
 */
bool dwarf_source_split(struct dwarf_source *s, Dwarf_Die *skeleton, Dwarf_Die *ret);

/* Looks for the split units of up to max skeletons, so that their places are in the list below. */
void dwarf_source_find_all(struct dwarf_source *s, size_t max);

/* The places where the alternate file and split units were looked for; they live as long as s. */
size_t dwarf_source_tries(const struct dwarf_source *s, const struct debugfile_try **ret);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * DWARF packages: the .dwo files of a program in one, FILE.dwp. Its index (.debug_cu_index, version
 * 2 of GNU's DWARF 4 or version 5) says which part of each section belongs to a unit. libdw knows
 * it from 0.191 on; here a unit's parts are put into a small .dwo of its own.
 */
#ifndef SYMBOLS_DWARF_DWP_H
#define SYMBOLS_DWARF_DWP_H

#include "symbols/elf/object.h"

struct dwp;

/* o stays the caller's and must outlive the result. PERR_NOTFOUND: no index; PERR_FORMAT. */
int dwp_open(const struct object *o, struct dwp **ret, struct perr *e) MUST_CHECK;
void dwp_close(struct dwp *d);

/*
 * The ELF file of the unit with that id, malloc'd. PERR_NOTFOUND when the package has none,
 * PERR_FORMAT when its parts do not lie in the package.
 */
int dwp_unit(const struct dwp *d, u64 dwo_id, u8 **ret, size_t *ret_n, struct perr *e) MUST_CHECK;

#endif

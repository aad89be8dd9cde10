/* SPDX-License-Identifier: MIT */
/*
 * Reads DWARF packages, FILE.dwp, which contain all .dwo files of a program. Their index
 * (.debug_cu_index, version 2 with GNU's DWARF 4 extension, or version 5) says which parts of the
 * sections belong to a unit. libdw can read packages only from 0.191 on, so this code makes a small
 * .dwo file from the parts of a unit.
 */
#ifndef SYMBOLS_DWARF_DWP_H
#define SYMBOLS_DWARF_DWP_H

#include "symbols/elf/object.h"

struct dwp;

/* Opens the package o, which must outlive *ret; the caller frees that with dwp_close().
 * PERR_NOTFOUND: o has no index. PERR_FORMAT: the index is damaged. */
int dwp_open(const struct object *o, struct dwp **ret, struct perr *e) MUST_CHECK;
void dwp_close(struct dwp *d);

/*
 * Makes a .dwo file of the unit with this id: an ELF file of *ret_n bytes in malloc'd memory, which
 * the caller frees. PERR_NOTFOUND: the package does not have the unit. PERR_FORMAT: parts of it lie
 * outside the package.
 */
int dwp_unit(const struct dwp *d, u64 dwo_id, u8 **ret, size_t *ret_n, struct perr *e) MUST_CHECK;

#endif

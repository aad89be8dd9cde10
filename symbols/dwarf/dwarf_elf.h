/* SPDX-License-Identifier: MIT */
/* Opens the DWARF of one ELF file with libdw. */
#ifndef SYMBOLS_DWARF_DWARF_ELF_H
#define SYMBOLS_DWARF_DWARF_ELF_H

#include <elfutils/libdw.h>

#include "symbols/dwarf/dwarf_image.h"

struct dwarf_elf {
	struct dwarf_image image; /* the bytes that libdw reads; p NULL: those of the object */
	Elf *elf;
	Dwarf *dwarf;
};

/*
 * Opens o, which must outlive *ret. If o has skeleton units, libdw gets an image with room after
 * its strings, which split_dwarf.h needs. PERR_NOTFOUND: o has no DWARF. PERR_IO, PERR_FORMAT: the
 * image cannot be made, or libdw cannot read it.
 */
int dwarf_elf_open(const struct object *o, struct dwarf_elf *ret, struct perr *e) MUST_CHECK;
void dwarf_elf_close(struct dwarf_elf *d);

/* Returns the bytes of a section in the object or its image, valid as long as d; empty if it has no
 * such section. */
struct span dwarf_elf_section(const struct dwarf_elf *d, const char *name);

#endif

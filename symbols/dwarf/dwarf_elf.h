/* SPDX-License-Identifier: MIT */
/* One ELF file with its DWARF as libdw has it open. */
#ifndef SYMBOLS_DWARF_DWARF_ELF_H
#define SYMBOLS_DWARF_DWARF_ELF_H

#include <elfutils/libdw.h>

#include "symbols/dwarf/dwarf_image.h"

struct dwarf_elf {
	struct dwarf_image image; /* p NULL: the object's own bytes */
	Elf *elf;
	Dwarf *dwarf;
};

/*
 * Opens o, which must outlive the result. With skeleton units in it, it is an image with
 * room behind its strings. PERR_IO, PERR_FORMAT; PERR_NOTFOUND: no DWARF.
 */
int dwarf_elf_open(const struct object *o, struct dwarf_elf *ret, struct perr *e) MUST_CHECK;
void dwarf_elf_close(struct dwarf_elf *d);

/* A section's bytes in the file or its image, which live as long as d; empty when it has none. */
struct span dwarf_elf_section(const struct dwarf_elf *d, const char *name);

#endif

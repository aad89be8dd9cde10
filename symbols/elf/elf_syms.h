/* SPDX-License-Identifier: MIT */
/* The symbols of a section as they stand in the file, of either class and byte order. */
#ifndef SYMBOLS_ELF_ELF_SYMS_H
#define SYMBOLS_ELF_ELF_SYMS_H

#include "symbols/elf/object.h"

/* A symbol as it stands in a symbol section, of either class and byte order. */
struct elf_sym {
	u64 value, size;
	u32 name;
	u16 section;
	u8 info, other;
};

/* The entries of a symbol section and the strings that they name; borrowed from the object. */
struct elf_syms {
	struct span bytes, strings;
	size_t nr, entsize;
	bool is_64, swap;
};

/* Empty (nr 0) when s is NULL or not a symbol section of o. */
struct elf_syms elf_syms_of(const struct object *o, const struct obj_section *s);
/* Number i, below s->nr. */
struct elf_sym elf_syms_get(const struct elf_syms *s, size_t i);

#endif

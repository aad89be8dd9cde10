/* SPDX-License-Identifier: MIT */
/* Decodes the entries of a symbol section of an ELF file of either class and byte order. */
#ifndef SYMBOLS_ELF_ELF_SYMS_H
#define SYMBOLS_ELF_ELF_SYMS_H

#include "symbols/elf/object.h"

/* A decoded entry of a symbol section (Elf64_Sym). */
struct elf_sym {
	u64 value, size;
	u32 name;
	u16 section;
	u8 info, other;
};

/* A symbol section and its string section. The spans are borrowed from the object. */
struct elf_syms {
	struct span bytes, strings;
	size_t nr, entsize;
	bool is_64, swap;
};

/* Opens symbol section s of o. The result has nr 0 if s is NULL or not a symbol section. */
struct elf_syms elf_syms_of(const struct object *o, const struct obj_section *s);
/* Decodes entry i, which must be below s->nr. */
struct elf_sym elf_syms_get(const struct elf_syms *s, size_t i);

#endif

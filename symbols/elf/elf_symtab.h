/* SPDX-License-Identifier: MIT */
/* Loads the symbols of an ELF file that perf uses (docs/FORMAT.md 7.4) into a struct symtab. */
#ifndef SYMBOLS_ELF_ELF_SYMTAB_H
#define SYMBOLS_ELF_ELF_SYMTAB_H

#include "symbols/elf/elf_syms.h"
#include "symbols/table/symtab.h"

enum elf_symbols_flags {
	/* The file is a vmlinux: addresses are st_value; names like .L* and L0* are left out. */
	ELF_SYMBOLS_KERNEL = 1u << 0,
	/* The file is a kernel module (.ko): addresses are st_value + the section's file offset;
	 * names like .L* and L0* are left out. */
	ELF_SYMBOLS_MODULE = 1u << 1,
	/* Names will be shown demangled, so aliases are compared by their demangled names. */
	ELF_SYMBOLS_DEMANGLED = 1u << 2,
};

/*
 * Adds the symbols in .symtab and .dynsym of symbols_src to t and finishes it. Addresses become
 * file offsets by the segments of runtime, the file that is mapped when the program runs, which may
 * be the same object. Also adds symbols for the PLT slots of runtime. With ELF_SYMBOLS_KERNEL or
 * _MODULE addresses are as documented there and no PLT slots are added.
 *
 * Names in t are borrowed from symbols_src and runtime: keep both open as long as t, for example
 * with symtab_keep_object(). Returns 0. PERR_NOTFOUND: the file has no symbol. PERR_FORMAT: the
 * symbol section is damaged.
 */
int elf_load_symbols(struct object *symbols_src, struct object *runtime, unsigned int flags,
		     struct symtab *t, struct perr *e) MUST_CHECK;

/* True if o has a usable .symtab. */
bool elf_has_symtab(const struct object *o);
/* True if o is the file that is mapped when the program runs, and not a separate debug file. */
bool elf_is_runtime(const struct object *o);

/* True if o contains the bytes of the program's code, which a separate debug file does not. */
bool elf_has_code(const struct object *o);

/* Makes symtab_fini() close o, from which names of t are borrowed. */
void symtab_keep_object(struct symtab *t, struct object *o);

#endif

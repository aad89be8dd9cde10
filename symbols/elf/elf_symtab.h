/* SPDX-License-Identifier: MIT */
/* The symbols of an ELF file that perf counts (FORMAT.md 7.4), in the object's address space. */
#ifndef SYMBOLS_ELF_ELF_SYMTAB_H
#define SYMBOLS_ELF_ELF_SYMTAB_H

#include "symbols/elf/elf_syms.h"
#include "symbols/table/symtab.h"

enum elf_symbols_flags {
	/* vmlinux: addresses stay st_value; kernel-only names (.L*, L0*) are left out. */
	ELF_SYMBOLS_KERNEL = 1u << 0,
	/* .ko: addresses are st_value + the section's file offset; the same names are left out. */
	ELF_SYMBOLS_MODULE = 1u << 1,
	/* Names will be shown demangled, so that aliases are chosen by that. */
	ELF_SYMBOLS_DEMANGLED = 1u << 2,
};

/*
 * Adds the symbols of symbols_src (.symtab, and .dynsym), then finishes t. runtime is the file that
 * is mapped when the program runs: its segments turn addresses into file offsets; it may be the
 * same object. Without ELF_SYMBOLS_KERNEL or _MODULE the PLT slots of runtime get their names too.
 *
 * Names in t are borrowed from symbols_src and runtime: keep both open as long as t, for example
 * by symtab_keep(). Returns 0, PERR_NOTFOUND when there is no symbol, PERR_FORMAT when the symbol
 * section is damaged.
 */
int elf_load_symbols(struct object *symbols_src, struct object *runtime, unsigned int flags,
		     struct symtab *t, struct perr *e) MUST_CHECK;

/* Whether o has a usable .symtab, or what a mapped file has that a debug file has not. */
bool elf_has_symtab(const struct object *o);
bool elf_is_runtime(const struct object *o);

/* Whether o has the program's code: a stripped one that is linked statically has no more. */
bool elf_has_code(const struct object *o);

/* Closes o with the table, which borrows its names. */
void symtab_keep_object(struct symtab *t, struct object *o);

#endif

/* SPDX-License-Identifier: MIT */
/* An ELF file of the builder, opened, and the table of its symbols. */
#ifndef TESTS_SYMBOLS_ELF_USE_ELF_SYMTAB_H
#define TESTS_SYMBOLS_ELF_USE_ELF_SYMTAB_H

#include "base/mem.h"
#include "symbols/elf/object.h"
#include "symbols/table/symtab.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"

#define TEXT_ADDR 0x12000
#define TEXT_OFF 0x2000
#define TEXT_SIZE 0x400

/* An open file of the builder's bytes and the table of its symbols. */
struct loaded {
	u8 *bytes;
	struct object *o;
	struct symtab t;
	int err;
};

/* Opens the bytes of the builder, which it frees, and reads the symbols. */
struct loaded symtab_load(struct mkelf *b, unsigned int flags);
/* Frees what symtab_load() made. */
void symtab_unload(struct loaded *l);
/* The name of the symbol at a file offset, NULL where there is none. */
const char *symtab_at(struct loaded *l, u64 off);
/* A builder with one text section at TEXT_ADDR, whose number goes to *ret_text. */
struct mkelf *symtab_begin(bool is_64, bool big, u16 machine, u16 *ret_text);

#define PLT_ADDR (TEXT_ADDR + 0x400)
#define PLT_OFF (TEXT_OFF + 0x400)

/* Adds a section of stubs at this distance from PLT_ADDR; bytes: its code, NULL for zeros. */
void symtab_add_code(struct mkelf *b, const char *name, u64 at_plt, u64 size, u64 entsize,
		     const void *bytes);
/* Adds .dynsym with imported functions; returns the number of the section. */
u16 symtab_add_imports(struct mkelf *b, u16 text);
/* Slots in order of the GOT, not of the relocations. */
void symtab_add_slots(struct mkelf *b, u16 dynsym);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Builds ELF files for tests, of either class and byte order. Written from the format's description
 * and not from the readers.
 *
 *	struct mkelf *b = mkelf_new(true, false, ET_DYN, EM_X86_64);
 *
 *	mkelf_load(b, 0x2000, 0x1000, 0x100);
 *	text = mkelf_section(b, &(struct mkelf_part){ .name = ".text", .type = SHT_PROGBITS, ... });
 *	mkelf_symbol(b, "f", 0x2010, 16, STT_FUNC, STB_GLOBAL, text);
 *	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
 *	p = mkelf_end(b, &n);	(malloc'd)
 */
#ifndef TESTS_FRAME_BUILD_ELF_H
#define TESTS_FRAME_BUILD_ELF_H

#include "base/types.h"

struct mkelf;

struct mkelf_part {
	const char *name;
	u32 type, link, info;
	u64 flags, addr;
	u64 off; /* where it must lie; 0: next free place. NOBITS: what the header says */
	u64 align, entsize;
	const void *bytes; /* NULL: zeros */
	u64 size;
};

struct mkelf *mkelf_new(bool is_64, bool big_endian, u16 type, u16 machine);
void mkelf_load(struct mkelf *b, u64 vaddr, u64 off, u64 size);

/* Index of the new section. */
u16 mkelf_section(struct mkelf *b, const struct mkelf_part *part);

/* Collects a symbol for the next mkelf_end_symbols; returns its index there. */
u32 mkelf_symbol(struct mkelf *b, const char *name, u64 value, u64 size, u8 type, u8 binding,
		 u16 section);
/* As mkelf_symbol, with st_other. */
u32 mkelf_symbol_other(struct mkelf *b, const char *name, u64 value, u64 size, u8 type, u8 binding,
		       u8 other, u16 section);
u16 mkelf_end_symbols(struct mkelf *b, const char *name, u32 type);

/* Collects a relocation with addend for the next mkelf_end_relocs. */
void mkelf_reloc(struct mkelf *b, u64 offset, u32 symbol, s64 addend);
u16 mkelf_end_relocs(struct mkelf *b, const char *name, u16 symbols);

/* .note.gnu.build-id */
void mkelf_build_id(struct mkelf *b, const u8 *id, u32 n);

/* The file, malloc'd; frees b. */
u8 *mkelf_end(struct mkelf *b, size_t *ret_n);

#endif

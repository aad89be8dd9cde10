/* SPDX-License-Identifier: MIT */
#include "tests/symbols/elf/use_elf_symtab.h"

#include <elf.h>

#include "symbols/elf/elf_symtab.h"
#include "tests/frame/build_elf.h"

struct loaded symtab_load(struct mkelf *b, unsigned int flags)
{
	struct loaded l = { 0 };
	struct perr e;
	size_t n;

	l.bytes = mkelf_end(b, &n);
	symtab_init(&l.t);
	CHECK_EQ(object_open_mem("test", l.bytes, n, &l.o, &e), 0);
	l.err = elf_load_symbols(l.o, l.o, flags, &l.t, &e);
	return l;
}

void symtab_unload(struct loaded *l)
{
	symtab_fini(&l->t);
	object_close(l->o);
	free(l->bytes);
}

const char *symtab_at(struct loaded *l, u64 off)
{
	const struct sym *s = symtab_find(&l->t, off);

	return s ? s->name : NULL;
}

struct mkelf *symtab_begin(bool is_64, bool big, u16 machine, u16 *ret_text)
{
	struct mkelf *b = mkelf_new(is_64, big, ET_DYN, machine);

	mkelf_load(b, TEXT_ADDR, TEXT_OFF, 0x1000);
	*ret_text = mkelf_section(b, &(struct mkelf_part){ .name = ".text",
							   .type = SHT_PROGBITS,
							   .flags = SHF_ALLOC | SHF_EXECINSTR,
							   .addr = TEXT_ADDR,
							   .off = TEXT_OFF,
							   .size = TEXT_SIZE });
	return b;
}

void symtab_add_code(struct mkelf *b, const char *name, u64 at_plt, u64 size, u64 entsize,
		     const void *bytes)
{
	mkelf_section(b, &(struct mkelf_part){ .name = name,
					       .type = SHT_PROGBITS,
					       .flags = SHF_ALLOC | SHF_EXECINSTR,
					       .addr = PLT_ADDR + at_plt,
					       .off = PLT_OFF + at_plt,
					       .size = size,
					       .entsize = entsize,
					       .bytes = bytes });
}

u16 symtab_add_imports(struct mkelf *b, u16 text)
{
	mkelf_symbol(b, "write", 0, 0, STT_FUNC, STB_GLOBAL, SHN_UNDEF);
	mkelf_symbol(b, "read", 0, 0, STT_FUNC, STB_GLOBAL, SHN_UNDEF);
	mkelf_symbol(b, "free", 0, 0, STT_FUNC, STB_GLOBAL, SHN_UNDEF);
	mkelf_symbol(b, "chosen", TEXT_ADDR + 0x80, 8, STT_GNU_IFUNC, STB_GLOBAL, text);
	mkelf_symbol(b, "before", TEXT_ADDR + 0x3f0, 0, STT_FUNC, STB_GLOBAL, text);
	return mkelf_end_symbols(b, ".dynsym", SHT_DYNSYM);
}

void symtab_add_slots(struct mkelf *b, u16 dynsym)
{
	mkelf_reloc(b, 0x9010, 0, TEXT_ADDR + 0x80);
	mkelf_reloc(b, 0x9000, 1, 0);
	mkelf_reloc(b, 0x9008, 2, 0);
	mkelf_reloc(b, 0x9018, 0, TEXT_ADDR + 0x84);
	mkelf_end_relocs(b, ".rela.plt", dynsym);
}

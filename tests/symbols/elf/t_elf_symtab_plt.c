/* SPDX-License-Identifier: MIT */
/* Names of slots in the sections of stubs: .plt, .plt.sec, .plt.got. */
#include "tests/frame/unit.h"

#include <elf.h>

#include "base/mem.h"
#include "tests/frame/build_elf.h"
#include "tests/symbols/elf/use_elf_symtab.h"

static void check_slot(struct loaded *l, u64 off, const char *name)
{
	CHECK_STR(symtab_at(l, off), name);
	CHECK(symtab_find(&l->t, off)->is_plt);
	CHECK_EQ(symtab_find(&l->t, off)->start, off);
	CHECK_STR(symtab_at(l, off + 15), name);
}

TEST(lazy_plt_has_a_header)
{
	u16 text;
	struct mkelf *b = symtab_begin(true, false, EM_X86_64, &text);
	struct loaded l;

	symtab_add_code(b, ".plt", 0, 0x50, 16, NULL);
	symtab_add_slots(b, symtab_add_imports(b, text));
	l = symtab_load(b, 0);
	/* The mended end of the symbol before would reach into it. */
	CHECK_STR(symtab_at(&l, PLT_OFF - 1), "before");
	CHECK_STR(symtab_at(&l, PLT_OFF), ".plt");
	CHECK_STR(symtab_at(&l, PLT_OFF + 15), ".plt");
	check_slot(&l, PLT_OFF + 0x10, "write");
	check_slot(&l, PLT_OFF + 0x20, "read");
	check_slot(&l, PLT_OFF + 0x30, "chosen");
	check_slot(&l, PLT_OFF + 0x40, "");
	symtab_unload(&l);
}

TEST(plt_of_a_static_program_has_no_header)
{
	u16 text;
	struct mkelf *b = symtab_begin(true, false, EM_X86_64, &text);
	struct loaded l;

	symtab_add_code(b, ".plt", 0, 0x40, 0, NULL); /* no entsize, as of lld */
	symtab_add_slots(b, symtab_add_imports(b, text));
	l = symtab_load(b, 0);
	check_slot(&l, PLT_OFF, "write");
	check_slot(&l, PLT_OFF + 0x30, "");
	symtab_unload(&l);
}

TEST(plt_sec_and_plt_got)
{
	/* endbr64; bnd jmp *0x2000(%rip) and endbr64; jmp *0x1000(%rip) */
	static const u8 got[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0,    0x20, 0,    0,
				  0x90, 0x90, 0x90, 0x90, 0x90, 0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25,
				  0,    0x10, 0,    0,    0x90, 0x90, 0x90, 0x90, 0x90, 0x90 };
	u64 first = PLT_ADDR + 0xa0;
	u16 text, dynsym;
	struct mkelf *b = symtab_begin(true, false, EM_X86_64, &text);
	struct loaded l;

	symtab_add_code(b, ".plt", 0, 0x50, 16, NULL);
	symtab_add_code(b, ".plt.sec", 0x50, 0x40, 16, NULL);
	symtab_add_code(b, ".plt.got", 0xa0, 0x20, 16, got);
	dynsym = symtab_add_imports(b, text);
	symtab_add_slots(b, dynsym);
	mkelf_reloc(b, first + 11 + 0x2000, 3, 0);
	mkelf_reloc(b, 0x100, 2, 0);
	mkelf_end_relocs(b, ".rela.dyn", dynsym);
	l = symtab_load(b, 0);
	CHECK_STR(symtab_at(&l, PLT_OFF), ".plt");
	CHECK_STR(symtab_at(&l, PLT_OFF + 0x4f), ".plt");
	check_slot(&l, PLT_OFF + 0x50, "write");
	check_slot(&l, PLT_OFF + 0x80, "");
	check_slot(&l, PLT_OFF + 0xa0, "free");
	check_slot(&l, PLT_OFF + 0xb0, "");
	symtab_unload(&l);
}

TEST(plt_of_aarch64)
{
	u16 text;
	struct mkelf *b = symtab_begin(true, false, EM_AARCH64, &text);
	struct loaded l;

	symtab_add_code(b, ".plt", 0, 0x60, 0, NULL);
	symtab_add_slots(b, symtab_add_imports(b, text));
	l = symtab_load(b, 0);
	CHECK_STR(symtab_at(&l, PLT_OFF + 31), ".plt");
	/* Other machines keep the relocations' order. */
	check_slot(&l, PLT_OFF + 0x20, "chosen");
	check_slot(&l, PLT_OFF + 0x30, "write");
	symtab_unload(&l);
}

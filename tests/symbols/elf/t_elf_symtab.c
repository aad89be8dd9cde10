/* SPDX-License-Identifier: MIT */
/* Symbols of ELF files: which count, where they lie, and damaged files. */
#include "symbols/elf/elf_symtab.h"

#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"
#include "tests/symbols/elf/use_elf_symtab.h"

TEST(file_offsets_in_every_class_and_order)
{
	for (int i = 0; i < 4; i++) {
		u16 text;
		struct mkelf *b = symtab_begin(i & 1, i & 2, EM_X86_64, &text);
		struct loaded l;

		mkelf_symbol(b, "local", TEXT_ADDR, 0x10, STT_FUNC, STB_LOCAL, text);
		mkelf_symbol(b, "global", TEXT_ADDR + 0x20, 0x10, STT_FUNC, STB_GLOBAL, text);
		mkelf_symbol(b, "weak", TEXT_ADDR + 0x40, 0, STT_FUNC, STB_WEAK, text);
		mkelf_symbol(b, "object", TEXT_ADDR + 0x60, 8, STT_OBJECT, STB_GLOBAL, text);
		mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
		l = symtab_load(b, 0);
		CHECK_EQ(l.err, 0);
		CHECK_EQ(l.o->is_64, i & 1);
		CHECK_EQ(l.t.nr, 4);
		CHECK_STR(symtab_at(&l, TEXT_OFF), "local");
		CHECK_STR(symtab_at(&l, TEXT_OFF + 0x2f), "global");
		CHECK_STR(symtab_at(&l, TEXT_OFF + 0x5f), "weak");
		CHECK_STR(symtab_at(&l, TEXT_OFF + 0x67), "object");
		CHECK_STR(symtab_at(&l, TEXT_ADDR), NULL);
		CHECK_EQ(symtab_find(&l.t, TEXT_OFF)->binding, SYM_LOCAL);
		CHECK_EQ(symtab_find(&l.t, TEXT_OFF + 0x20)->binding, SYM_GLOBAL);
		CHECK_EQ(symtab_find(&l.t, TEXT_OFF + 0x40)->binding, SYM_WEAK);
		symtab_unload(&l);
	}
}

TEST(symbols_that_do_not_count)
{
	u16 text, other;
	struct mkelf *b = symtab_begin(true, false, EM_X86_64, &text);
	struct loaded l;

	other = mkelf_section(
		b,
		&(struct mkelf_part){ .name = ".gnu.warning", .type = SHT_PROGBITS, .size = 64 });
	mkelf_symbol(b, "kept", TEXT_ADDR + 0x300, 4, STT_FUNC, STB_LOCAL, text);
	mkelf_symbol(b, NULL, TEXT_ADDR, 4, STT_FUNC, STB_LOCAL, text);
	mkelf_symbol(b, "undefined", TEXT_ADDR, 4, STT_FUNC, STB_GLOBAL, SHN_UNDEF);
	mkelf_symbol(b, "absolute", TEXT_ADDR, 4, STT_FUNC, STB_GLOBAL, SHN_ABS);
	mkelf_symbol(b, "common", TEXT_ADDR, 4, STT_OBJECT, STB_GLOBAL, SHN_COMMON);
	mkelf_symbol(b, "beyond", TEXT_ADDR, 4, STT_FUNC, STB_GLOBAL, 4000);
	mkelf_symbol(b, "after_beyond", TEXT_ADDR + 0x340, 4, STT_FUNC, STB_GLOBAL, text);
	mkelf_symbol(b, "thread", TEXT_ADDR, 4, STT_TLS, STB_GLOBAL, text);
	mkelf_symbol(b, "file.c", TEXT_ADDR, 4, STT_FILE, STB_LOCAL, text);
	mkelf_symbol(b, "section", TEXT_ADDR, 4, STT_SECTION, STB_LOCAL, text);
	mkelf_symbol(b, "unallocated", TEXT_ADDR, 4, STT_FUNC, STB_LOCAL, other);
	mkelf_symbol_other(b, "hidden_label", TEXT_ADDR, 4, STT_NOTYPE, STB_LOCAL, STV_HIDDEN,
			   text);
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	l = symtab_load(b, 0);
	CHECK_EQ(l.err, 0);
	CHECK_EQ(l.t.nr, 2);
	CHECK_STR(symtab_at(&l, TEXT_OFF + 0x300), "kept");
	CHECK_STR(symtab_at(&l, TEXT_OFF + 0x340), "after_beyond");
	symtab_unload(&l);
}

TEST(labels_count_in_text_and_data)
{
	u16 text, fini, data;
	struct mkelf *b = symtab_begin(true, false, EM_X86_64, &text);
	struct loaded l;

	fini = mkelf_section(b, &(struct mkelf_part){ .name = ".fini",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC,
						      .addr = TEXT_ADDR + 0x400,
						      .off = TEXT_OFF + 0x400,
						      .size = 0x100 });
	data = mkelf_section(b, &(struct mkelf_part){ .name = ".rodata",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC,
						      .addr = TEXT_ADDR + 0x500,
						      .off = TEXT_OFF + 0x500,
						      .size = 0x100 });
	mkelf_symbol(b, "in_text", TEXT_ADDR, 4, STT_NOTYPE, STB_LOCAL, text);
	mkelf_symbol(b, "in_fini", TEXT_ADDR + 0x400, 4, STT_NOTYPE, STB_LOCAL, fini);
	mkelf_symbol(b, "in_rodata", TEXT_ADDR + 0x500, 4, STT_NOTYPE, STB_LOCAL, data);
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	l = symtab_load(b, 0);
	CHECK_STR(symtab_at(&l, TEXT_OFF), "in_text");
	CHECK_STR(symtab_at(&l, TEXT_OFF + 0x400), NULL);
	CHECK_STR(symtab_at(&l, TEXT_OFF + 0x500), "in_rodata");
	CHECK(symtab_find(&l.t, TEXT_OFF)->untyped);
	symtab_unload(&l);
}

TEST(arm_mapping_symbols_and_thumb)
{
	u16 text;
	struct mkelf *b = symtab_begin(false, false, EM_ARM, &text);
	struct loaded l;

	mkelf_symbol(b, "$a", TEXT_ADDR, 0, STT_NOTYPE, STB_LOCAL, text);
	mkelf_symbol(b, "$d.realdata", TEXT_ADDR + 8, 0, STT_NOTYPE, STB_LOCAL, text);
	mkelf_symbol(b, "$dollar", TEXT_ADDR + 0x10, 4, STT_NOTYPE, STB_LOCAL, text);
	mkelf_symbol(b, "thumb", TEXT_ADDR + 0x21, 8, STT_FUNC, STB_GLOBAL, text);
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	l = symtab_load(b, 0);
	CHECK_EQ(l.t.nr, 2);
	CHECK_STR(symtab_at(&l, TEXT_OFF + 0x10), "$dollar");
	CHECK_STR(symtab_at(&l, TEXT_OFF + 0x20), "thumb");
	CHECK_STR(symtab_at(&l, TEXT_OFF + 0x28), NULL);
	symtab_unload(&l);
}

TEST(kernel_and_module_spaces)
{
	for (int module = 0; module < 2; module++) {
		struct mkelf *b = mkelf_new(true, false, module ? ET_REL : ET_EXEC, EM_X86_64);
		u64 addr = module ? 0 : 0xffffffff81000000;
		struct loaded l;
		u16 text;

		if (!module)
			mkelf_load(b, addr, 0x200000, 0x1000);
		text = mkelf_section(b, &(struct mkelf_part){ .name = ".text",
							      .type = SHT_PROGBITS,
							      .flags = SHF_ALLOC,
							      .addr = addr,
							      .off = 0x1000,
							      .size = 0x100 });
		mkelf_symbol(b, "f", addr + 0x10, 8, STT_FUNC, STB_GLOBAL, text);
		mkelf_symbol(b, ".Llocal", addr + 0x20, 8, STT_NOTYPE, STB_LOCAL, text);
		mkelf_symbol(b, "L0\1", addr + 0x20, 8, STT_NOTYPE, STB_LOCAL, text);
		mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
		l = symtab_load(b, module ? ELF_SYMBOLS_MODULE : ELF_SYMBOLS_KERNEL);
		CHECK_EQ(l.t.nr, 1);
		CHECK_STR(symtab_at(&l, module ? 0x1010 : addr + 0x10), "f");
		symtab_unload(&l);
	}
}

/* The symbols of a debug file, whose sections are NOBITS, lie where the runtime file has them. */
TEST(debug_file_beside_its_runtime)
{
	u16 text;
	struct mkelf *b = symtab_begin(true, false, EM_X86_64, &text);
	struct object *debug, *runtime;
	u8 *debug_bytes, *runtime_bytes;
	struct symtab t;
	size_t n;

	mkelf_symbol(b, "exported", TEXT_ADDR, 8, STT_FUNC, STB_GLOBAL, text);
	mkelf_end_symbols(b, ".dynsym", SHT_DYNSYM);
	runtime_bytes = mkelf_end(b, &n);
	CHECK_EQ(object_open_mem("runtime", runtime_bytes, n, &runtime, NULL), 0);
	CHECK(elf_is_runtime(runtime));
	CHECK(!elf_has_symtab(runtime));

	b = mkelf_new(true, false, ET_DYN, EM_X86_64);
	mkelf_load(b, TEXT_ADDR, 0, 0x1000); /* as objcopy --only-keep-debug may leave it */
	text = mkelf_section(b, &(struct mkelf_part){ .name = ".text",
						      .type = SHT_NOBITS,
						      .flags = SHF_ALLOC,
						      .addr = TEXT_ADDR,
						      .off = 0x200,
						      .size = TEXT_SIZE });
	mkelf_symbol(b, "private", TEXT_ADDR + 0x40, 8, STT_FUNC, STB_LOCAL, text);
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	debug_bytes = mkelf_end(b, &n);
	CHECK_EQ(object_open_mem("debug", debug_bytes, n, &debug, NULL), 0);
	CHECK(!elf_is_runtime(debug));
	CHECK(elf_has_symtab(debug));

	symtab_init(&t);
	CHECK_EQ(elf_load_symbols(debug, runtime, 0, &t, NULL), 0);
	CHECK_EQ(t.nr, 1);
	CHECK_STR(symtab_find(&t, TEXT_OFF + 0x40)->name, "private");
	symtab_fini(&t);
	object_close(debug);
	object_close(runtime);
	free(debug_bytes);
	free(runtime_bytes);
}

TEST(symtab_and_dynsym_both_count)
{
	u16 text;
	struct mkelf *b = symtab_begin(true, false, EM_X86_64, &text);
	struct loaded l;

	mkelf_symbol(b, "both", TEXT_ADDR, 8, STT_FUNC, STB_GLOBAL, text);
	mkelf_symbol(b, "dynamic", TEXT_ADDR + 0x10, 8, STT_FUNC, STB_GLOBAL, text);
	mkelf_end_symbols(b, ".dynsym", SHT_DYNSYM);
	mkelf_symbol(b, "both", TEXT_ADDR, 8, STT_FUNC, STB_GLOBAL, text);
	mkelf_symbol(b, "private", TEXT_ADDR + 0x20, 8, STT_FUNC, STB_LOCAL, text);
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	l = symtab_load(b, 0);
	CHECK_STR(symtab_at(&l, TEXT_OFF), "both");
	CHECK_STR(symtab_at(&l, TEXT_OFF + 0x10), "dynamic");
	CHECK_STR(symtab_at(&l, TEXT_OFF + 0x20), "private");
	symtab_unload(&l);
}

TEST(no_symbols)
{
	u16 text;
	struct loaded l = symtab_load(symtab_begin(true, false, EM_X86_64, &text), 0);

	CHECK_EQ(l.err, PERR_NOTFOUND);
	symtab_unload(&l);
}

/* A whole file, damaged in every way that fits in a loop: no crash, no endless loop. */
static u8 *whole_file(size_t *ret_n)
{
	static const u8 id[20] = { 1, 2, 3 };
	u16 text, dynsym;
	struct mkelf *b = symtab_begin(true, false, EM_X86_64, &text);

	mkelf_build_id(b, id, sizeof(id));
	symtab_add_code(b, ".plt", 0, 0x50, 16, NULL);
	symtab_add_code(b, ".plt.sec", 0x50, 0x40, 16, NULL);
	symtab_add_code(b, ".plt.got", 0xa0, 0x20, 16, NULL);
	dynsym = symtab_add_imports(b, text);
	symtab_add_slots(b, dynsym);
	mkelf_reloc(b, 0x100, 2, 0);
	mkelf_end_relocs(b, ".rela.dyn", dynsym);
	mkelf_symbol(b, "f", TEXT_ADDR, 8, STT_FUNC, STB_GLOBAL, text);
	mkelf_symbol(b, "g", TEXT_ADDR + 8, 0, STT_FUNC, STB_GLOBAL, text);
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	return mkelf_end(b, ret_n);
}

static void try_load(const u8 *p, size_t n)
{
	struct object *o;
	struct symtab t;

	if (object_open_mem("damaged", p, n, &o, NULL))
		return;
	symtab_init(&t);
	if (!elf_load_symbols(o, o, ELF_SYMBOLS_DEMANGLED, &t, NULL))
		for (u64 off = 0; off < 0x4000; off += 0x40)
			symtab_find(&t, off);
	symtab_fini(&t);
	object_close(o);
}

TEST(cut_files)
{
	size_t n;
	u8 *p = whole_file(&n);

	for (size_t i = 0; i < n; i += i < 0x200 || i > TEXT_OFF ? 1 : 64) {
		u8 *cut = xmalloc(i);

		memcpy(cut, p, i);
		try_load(cut, i);
		free(cut);
	}
	free(p);
}

TEST(damaged_files)
{
	static const u8 values[] = { 0, 1, 0x7f, 0x80, 0xff };
	size_t n;
	u8 *p = whole_file(&n);

	for (size_t i = 0; i < n; i++) {
		u8 was = p[i];

		/* The gap before .text and its zeros say nothing. */
		if (i >= 0x200 && i < TEXT_OFF + 0x400)
			continue;
		for (size_t v = 0; v < ARRAY_SIZE(values); v++) {
			p[i] = values[v];
			try_load(p, n);
		}
		p[i] = was;
	}
	free(p);
}

TEST(build_ids)
{
	static const u8 id[20] = { 1, 2, 3, [15] = 9, [19] = 7 };
	static const u32 sizes[] = { 8, 16, 20 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (int big = 0; big < 2; big++) {
			struct mkelf *b = mkelf_new(true, big, ET_DYN, EM_X86_64);
			struct object *o;
			size_t n;
			u8 *p;

			mkelf_build_id(b, id, sizes[i]);
			p = mkelf_end(b, &n);
			CHECK_EQ(object_open_mem("x", p, n, &o, NULL), 0);
			CHECK_EQ(o->build_id_size, sizes[i]);
			CHECK_MEM(o->build_id, id, sizes[i]);
			object_close(o);
			free(p);
		}
	}
	CHECK(build_id_equal(id, 8, id, 20) == false);
	CHECK(build_id_equal((const u8 *)"ab\0\0", 4, (const u8 *)"ab", 2));
	CHECK(!build_id_equal((const u8 *)"ab", 2, (const u8 *)"ac", 2));
	CHECK(!build_id_equal(id, 0, id, 0));
}

TEST(not_elf)
{
	struct object *o;
	struct perr e;

	CHECK_EQ(object_open_mem("x", "", 0, &o, &e), PERR_FORMAT);
	CHECK_EQ(object_open_mem("x", "#!/bin/sh\necho a script\n", 24, &o, &e), PERR_FORMAT);
	CHECK_EQ(object_open_mem("x", "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\0", 17, &o, &e),
		 PERR_FORMAT);
	CHECK_EQ(object_open("/nonexistent/file", &o, &e), PERR_IO);
	CHECK_EQ(object_open("/dev/null", &o, &e), PERR_FORMAT);
	CHECK_EQ(object_open("/", &o, &e), PERR_FORMAT);
}

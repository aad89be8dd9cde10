/* SPDX-License-Identifier: MIT */
/* An ELF file with DWARF each of whose names drives a terminal, and its source. */
#include <dwarf.h>
#include <elf.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tests/frame/build_bytes.h"
#include "tests/frame/build_elf.h"
#include "tests/tools/hostile/hostile.h"

bool write_file(const char *dir, const char *name, const void *p, size_t n)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	bool ok = f && fwrite(p, 1, n, f) == n;

	if (f && fclose(f))
		ok = false;
	if (!ok)
		perror(path);
	free(path);
	return ok;
}

enum { UNIT = 1, FUNCTION, INLINED, ABSTRACT };

/* DWARF 4, section 7.5.3: code, tag, children, attributes */
static const u8 abbrevs[] = {
	UNIT,
	DW_TAG_compile_unit,
	1,
	DW_AT_name,
	DW_FORM_string,
	DW_AT_comp_dir,
	DW_FORM_string,
	DW_AT_stmt_list,
	DW_FORM_sec_offset,
	DW_AT_low_pc,
	DW_FORM_addr,
	DW_AT_high_pc,
	DW_FORM_data4,
	0,
	0,
	FUNCTION,
	DW_TAG_subprogram,
	1,
	DW_AT_name,
	DW_FORM_string,
	DW_AT_low_pc,
	DW_FORM_addr,
	DW_AT_high_pc,
	DW_FORM_data4,
	0,
	0,
	INLINED,
	DW_TAG_inlined_subroutine,
	0,
	DW_AT_abstract_origin,
	DW_FORM_ref4,
	DW_AT_low_pc,
	DW_FORM_addr,
	DW_AT_high_pc,
	DW_FORM_data4,
	DW_AT_call_file,
	DW_FORM_data1,
	DW_AT_call_line,
	DW_FORM_data1,
	0,
	0,
	ABSTRACT,
	DW_TAG_subprogram,
	0,
	DW_AT_name,
	DW_FORM_string,
	0,
	0,
	0,
};

static void put_code(struct bytes *b, u64 start, u32 size)
{
	put_u64(b, start);
	put_u32(b, size);
}

/* A function of the whole text with an inlined call at 0x1008. */
static void put_info(struct bytes *b)
{
	u32 abstract;

	put_u32(b, 0); /* length, set below */
	put_u16(b, 4);
	put_u32(b, 0);
	put_u8(b, 8);
	put_u8(b, UNIT);
	put_text(b, SOURCE, 1);
	put_text(b, SOURCE_DIR, 1);
	put_u32(b, 0);
	put_code(b, 0x1000, 0x300);
	abstract = (u32)b->n;
	put_u8(b, ABSTRACT);
	put_text(b, "inlined " HOSTILE, 1);
	put_u8(b, FUNCTION);
	put_text(b, "symbol " HOSTILE, 1);
	put_code(b, 0x1000, 0x300);
	put_u8(b, INLINED);
	put_u32(b, abstract);
	put_code(b, 0x1008, 0x10);
	put_u8(b, 1);
	put_u8(b, 2);
	put_fill(b, 0, 2); /* the ends of the function's and the unit's children */
	set_u32(b, 0, (u32)b->n - 4);
}

/* DWARF 4, section 6.2: line 2 of SOURCE from 0x1000 on, line 1 from 0x1010 on, line 3 from 0x1100
 */
static void put_lines(struct bytes *b)
{
	static const u8 head[] = { 1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0 };
	static const u8 program[] = { 3, 1, 1, 2, 0x10, 3,    0x7f, 1, 2, 0xf0,
				      1, 3, 2, 1, 2,    0x80, 4,    0, 1, 1 };

	put_u32(b, 0); /* length, set below */
	put_u16(b, 4);
	put_u32(b, 0); /* length of the header */
	put_mem(b, head, sizeof(head));
	put_text(b, SOURCE, 1);
	put_fill(b, 0, 4); /* of its folder, time and size; end of the files */
	set_u32(b, 6, (u32)b->n - 10);
	put_mem(b, "\0\11\2", 3); /* set_address */
	put_u64(b, 0x1000);
	put_mem(b, program, sizeof(program));
	set_u32(b, 0, (u32)b->n - 4);
}

static void add_section(struct mkelf *b, const char *name, const void *p, size_t n)
{
	mkelf_section(b, &(struct mkelf_part){
				 .name = name, .type = SHT_PROGBITS, .bytes = p, .size = n });
}

bool write_object(const char *dir, const char *long_name)
{
	struct mkelf *b = mkelf_new(true, false, ET_DYN, EM_X86_64);
	struct bytes info = bytes_new(false), lines = bytes_new(false);
	u8 code[0x300], *elf;
	size_t n;
	u16 text;
	bool ok;

	memset(code, 0x90, sizeof(code));
	put_info(&info);
	put_lines(&lines);
	mkelf_load(b, 0x1000, 0x1000, sizeof(code));
	text = mkelf_section(b, &(struct mkelf_part){ .name = ".text",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC | SHF_EXECINSTR,
						      .addr = 0x1000,
						      .off = 0x1000,
						      .bytes = code,
						      .size = sizeof(code) });
	add_section(b, ".debug_abbrev", abbrevs, sizeof(abbrevs));
	add_section(b, ".debug_info", info.p, info.n);
	add_section(b, ".debug_line", lines.p, lines.n);
	mkelf_symbol(b, "symbol " HOSTILE, 0x1000, 0x100, STT_FUNC, STB_GLOBAL, text);
	mkelf_symbol(b, long_name, 0x1100, 0x100, STT_FUNC, STB_GLOBAL, text);
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	elf = mkelf_end(b, &n);
	ok = write_file(dir, OBJECT, elf, n);
	free(elf);
	bytes_free(&info);
	bytes_free(&lines);
	return ok;
}

bool write_source(const char *dir)
{
	static const char text[] = "first line " HOSTILE_WORD "\tTAB\rRETURN\033[2J\n"
				   "second line " HOSTILE_WORD "\n"
				   "third line " HOSTILE_WORD "\n";
	char *folder = xasprintf("%s/%s", dir, SOURCE_DIR);
	bool ok;

	(void)mkdir(folder, 0777);
	ok = write_file(folder, SOURCE, text, sizeof(text) - 1);
	free(folder);
	return ok;
}

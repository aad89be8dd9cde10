/* SPDX-License-Identifier: MIT */
/* Source lines: a small file with DWARF of its own, found through the door, then damaged. */
#include "symbols/dwarf/lines.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/dwarf/debuginfo.h"
#include "symbols/symbols.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"

#define MAP_START 0x7f0000000000
#define TEXT 0x401000 /* vaddr; it lies at TEXT_OFF in the file */
#define TEXT_OFF 0x800

/* DWARF 4, sections 7.5.1, 7.5.3: a unit of 0x40 bytes at TEXT with its line table at 0. */
static const u8 abbrev[] = {
	1,    0x11, 0, /* DW_TAG_compile_unit, no children */
	0x03, 0x08,    /* name: string */
	0x1b, 0x08,    /* comp_dir: string */
	0x10, 0x17,    /* stmt_list: sec_offset */
	0x11, 0x01,    /* low_pc: addr */
	0x12, 0x07,    /* high_pc: data8 */
	0,    0,    0,
};

static const u8 info[] = {
	39,   0,    0,    0,   4, 0,   0,   0,   0,    0,   8, /* length, DWARF 4, abbrev at 0,
								  8-byte addresses */
	1,    'm',  '.',  'c', 0, '/', 's', 'r', 'c',  '/', 'm', 0, 0, 0, 0, 0,
	0x00, 0x10, 0x40, 0,   0, 0,   0,   0,   0x40, 0,   0,   0, 0, 0, 0, 0,
};

/*
 * DWARF 4, section 6.2: two files, rows TEXT m.c:10, +0x10 inc/h.h:3, +0x10 twice (m.c:11, then
 * :12), end at +0x38.
 */
static const u8 line[] = {
	0,   0,    0,  0, /* length: filled in */
	4,   0,    38, 0,    0,    0,    1,   1,   1,   0xfb, 14,  13,   0, 1, 1,
	1,   1,    0,  0,    0,    1,    0,   0,   1,   'i',  'n', 'c',  0, 0, 'm',
	'.', 'c',  0,  0,    0,    0,    'h', '.', 'h', 0,    1,   0,    0, 0, /* the header ends */
	0,   9,    2,  0x00, 0x10, 0x40, 0,   0,   0,   0,    0,               /* set_address */
	3,   9,    1,                       /* advance_line, copy */
	2,   0x10, 4,  2,    3,    0x79, 1, /* advance_pc, set_file, line -7 */
	2,   0x10, 4,  1,    3,    8,    1,   3,   1,   1,    2,   0x18,
};
static const u8 line_end[] = { 0, 1, 1 };

static u8 *build(size_t *ret_n)
{
	struct mkelf *b = mkelf_new(true, false, ET_EXEC, EM_X86_64);
	u8 lines[sizeof(line) + sizeof(line_end)], code[0x40] = { 0x48, 0x01, 0xc2, 0xc3 };
	u16 text;
	u32 n = sizeof(lines) - 4;

	memcpy(lines, line, sizeof(line));
	memcpy(lines + sizeof(line), line_end, sizeof(line_end));
	memcpy(lines, &n, 4);
	mkelf_load(b, TEXT, TEXT_OFF, 0x40);
	text = mkelf_section(b, &(struct mkelf_part){ .name = ".text",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC | SHF_EXECINSTR,
						      .addr = TEXT,
						      .off = TEXT_OFF,
						      .bytes = code,
						      .size = sizeof(code) });
	mkelf_section(b, &(struct mkelf_part){ .name = ".debug_abbrev",
					       .type = SHT_PROGBITS,
					       .bytes = abbrev,
					       .size = sizeof(abbrev) });
	mkelf_section(b, &(struct mkelf_part){ .name = ".debug_info",
					       .type = SHT_PROGBITS,
					       .bytes = info,
					       .size = sizeof(info) });
	mkelf_section(b, &(struct mkelf_part){ .name = ".debug_line",
					       .type = SHT_PROGBITS,
					       .bytes = lines,
					       .size = sizeof(lines) });
	mkelf_symbol(b, "f", TEXT, 0x40, STT_FUNC, STB_GLOBAL, text);
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	return mkelf_end(b, ret_n);
}

static void write_file(char *path, const u8 *bytes, size_t n)
{
	int fd = mkstemp(path);

	if (fd < 0)
		SKIP("no file can be made in /tmp");
	CHECK_EQ(write(fd, bytes, n), n);
	close(fd);
}

static const char *place(struct lines *l, u64 vaddr)
{
	static char text[128];
	const char *file;
	u32 nr;

	if (!lines_find(l, vaddr, &file, &nr))
		return NULL;
	snprintf(text, sizeof(text), "%s:%u", file, nr);
	return text;
}

static const struct symbols_config hermetic = { .hermetic = true };

TEST(rows)
{
	char path[] = "/tmp/t_lines.XXXXXX";
	struct debuginfo *d;
	struct object *o;
	struct lines *l;
	struct perr e;
	size_t n;
	u8 *bytes = build(&n);

	write_file(path, bytes, n);
	CHECK_EQ(object_open(path, &o, &e), 0);
	CHECK_EQ(debuginfo_open(&hermetic, o, NULL, &d, &e), 0);
	l = lines_new(d);
	CHECK_STR(place(l, TEXT), "/src/m/m.c:10");
	CHECK_STR(place(l, TEXT + 0xf), "/src/m/m.c:10");
	CHECK_STR(place(l, TEXT + 0x10), "inc/h.h:3");
	CHECK_STR(place(l, TEXT + 0x20), "/src/m/m.c:12"); /* the last of equal rows */
	CHECK_STR(place(l, TEXT + 0x37), "/src/m/m.c:12");
	CHECK(!place(l, TEXT + 0x38)); /* the sequence ended, the unit did not */
	CHECK(!place(l, TEXT + 0x40));
	CHECK(!place(l, TEXT - 1));
	CHECK(!place(l, 0));
	CHECK(!place(l, UINT64_MAX));
	lines_free(l);
	debuginfo_close(d);
	object_close(o);
	unlink(path);
	free(bytes);
}

/* As Debian's libc is built: the unit's folder is "./elf". */
TEST(folder_may_be_relative)
{
	char path[] = "/tmp/t_lines.XXXXXX";
	struct debuginfo *d;
	struct object *o;
	struct lines *l;
	struct perr e;
	size_t n;
	u8 *bytes = build(&n), *folder = memmem(bytes, n, "/src/m", 7);

	CHECK(folder);
	memcpy(folder, "./elfs", 6);
	write_file(path, bytes, n);
	CHECK_EQ(object_open(path, &o, &e), 0);
	CHECK_EQ(debuginfo_open(&hermetic, o, NULL, &d, &e), 0);
	l = lines_new(d);
	CHECK_STR(place(l, TEXT), "./elfs/m.c:10");
	CHECK_STR(place(l, TEXT + 0x10), "inc/h.h:3");
	lines_free(l);
	debuginfo_close(d);
	object_close(o);
	unlink(path);
	free(bytes);
}

TEST(errors)
{
	struct debuginfo *d;
	struct object *o;
	struct perr e;
	size_t n;
	u8 *bytes = mkelf_end(mkelf_new(true, false, ET_EXEC, EM_X86_64), &n);

	CHECK_EQ(object_open_mem("x", bytes, n, &o, &e), 0);
	CHECK_EQ(debuginfo_open(&hermetic, o, NULL, &d, &e), PERR_NOTFOUND);
	object_close(o);
	free(bytes);
	lines_free(NULL);
	debuginfo_close(NULL);
}

TEST(through_the_door)
{
	char path[] = "/tmp/t_lines.XXXXXX";
	struct symbols_config cfg = { .buildid_dir = "" };
	struct dso_desc desc = { .kind = DSO_USER, .name = path };
	struct symbols *s;
	struct line_hit hit;
	struct dso *d;
	bool is_64 = false;
	size_t n;
	u8 *bytes = build(&n), code[4];

	write_file(path, bytes, n);
	s = symbols_new(&cfg);
	d = symbols_add_dso(s, &desc);
	CHECK(dso_find_line(d, MAP_START + 0x12, MAP_START, TEXT_OFF, &hit));
	CHECK_STR(hit.file, "inc/h.h");
	CHECK_EQ(hit.line, 3);
	CHECK_EQ(hit.vaddr, TEXT + 0x12);
	CHECK(dso_find_line(d, MAP_START + 0x39, MAP_START, TEXT_OFF, &hit));
	CHECK_STR(hit.file, "??");
	CHECK_EQ(hit.line, 0);
	CHECK_EQ(hit.vaddr, TEXT + 0x39);
	CHECK_EQ(dso_read_code(d, MAP_START, MAP_START, TEXT_OFF, code, 4, &is_64), 4);
	CHECK(is_64 && code[0] == 0x48 && code[3] == 0xc3);
	CHECK_EQ(dso_read_code(d, MAP_START + n, MAP_START, TEXT_OFF, code, 4, &is_64), 0);
	CHECK_EQ(dso_read_code(d, MAP_START + n - TEXT_OFF - 3, MAP_START, TEXT_OFF, code, 4,
			       &is_64),
		 3);
	symbols_free(s);
	unlink(path);
	free(bytes);
}

/* Damage anywhere behind the code: no crash, no hang, no sanitizer's complaint. */
TEST(damaged)
{
	size_t n, i;
	u8 *bytes = build(&n), *copy = xmalloc(n);
	u64 seed = 1;

	for (i = 0; i < 2000; i++) {
		char path[] = "/tmp/t_lines.XXXXXX";
		unsigned int k, nr;
		struct debuginfo *d;
		struct object *o;
		struct lines *l;
		struct perr e;
		u64 vaddr;

		memcpy(copy, bytes, n);
		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		nr = 1 + (seed >> 60) % 4;
		for (k = 0; k < nr; k++) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			copy[TEXT_OFF + 0x40 + (seed >> 33) % (n - TEXT_OFF - 0x40)] =
				seed & 0x100 ? 0xff : (u8)(seed >> 20);
		}
		write_file(path, copy, n);
		if (object_open(path, &o, &e)) {
			unlink(path);
			continue;
		}
		if (!debuginfo_open(&hermetic, o, NULL, &d, &e)) {
			l = lines_new(d);
			for (vaddr = TEXT - 4; vaddr < TEXT + 0x44; vaddr += 4)
				(void)place(l, vaddr);
			lines_free(l);
			debuginfo_close(d);
		}
		object_close(o);
		unlink(path);
	}
	free(copy);
	free(bytes);
}

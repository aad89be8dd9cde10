/* SPDX-License-Identifier: MIT */
/* The door of symbols/: descriptions in, printed names out. */
#include "symbols/symbols.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"

#define MAP_START 0x7f0000000000
#define MAP_PGOFF 0x800

/* A file with functions, an alias, a PLT slot with and one without a name; path is made up. */
static void write_elf(char *path)
{
	struct mkelf *b = mkelf_new(true, false, ET_DYN, EM_X86_64);
	u16 text, dynsym;
	size_t n;
	u8 *bytes;
	int fd;

	mkelf_load(b, 0x1000, 0x800, 0x200);
	text = mkelf_section(b, &(struct mkelf_part){ .name = ".text",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC,
						      .addr = 0x1000,
						      .off = 0x800,
						      .size = 0x100 });
	mkelf_section(b, &(struct mkelf_part){ .name = ".plt",
					       .type = SHT_PROGBITS,
					       .flags = SHF_ALLOC,
					       .addr = 0x1100,
					       .off = 0x900,
					       .size = 0x30,
					       .entsize = 16 });
	mkelf_symbol(b, "_Z3outi", 0, 0, STT_FUNC, STB_GLOBAL, SHN_UNDEF);
	dynsym = mkelf_end_symbols(b, ".dynsym", SHT_DYNSYM);
	mkelf_reloc(b, 0x3000, 1, 0);
	mkelf_reloc(b, 0x3008, 0, 0);
	mkelf_end_relocs(b, ".rela.plt", dynsym);
	mkelf_symbol(b, "_ZN2ns3funEv", 0x1010, 0x10, STT_FUNC, STB_GLOBAL, text);
	mkelf_symbol(b, "f", 0x1020, 0x10, STT_FUNC, STB_GLOBAL, text);
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	bytes = mkelf_end(b, &n);
	fd = mkstemp(path);
	if (fd < 0)
		SKIP("no file can be made in /tmp");
	CHECK_EQ(write(fd, bytes, n), n);
	close(fd);
	free(bytes);
}

static const char *name_at(struct dso *d, u64 off)
{
	struct sym_hit hit;

	return dso_find(d, MAP_START + off - MAP_PGOFF, MAP_START, MAP_PGOFF, &hit) ? hit.name
										    : NULL;
}

TEST(names_as_printed)
{
	for (int no_demangle = 0; no_demangle < 2; no_demangle++) {
		char path[] = "/tmp/t_dso_find.XXXXXX";
		struct symbols_config cfg = { .no_demangle = no_demangle, .buildid_dir = "" };
		struct dso_desc desc = { .kind = DSO_USER, .name = path };
		struct symbols *s;
		struct sym_hit hit;
		struct dso *d;
		const char *name;

		write_elf(path);
		s = symbols_new(&cfg);
		d = symbols_add_dso(s, &desc);
		CHECK_EQ(dso_get_status(d), DSO_NOT_LOADED);
		CHECK_EQ(dso_get_origin(d), '!');
		name = name_at(d, 0x810);
		CHECK_STR(name, no_demangle ? "_ZN2ns3funEv" : "ns::fun()");
		CHECK(name == name_at(d, 0x81f));
		CHECK_STR(name_at(d, 0x820), "f");
		CHECK_STR(name_at(d, 0x830), NULL);
		CHECK_STR(name_at(d, 0x900), ".plt");
		CHECK_STR(name_at(d, 0x910), no_demangle ? "_Z3outi@plt" : "out(int)@plt");
		CHECK_STR(name_at(d, 0x920), "offset_0x920@plt");
		CHECK(dso_find(d, MAP_START + 0x28, MAP_START, MAP_PGOFF, &hit));
		CHECK_EQ(hit.start, 0x820);
		CHECK_EQ(hit.end, 0x830);
		CHECK_EQ(hit.addr, 0x828);
		CHECK_EQ(dso_get_status(d), DSO_LOADED);
		CHECK_EQ(dso_get_origin(d), 'd');
		CHECK_STR(dso_get_symbols_path(d), path);
		CHECK_STR(dso_get_desc(d)->name, path);
		symbols_free(s);
		unlink(path);
	}
}

TEST(missing_file)
{
	struct symbols_config cfg = { .buildid_dir = "" };
	struct dso_desc desc = { .kind = DSO_USER, .name = "/nonexistent/lib.so" };
	struct symbols *s = symbols_new(&cfg);
	struct dso *d = symbols_add_dso(s, &desc);

	CHECK_STR(name_at(d, 0x810), NULL);
	CHECK_EQ(dso_get_status(d), DSO_FILE_MISSING);
	CHECK_STR(dso_get_symbols_path(d), NULL);
	symbols_free(s);
}

TEST(symbols_of_the_recording)
{
	struct symbols_config cfg = { .hermetic = true };
	struct dso_desc desc = { .kind = DSO_BPF, .name = "bpf_prog_1" };
	struct symbols *s = symbols_new(&cfg);
	struct dso *d = symbols_add_dso(s, &desc);
	struct sym_hit hit;

	dso_add_symbol(d, 0xffffffffc0001000, 0x100, "bpf_prog_1_f");
	CHECK(dso_find(d, 0xffffffffc0001080, 0xffffffffc0001000, 0, &hit));
	CHECK_STR(hit.name, "bpf_prog_1_f");
	CHECK_EQ(hit.start, 0xffffffffc0001000);
	CHECK_EQ(hit.addr, 0xffffffffc0001080);
	/* One more, after it was searched. */
	dso_add_symbol(d, 0xffffffffc0000f00, 0x100, "bpf_prog_1_e");
	CHECK(dso_find(d, 0xffffffffc0000f80, 0xffffffffc0000f00, 0, &hit));
	CHECK_STR(hit.name, "bpf_prog_1_e");
	CHECK(dso_find(d, 0xffffffffc0001080, 0xffffffffc0001000, 0, &hit));
	CHECK_STR(hit.name, "bpf_prog_1_f");
	CHECK(!dso_find(d, 0xffffffffc0001100, 0xffffffffc0001000, 0, &hit));
	symbols_free(s);
}

TEST(nothing_to_look_in)
{
	static const enum dso_kind kinds[] = { DSO_BPF, DSO_NONE, DSO_GUEST_KERNEL };
	struct symbols_config cfg = { .hermetic = true };
	struct symbols *s = symbols_new(&cfg);

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct dso_desc desc = { .kind = kinds[i], .name = "[heap]" };
		struct dso *d = symbols_add_dso(s, &desc);

		CHECK_STR(name_at(d, 0x810), NULL);
		CHECK_EQ(dso_get_status(d), DSO_NO_FILE);
	}
	symbols_free(s);
	symbols_free(NULL);
}

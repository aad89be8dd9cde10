/* SPDX-License-Identifier: MIT */
#include "symbols/find/debugfile.h"

#include <elf.h>
#include <errno.h>
#include <ftw.h>
#include <lzma.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/mem.h"
#include "symbols/find/build_id_cache.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"

static const u8 id[20] = { 0xab, 0xcd, 0xef, 1, [19] = 0x42 };
#define ID_FILE ".build-id/ab/cdef0100000000000000000000000000000042"

/* A root folder for --symfs, and what is asked of it. */
struct place {
	char root[32];
	struct symbols_config cfg;
	struct dso_desc desc;
};

static struct place place_new(void)
{
	struct place p = { .root = "/tmp/t_debugfile.XXXXXX",
			   .desc = { .kind = DSO_USER, .name = "/usr/lib/x/lib.so" } };

	if (!mkdtemp(p.root))
		SKIP("no folder can be made in /tmp");
	return p;
}

static void place_use(struct place *p, bool with_id)
{
	p->cfg = (struct symbols_config){ .symfs = p->root, .hermetic = true };
	if (with_id) {
		memcpy(p->desc.build_id, id, sizeof(id));
		p->desc.build_id_size = sizeof(id);
	}
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void place_free(struct place *p)
{
	nftw(p->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void write_file(struct place *p, const char *path, const void *bytes, size_t n)
{
	char *full = xasprintf("%s/%s", p->root, path);
	FILE *f;

	for (char *s = full + strlen(p->root) + 1; (s = strchr(s, '/')); s++) {
		*s = 0;
		CHECK(!mkdir(full, 0755) || errno == EEXIST);
		*s = '/';
	}
	f = fopen(full, "wb");
	CHECK(f);
	CHECK_EQ(fwrite(bytes, 1, n, f), n);
	CHECK_EQ(fclose(f), 0);
	free(full);
}

static void remove_file(struct place *p, const char *path)
{
	char *full = xasprintf("%s/%s", p->root, path);

	CHECK_EQ(unlink(full), 0);
	free(full);
}

enum content {
	SYMTAB = 1,  /* .symtab, NOBITS code */
	RUNTIME = 2, /* .dynsym */
	LINK = 4,    /* .gnu_debuglink to "lib.debug" */
	NO_ID = 8,
	OTHER_ID = 16,
	DEBUGDATA = 32,
	DWARF = 64,
	GOOD_CRC = 128, /* of LINK: that of a file of SYMTAB | NO_ID */
	CODE = 256,     /* without symbols, as a stripped program that is linked statically */
};

static u8 *make_elf(unsigned int content, size_t *ret_n);

static void add_debugdata(struct mkelf *b)
{
	u8 packed[4096];
	size_t n, packed_n = 0;
	u8 *inner = make_elf(SYMTAB | NO_ID, &n);

	CHECK_EQ(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, inner, n, packed, &packed_n,
					 sizeof(packed)),
		 LZMA_OK);
	mkelf_section(b, &(struct mkelf_part){ .name = ".gnu_debugdata",
					       .type = SHT_PROGBITS,
					       .bytes = packed,
					       .size = packed_n });
	free(inner);
}

static void add_link(struct mkelf *b, bool good)
{
	char link[16] = "lib.debug\0\0\0crc";
	size_t n;
	u8 *linked = make_elf(SYMTAB | NO_ID, &n);
	u32 crc = (u32)crc32_z(0, linked, n);

	if (good)
		memcpy(link + 12, &crc, 4);
	mkelf_section(b, &(struct mkelf_part){ .name = ".gnu_debuglink",
					       .type = SHT_PROGBITS,
					       .bytes = link,
					       .size = 16 });
	free(linked);
}

static u8 *make_elf(unsigned int content, size_t *ret_n)
{
	struct mkelf *b = mkelf_new(true, false, ET_DYN, EM_X86_64);
	u8 use_id[20];
	u16 text;

	memcpy(use_id, id, sizeof(id));
	if (content & OTHER_ID)
		use_id[7] ^= 1;
	mkelf_load(b, 0x1000, 0x800, 0x100);
	text = mkelf_section(b,
			     &(struct mkelf_part){ .name = ".text",
						   .type = content & (RUNTIME | CODE) ? SHT_PROGBITS
										      : SHT_NOBITS,
						   .flags = SHF_ALLOC | SHF_EXECINSTR,
						   .addr = 0x1000,
						   .off = 0x800,
						   .size = 0x100 });
	if (!(content & NO_ID))
		mkelf_build_id(b, use_id, sizeof(use_id));
	if (content & LINK)
		add_link(b, content & GOOD_CRC);
	if (content & DWARF)
		mkelf_section(b, &(struct mkelf_part){ .name = ".debug_info",
						       .type = SHT_PROGBITS,
						       .bytes = "unit",
						       .size = 4 });
	if (content & DEBUGDATA)
		add_debugdata(b);
	if (content & RUNTIME) {
		mkelf_symbol(b, "f", 0x1000, 8, STT_FUNC, STB_GLOBAL, text);
		mkelf_end_symbols(b, ".dynsym", SHT_DYNSYM);
	}
	if (content & SYMTAB) {
		mkelf_symbol(b, "g", 0x1010, 8, STT_FUNC, STB_LOCAL, text);
		mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	}
	return mkelf_end(b, ret_n);
}

static void put_elf(struct place *p, const char *path, unsigned int content)
{
	size_t n;
	u8 *bytes = make_elf(content, &n);

	write_file(p, path, bytes, n);
	free(bytes);
}

/* The kind of place that the symbols come from; '!' when nothing was found. */
static char find(struct place *p, enum dso_status *ret_status)
{
	struct debugfile found;
	char letter;

	debugfile_find(&p->cfg, &p->desc, &found);
	letter = found.letter;
	if (ret_status)
		*ret_status = found.status;
	CHECK(!found.symbols || found.runtime);
	debugfile_fini(&found);
	return letter;
}

/* What the last file whose path ends so was taken for. */
static unsigned int role_of(const struct debugfile *d, const char *end)
{
	size_t n = strlen(end);

	for (size_t i = d->nr_tries; i--;) {
		const char *path = d->tries[i].path;

		if (strlen(path) >= n && !strcmp(path + strlen(path) - n, end))
			return d->tries[i].roles;
	}
	return UINT32_MAX;
}

/* Whether a file whose path ends so was refused for this. */
static bool was_refused(const struct debugfile *d, const char *end, const char *why)
{
	size_t n = strlen(end);

	for (size_t i = 0; i < d->nr_tries; i++) {
		const char *path = d->tries[i].path;

		if (strlen(path) >= n && !strcmp(path + strlen(path) - n, end) &&
		    !strcmp(d->tries[i].why, why) && !d->tries[i].roles)
			return true;
	}
	return false;
}

#define SELF "usr/lib/x/lib.so"

TEST(order_of_places)
{
	static const struct {
		char letter;
		const char *path;
	} places[] = {
		{ 'l', "usr/lib/x/lib.debug" },
		{ 'l', "usr/lib/x/.debug/lib.debug" },
		{ 'B', ".debug/" ID_FILE "/elf" },
		{ 'D', ".debug/" ID_FILE "/debug" },
		{ 'f', "usr/lib/debug/usr/lib/x/lib.so.debug" },
		{ 'u', "usr/lib/debug/usr/lib/x/lib.so" },
		{ 'b', "usr/lib/debug/" ID_FILE ".debug" },
	};
	static const struct {
		char letter;
		const char *path;
	} late_places[] = {
		{ 'o', "usr/lib/x/.debug/lib.so" },
		{ 'x', "usr/lib/debug/lib/x/lib.so" },
	};

	for (int with_id = 0; with_id < 2; with_id++) {
		struct place p = place_new();

		place_use(&p, with_id);
		for (size_t i = 0; i < ARRAY_SIZE(places); i++)
			put_elf(&p, places[i].path, SYMTAB);
		for (size_t i = 0; i < ARRAY_SIZE(late_places); i++)
			put_elf(&p, late_places[i].path, SYMTAB);
		put_elf(&p, SELF, RUNTIME | SYMTAB | LINK | DEBUGDATA);
		for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
			CHECK_EQ(find(&p, NULL), places[i].letter);
			remove_file(&p, places[i].path);
		}
		CHECK_EQ(find(&p, NULL), 'n');
		put_elf(&p, SELF, RUNTIME | SYMTAB);
		CHECK_EQ(find(&p, NULL), 'd');
		put_elf(&p, SELF, RUNTIME);
		for (size_t i = 0; i < ARRAY_SIZE(late_places); i++) {
			CHECK_EQ(find(&p, NULL), late_places[i].letter);
			remove_file(&p, late_places[i].path);
		}
		CHECK_EQ(find(&p, NULL), 'd');
		place_free(&p);
	}
}

TEST(statuses)
{
	struct place p = place_new();
	enum dso_status status;

	place_use(&p, true);
	CHECK_EQ(find(&p, &status), '!');
	CHECK_EQ(status, DSO_FILE_MISSING);
	write_file(&p, SELF, "#!/bin/sh\n", 10);
	CHECK_EQ(find(&p, &status), '!');
	CHECK_EQ(status, DSO_BROKEN);
	put_elf(&p, SELF, RUNTIME | SYMTAB | OTHER_ID);
	CHECK_EQ(find(&p, &status), '!');
	CHECK_EQ(status, DSO_BUILD_ID_DIFFERS);
	/* With an id recorded, a file without any is another one. */
	put_elf(&p, SELF, RUNTIME | SYMTAB | NO_ID);
	CHECK_EQ(find(&p, &status), '!');
	CHECK_EQ(status, DSO_BUILD_ID_DIFFERS);
	put_elf(&p, SELF, 0);
	CHECK_EQ(find(&p, &status), '!');
	CHECK_EQ(status, DSO_STRIPPED);
	put_elf(&p, SELF, RUNTIME);
	CHECK_EQ(find(&p, &status), 'd');
	CHECK_EQ(status, DSO_STRIPPED);
	put_elf(&p, SELF, RUNTIME | SYMTAB);
	CHECK_EQ(find(&p, &status), 'd');
	CHECK_EQ(status, DSO_LOADED);
	place_free(&p);
}

TEST(no_id_recorded)
{
	struct place p = place_new();

	place_use(&p, false);
	put_elf(&p, SELF, RUNTIME | NO_ID);
	CHECK_EQ(find(&p, NULL), 'd');
	/* The file's own id is what debug files have to have. */
	put_elf(&p, SELF, RUNTIME);
	put_elf(&p, "usr/lib/debug/usr/lib/x/lib.so", SYMTAB | OTHER_ID);
	CHECK_EQ(find(&p, NULL), 'd');
	put_elf(&p, "usr/lib/debug/usr/lib/x/lib.so", SYMTAB);
	CHECK_EQ(find(&p, NULL), 'u');
	place_free(&p);
}

TEST(roles_from_two_files)
{
	struct place p = place_new();
	struct debugfile found;

	place_use(&p, true);
	put_elf(&p, SELF, RUNTIME);
	put_elf(&p, "usr/lib/debug/" ID_FILE ".debug", SYMTAB);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK(found.symbols != found.runtime);
	CHECK(strstr(found.symbols->path, ".build-id"));
	CHECK(strstr(found.runtime->path, SELF));
	CHECK_EQ(found.letter, 'b');
	CHECK(found.nr_tries > 3);
	CHECK_EQ(role_of(&found, ID_FILE ".debug"), DEBUGFILE_SYMBOLS);
	CHECK_EQ(role_of(&found, SELF), DEBUGFILE_CODE);
	debugfile_fini(&found);
	place_free(&p);
}

/* Stacks go on through a program without any symbol; names may come from elsewhere. */
TEST(code_without_symbols)
{
	struct place p = place_new();
	struct debugfile found;

	place_use(&p, true);
	put_elf(&p, SELF, CODE);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK(!found.symbols);
	CHECK(found.runtime && strstr(found.runtime->path, SELF));
	CHECK_EQ(found.status, DSO_STRIPPED);
	CHECK_EQ(role_of(&found, SELF), DEBUGFILE_CODE);
	debugfile_fini(&found);
	put_elf(&p, "usr/lib/debug/" ID_FILE ".debug", SYMTAB);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK(found.symbols && strstr(found.symbols->path, ".build-id"));
	CHECK(found.runtime && strstr(found.runtime->path, SELF));
	debugfile_fini(&found);
	put_elf(&p, SELF, CODE | OTHER_ID);
	remove_file(&p, "usr/lib/debug/" ID_FILE ".debug");
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK(!found.symbols && !found.runtime);
	CHECK_EQ(found.status, DSO_BUILD_ID_DIFFERS);
	debugfile_fini(&found);
	place_free(&p);
}

TEST(deleted_files_by_id_only)
{
	struct place p = place_new();

	place_use(&p, true);
	p.desc.name = "/usr/lib/x/lib.so (deleted)";
	put_elf(&p, SELF, RUNTIME | SYMTAB);
	put_elf(&p, "usr/lib/x/lib.so (deleted)", RUNTIME | SYMTAB);
	CHECK_EQ(find(&p, NULL), '!');
	put_elf(&p, ".debug/" ID_FILE "/elf", RUNTIME | SYMTAB);
	CHECK_EQ(find(&p, NULL), 'B');
	place_free(&p);
}

TEST(cache_folder)
{
	struct place p = place_new(), cache = place_new();
	char *path;

	place_use(&p, true);
	p.cfg.buildid_dir = cache.root;
	put_elf(&cache, ID_FILE "/elf", RUNTIME | SYMTAB);
	CHECK_EQ(find(&p, NULL), 'B');
	path = build_id_cache_path(&p.cfg, id, sizeof(id), "elf");
	CHECK(path && strstr(path, cache.root) == path);
	free(path);
	path = build_id_cache_path(&p.cfg, id, sizeof(id), "vdso");
	CHECK(!path);
	path = build_id_cache_path(&p.cfg, id, 0, "elf");
	CHECK(!path);
	/* Old perf made the id's own name the file. */
	place_free(&cache);
	CHECK_EQ(mkdir(cache.root, 0755), 0);
	put_elf(&cache, ID_FILE, RUNTIME | SYMTAB);
	CHECK_EQ(find(&p, NULL), 'B');
	place_free(&cache);
	place_free(&p);
}

/* Recorded without its size, an id that ends in zeros looks shorter than it is. */
TEST(id_with_zeros_at_its_end)
{
	static const u8 short_id[] = { 0xab, 0xcd };
	struct place p = place_new();
	char *path;

	place_use(&p, true);
	write_file(&p, ".debug/.build-id/ab/cd000000000000000000000000000000000000/elf", "x", 1);
	path = build_id_cache_path(&p.cfg, short_id, 2, "elf");
	CHECK(path);
	free(path);
	place_free(&p);
}

TEST(hermetic_without_symfs_sees_nothing)
{
	struct place p = place_new();
	enum dso_status status;

	p.cfg = (struct symbols_config){ .hermetic = true };
	p.desc.name = "/bin/sh";
	CHECK_EQ(find(&p, &status), '!');
	CHECK_EQ(status, DSO_FILE_MISSING);
	place_free(&p);
}

TEST(names_that_are_no_paths)
{
	static const char *const names[] = { "", "/", "//", "x", "/usr/lib/", " (deleted)", "[x]" };
	struct place p = place_new();

	place_use(&p, true);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		p.desc.name = names[i];
		CHECK_EQ(find(&p, NULL), '!');
	}
	place_free(&p);
}

TEST(dwarf_from_a_third_file)
{
	struct place p = place_new();
	struct debugfile found;

	place_use(&p, true);
	put_elf(&p, SELF, RUNTIME);
	put_elf(&p, ".debug/" ID_FILE "/debug", SYMTAB);
	put_elf(&p, "usr/lib/debug/" SELF ".debug", SYMTAB | DWARF | OTHER_ID);
	put_elf(&p, "usr/lib/debug/" ID_FILE ".debug", DWARF);
	put_elf(&p, "usr/lib/x/.debug/lib.so", SYMTAB | DWARF);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK_EQ(found.letter, 'D');
	CHECK(found.dwarf && found.dwarf != found.symbols && found.dwarf != found.runtime);
	CHECK_EQ(role_of(&found, ID_FILE "/debug"), DEBUGFILE_SYMBOLS);
	CHECK_EQ(role_of(&found, ID_FILE ".debug"), DEBUGFILE_DWARF);
	CHECK_EQ(role_of(&found, "x/lib.so.debug"), 0);
	CHECK(was_refused(&found, "x/lib.so.debug", "its build-id differs"));
	CHECK(was_refused(&found, ID_FILE "/elf", "no such file"));
	debugfile_fini(&found);
	place_free(&p);
}

TEST(one_file_for_all)
{
	struct place p = place_new();
	struct debugfile found;

	place_use(&p, true);
	put_elf(&p, SELF, RUNTIME | SYMTAB | DWARF);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK(found.symbols && found.dwarf == found.symbols && found.runtime == found.symbols);
	CHECK_EQ(role_of(&found, SELF), DEBUGFILE_SYMBOLS | DEBUGFILE_CODE | DEBUGFILE_DWARF);
	debugfile_fini(&found);
	/* lines are of use without a name as well */
	put_elf(&p, SELF, DWARF);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK(!found.symbols && found.dwarf);
	debugfile_fini(&found);
	place_free(&p);
}

TEST(checksum_decides_without_ids)
{
	struct place p = place_new();
	struct debugfile found;

	place_use(&p, false);
	put_elf(&p, SELF, RUNTIME | NO_ID | LINK);
	put_elf(&p, "usr/lib/x/lib.debug", SYMTAB | NO_ID);
	debugfile_find(&p.cfg, &p.desc, &found);
	CHECK_EQ(found.letter, 'd');
	CHECK(was_refused(&found, "x/lib.debug", "its checksum is not that of .gnu_debuglink"));
	debugfile_fini(&found);
	put_elf(&p, SELF, RUNTIME | NO_ID | LINK | GOOD_CRC);
	CHECK_EQ(find(&p, NULL), 'l');
	/* with ids they decide, as a debug file may have been worked on */
	put_elf(&p, SELF, RUNTIME | LINK);
	put_elf(&p, "usr/lib/x/lib.debug", SYMTAB);
	CHECK_EQ(find(&p, NULL), 'l');
	place_free(&p);
}

TEST(links_go_on_after_another_build)
{
	struct place p = place_new();

	place_use(&p, true);
	put_elf(&p, SELF, RUNTIME | LINK);
	put_elf(&p, "usr/lib/x/lib.debug", SYMTAB | OTHER_ID);
	put_elf(&p, "usr/lib/x/.debug/lib.debug", SYMTAB);
	CHECK_EQ(find(&p, NULL), 'l');
	place_free(&p);
}

TEST(global_debuglink_below_symfs)
{
	struct place p = place_new();

	place_use(&p, true);
	put_elf(&p, SELF, RUNTIME | LINK);
	put_elf(&p, "usr/lib/debug/usr/lib/x/lib.debug", SYMTAB);
	CHECK_EQ(find(&p, NULL), 'l');
	place_free(&p);
}

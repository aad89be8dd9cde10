/* SPDX-License-Identifier: MIT */
#include "tests/symbols/find/use_debugfile.h"

#include <elf.h>
#include <errno.h>
#include <ftw.h>
#include <lzma.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "tests/frame/build_elf.h"

struct place place_new(void)
{
	struct place p = { .root = "/tmp/t_debugfile.XXXXXX",
			   .desc = { .kind = DSO_USER, .name = "/usr/lib/x/lib.so" } };

	if (!mkdtemp(p.root))
		SKIP("no folder can be made in /tmp");
	return p;
}

void place_use(struct place *p, bool with_id)
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

void place_free(struct place *p)
{
	nftw(p->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void place_write(struct place *p, const char *path, const void *bytes, size_t n)
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

static void add_link(struct mkelf *b, bool good, bool is_path)
{
	char link[16] = "lib.debug\0\0\0crc";
	size_t n;
	u8 *linked = make_elf(SYMTAB | NO_ID, &n);
	u32 crc = (u32)crc32_z(0, linked, n);

	if (is_path)
		memcpy(link, "../b.debug", 10);
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
	if (content & (LINK | PATH_LINK))
		add_link(b, content & GOOD_CRC, content & PATH_LINK);
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

void place_put_elf(struct place *p, const char *path, unsigned int content)
{
	size_t n;
	u8 *bytes = make_elf(content, &n);

	place_write(p, path, bytes, n);
	free(bytes);
}

char place_find(struct place *p, enum dso_status *ret_status)
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

unsigned int place_role_of(const struct debugfile *d, const char *end)
{
	size_t n = strlen(end);

	for (size_t i = d->nr_tries; i--;) {
		const char *path = d->tries[i].path;

		if (strlen(path) >= n && !strcmp(path + strlen(path) - n, end))
			return d->tries[i].roles;
	}
	return UINT32_MAX;
}

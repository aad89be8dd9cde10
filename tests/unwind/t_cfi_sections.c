/* SPDX-License-Identifier: MIT */
/* Where call frame information lies: sections, segments, separate and compressed ones. */
#include <elf.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"
#include "tests/frame/build_cfi.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"

#define EH_FRAME_HDR_TYPE 0x6474e550

TEST(without_section_headers)
{
	u64 pairs[10][2];
	struct mkcfi m = mkcfi_ten_functions(true, false, pairs);
	struct mkcfi hdr = mkcfi_new(true, false, false);
	struct cfi_opened t;
	size_t n;
	u8 *p;

	for (unsigned int with_table = 0; with_table < 2; with_table++) {
		hdr.n = 0;
		mkcfi_hdr(&hdr, pairs, 10);
		if (!with_table)
			hdr.p[3] = 0xff;
		p = mkcfi_elf(EM_X86_64, &m, &hdr, NULL, &n);
		memset(p + 40, 0, 8); /* e_shoff */
		memset(p + 58, 0, 6); /* e_shentsize, e_shnum, e_shstrndx */
		/* One segment for all; the second becomes that of the table. */
		memcpy(p + 64 + 32, &(u64){ 0x6000 + hdr.n }, 8);
		memcpy(p + 64 + 40, &(u64){ 0x6000 + hdr.n }, 8);
		memcpy(p + 64 + 56, &(u32){ EH_FRAME_HDR_TYPE }, 4);
		memcpy(p + 64 + 56 + 32, &(u64){ hdr.n }, 8);
		t = cfi_open_bytes(p, n);
		cfi_check_ten(__FILE__, __LINE__, &t);
	}
}

/* An absolute address that is only in the relocation. */
TEST(writable_eh_frame_is_relocated)
{
	for (unsigned int shape = 0; shape < 4; shape++) {
		bool is_64 = shape & 1;
		struct mkcfi m = mkcfi_new(is_64, shape & 2, false);
		struct mkcfi rela = m;
		struct mkcfi_cie cie = mkcfi_plain_cie("", 0);
		u64 at = mkcfi_cie(&m, &cie), start;
		struct cfi_opened t;
		struct mkelf *b;
		size_t n;
		u8 *p;

		/* length, id, start */
		start = mkcfi_fde(&m, at, 0, 0x10, NULL, 0) + 8;
		mkcfi_int(&rela, CFI_EH_ADDR + start, rela.word);
		mkcfi_int(&rela, is_64 ? 1027 : 22, rela.word);
		mkcfi_int(&rela, CFI_TEXT + 0x40, rela.word);
		b = mkelf_new(is_64, shape & 2, ET_DYN, is_64 ? EM_AARCH64 : EM_PPC);
		mkelf_load(b, CFI_TEXT, CFI_TEXT, CFI_TEXT_SIZE);
		mkelf_section(b, &(struct mkelf_part){ .name = ".rela.dyn",
						       .type = SHT_RELA,
						       .flags = SHF_ALLOC,
						       .bytes = rela.p,
						       .size = rela.n });
		mkelf_section(b, &(struct mkelf_part){ .name = ".eh_frame",
						       .type = SHT_PROGBITS,
						       .flags = SHF_ALLOC | SHF_WRITE,
						       .addr = CFI_EH_ADDR,
						       .bytes = m.p,
						       .size = m.n });
		p = mkelf_end(b, &n);
		t = cfi_open_bytes(p, n);
		CHECK_EQ(t.err, 0);
		CHECK_EQ(cfi_start_at(&t, CFI_TEXT + 0x48), CFI_TEXT + 0x40);
		cfi_opened_close(&t);
	}
}

/* A file with .debug_frame of those bytes only. */
static u8 *debug_file(const char *name, u64 flags, const void *bytes, size_t size, size_t *ret_n)
{
	struct mkelf *b = mkelf_new(true, false, ET_DYN, EM_X86_64);

	mkelf_load(b, CFI_TEXT, CFI_TEXT, CFI_TEXT_SIZE);
	mkelf_section(b, &(struct mkelf_part){ .name = ".eh_frame",
					       .type = SHT_NOBITS,
					       .addr = CFI_EH_ADDR,
					       .off = 0x10,
					       .size = 0x1000 });
	mkelf_section(b, &(struct mkelf_part){ .name = name,
					       .type = SHT_PROGBITS,
					       .flags = flags,
					       .bytes = bytes,
					       .size = size });
	return mkelf_end(b, ret_n);
}

/* Functions at 0x1000 and 0x1300 in .debug_frame; .eh_frame has the ten of above. */
static struct mkcfi two_functions(void)
{
	struct mkcfi_cie cie = mkcfi_plain_cie("", 0);
	struct mkcfi m = mkcfi_new(true, false, true);
	u64 at = mkcfi_cie(&m, &cie);

	mkcfi_fde(&m, at, CFI_TEXT + 0x300, 0x10, NULL, 0);
	mkcfi_fde(&m, at, CFI_TEXT, 0x10, NULL, 0);
	mkcfi_fde(&m, at, 0, 0x10, NULL, 0);
	mkcfi_fde(&m, at, CFI_TEXT + 0x18, 0x10, NULL, 0); /* reaches into one of .eh_frame */
	return m;
}

TEST(debug_frame_fills_in)
{
	u64 pairs[10][2];
	struct mkcfi m = mkcfi_ten_functions(true, false, pairs), df = two_functions();
	struct mkcfi hdr = mkcfi_new(true, false, false);
	struct object *debug;
	struct cfi_fde fde;
	struct cfi_opened t;
	size_t n, code_n;
	u8 *p, *code;
	char *text;

	mkcfi_hdr(&hdr, pairs, 10);
	p = debug_file(".debug_frame", 0, df.p, df.n, &n);
	CHECK_EQ(object_open_mem("debug", p, n, &debug, NULL), 0);
	code = mkcfi_elf(EM_X86_64, &m, &hdr, NULL, &code_n);
	t.bytes = code;
	CHECK_EQ(object_open_mem("test", code, code_n, &t.o, NULL), 0);
	CHECK_EQ(cfi_open(t.o, debug, &t.c, NULL), 0);
	CHECK_EQ(cfi_nr_fdes(t.c), 12);
	CHECK(cfi_find(t.c, CFI_TEXT, &fde));
	CHECK_EQ(fde.debug_frame, false);
	CHECK(cfi_find(t.c, CFI_TEXT + 0x18, &fde));
	CHECK_EQ(fde.debug_frame, true);
	CHECK(cfi_find(t.c, CFI_TEXT + 0x20, &fde));
	CHECK_EQ(fde.debug_frame, false);
	CHECK(cfi_find(t.c, CFI_TEXT + 0x300, &fde));
	CHECK_EQ(fde.index, 11);
	CHECK_EQ(fde.debug_frame, true);
	text = cfi_rows_text(t.c, &fde);
	CHECK_STR(text, "1300 r7+8 r16=c-8");
	free(text);
	cfi_opened_close(&t);
	/* The debug file alone: its .eh_frame has no bytes. */
	t = cfi_open_bytes(p, n);
	CHECK_EQ(t.err, 0);
	CHECK_EQ(cfi_nr_fdes(t.c), 3);
	object_close(debug);
	cfi_opened_close(&t);
}

static void compressed(const char *name, u32 how, const u8 *packed, size_t packed_n, u64 size,
		       int want)
{
	struct mkcfi m = mkcfi_new(true, false, false);
	struct cfi_opened t;
	size_t n;
	u8 *p;

	if (how) {
		mkcfi_int(&m, how, 4);
		mkcfi_int(&m, 0, 4);
		mkcfi_int(&m, size, 8);
		mkcfi_int(&m, 1, 8);
	} else {
		mkcfi_bytes(&m, "ZLIB", 4);
		m.big = true;
		mkcfi_int(&m, size, 8);
	}
	mkcfi_bytes(&m, packed, packed_n);
	p = debug_file(name, how ? SHF_COMPRESSED : 0, m.p, m.n, &n);
	t = cfi_open_bytes(p, n);
	CHECK_EQ(t.err, want);
	if (!want)
		CHECK_EQ(cfi_start_at(&t, CFI_TEXT + 0x308), CFI_TEXT + 0x300);
	cfi_opened_close(&t);
}

TEST(compressed_sections)
{
	struct mkcfi m = two_functions();
	u8 z[1024], zs[1024];
	uLongf z_n = sizeof(z);
	size_t zs_n;

	CHECK_EQ(compress(z, &z_n, m.p, m.n), Z_OK);
	zs_n = ZSTD_compress(zs, sizeof(zs), m.p, m.n, 3);
	CHECK(!ZSTD_isError(zs_n));
	compressed(".debug_frame", 1, z, z_n, m.n, 0);
	compressed(".debug_frame", 2, zs, zs_n, m.n, 0);
	compressed(".zdebug_frame", 0, z, z_n, m.n, 0);
	compressed(".debug_frame", 1, z, z_n - 1, m.n, PERR_FORMAT);
	compressed(".debug_frame", 2, zs, zs_n - 1, m.n, PERR_FORMAT);
	compressed(".debug_frame", 1, z, z_n, m.n + 1, PERR_FORMAT);
	compressed(".debug_frame", 1, z, z_n, m.n - 1, PERR_FORMAT);
	compressed(".debug_frame", 2, zs, zs_n, m.n + 1, PERR_FORMAT);
	compressed(".debug_frame", 1, zs, zs_n, m.n, PERR_FORMAT);
	compressed(".debug_frame", 2, z, z_n, m.n, PERR_FORMAT);
	compressed(".debug_frame", 1, z, z_n, (u64)1 << 60, PERR_LIMIT);
	compressed(".debug_frame", 7, z, z_n, m.n, PERR_UNSUPPORTED);
}

TEST(nothing_to_be_found)
{
	struct mkcfi m = mkcfi_new(true, false, false);
	struct mkcfi_cie plain = mkcfi_plain_cie("zR", 0x1b);
	struct mkelf *b = mkelf_new(true, false, ET_DYN, EM_X86_64);
	struct cfi_opened t;
	size_t n;
	u8 *p = mkelf_end(b, &n);

	t = cfi_open_bytes(p, n);
	CHECK_EQ(t.err, PERR_NOTFOUND);
	cfi_opened_close(&t);
	mkcfi_cie(&m, &plain);
	mkcfi_int(&m, 0, 4);
	t = cfi_open_sections(EM_X86_64, &m, NULL, NULL);
	CHECK_EQ(t.err, PERR_NOTFOUND);
	cfi_opened_close(&t);
	b = mkelf_new(true, false, ET_REL, EM_X86_64);
	p = mkelf_end(b, &n);
	t = cfi_open_bytes(p, n);
	CHECK_EQ(t.err, PERR_UNSUPPORTED);
	cfi_opened_close(&t);
}

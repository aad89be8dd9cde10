/* SPDX-License-Identifier: MIT */
/* Symbols of kernel modules: files packed or not, damaged ones, the kernel's list. */
#include "symbols/kernel/kernel.h"

#include <elf.h>
#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "symbols/elf/unpack.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"
#include "tests/symbols/kernel/use_kernel.h"

/* Code in three sections: .init.text is not part of a loaded module's code. */
static u8 *make_ko(const u8 *id, size_t *ret_n)
{
	struct mkelf *b = mkelf_new(true, false, ET_REL, EM_X86_64);
	u16 text, init, exit;

	text = mkelf_section(b, &(struct mkelf_part){ .name = ".text",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC | SHF_EXECINSTR,
						      .align = 16,
						      .size = 0x108 });
	init = mkelf_section(b, &(struct mkelf_part){ .name = ".init.text",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC | SHF_EXECINSTR,
						      .align = 16,
						      .size = 0x40 });
	exit = mkelf_section(b, &(struct mkelf_part){ .name = ".exit.text",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC | SHF_EXECINSTR,
						      .align = 16,
						      .size = 0x20 });
	mkelf_symbol(b, "first", 0, 0x20, STT_FUNC, STB_GLOBAL, text);
	mkelf_symbol(b, "second", 0x80, 0x88, STT_FUNC, STB_LOCAL, text);
	mkelf_symbol(b, "start_up", 0, 0x40, STT_FUNC, STB_LOCAL, init);
	mkelf_symbol(b, "shut_down", 0, 0x20, STT_FUNC, STB_LOCAL, exit);
	if (id)
		mkelf_build_id(b, id, 20);
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	return mkelf_end(b, ret_n);
}

static struct dso_desc module_desc(const u8 *id, const char *path)
{
	struct dso_desc d = { .kind = DSO_MODULE,
			      .name = path,
			      .module_name = "[mod_x]",
			      .map_start = MODULE,
			      .map_end = MODULE + 0x4000 };

	if (id) {
		memcpy(d.build_id, id, 20);
		d.build_id_size = 20;
	}
	return d;
}

static void check_ko(struct loaded *l)
{
	CHECK_EQ(l->err, 0);
	kernel_check_name(l, MODULE, "first");
	kernel_check_name(l, MODULE + 0x20, NULL);
	kernel_check_name(l, MODULE + 0x107, "second");
	/* .exit.text comes next, aligned; .init.text is elsewhere. */
	kernel_check_name(l, MODULE + 0x110, "shut_down");
	kernel_check_name(l, MODULE + 0x130, NULL);
	CHECK_EQ(l->tab.nr, 3);
}

static u8 *pack_gz(const u8 *p, size_t n, size_t *ret_n)
{
	u8 *out = xmalloc(n + 1000);
	z_stream z = {
		.next_in = (u8 *)p, .avail_in = (u32)n, .next_out = out, .avail_out = (u32)n + 1000
	};

	CHECK_EQ(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
	CHECK_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
	*ret_n = z.total_out;
	deflateEnd(&z);
	return out;
}

static u8 *pack_xz(const u8 *p, size_t n, size_t *ret_n)
{
	u8 *out = xmalloc(n + 1000);

	*ret_n = 0;
	CHECK_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, p, n, out, ret_n, n + 1000),
		 LZMA_OK);
	return out;
}

static u8 *pack_zstd(const u8 *p, size_t n, size_t *ret_n)
{
	u8 *out = xmalloc(ZSTD_compressBound(n));

	*ret_n = ZSTD_compress(out, ZSTD_compressBound(n), p, n, 3);
	CHECK(!ZSTD_isError(*ret_n));
	return out;
}

TEST(module_files_packed_or_not)
{
	static const char path[] = "/lib/modules/6.9-x/kernel/mod-x.ko";
	static u8 *(*const packers[])(const u8 *, size_t, size_t *) = { NULL, pack_gz, pack_xz,
									pack_zstd };
	static const char *const endings[] = { "", ".gz", ".xz", ".zst" };
	size_t n, n_packed;
	u8 *elf = make_ko(id_a, &n);

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		u8 *packed = packers[i] ? packers[i](elf, n, &n_packed) : NULL;
		char *in_tree = xasprintf("%s%s", path, endings[i]);
		struct tree t;
		struct symbols_config cfg = { .hermetic = true, .symfs = t.root };
		struct dso_desc d = module_desc(id_a, in_tree), plain = module_desc(id_a, path);
		struct loaded l;

		kernel_tree_new(&t);
		free(kernel_tree_put(&t, in_tree, packed ? packed : elf, packed ? n_packed : n));
		kernel_load(&l, &cfg, &d);
		check_ko(&l);
		CHECK_EQ(l.o.letter, packed ? 'm' : 'K');
		kernel_unload(&l);
		/* Recorded unpacked, found packed. */
		kernel_load(&l, &cfg, &plain);
		check_ko(&l);
		kernel_unload(&l);
		plain = module_desc(id_b, path);
		kernel_load(&l, &cfg, &plain);
		CHECK_EQ(l.o.status, DSO_BUILD_ID_DIFFERS);
		kernel_unload(&l);
		kernel_tree_drop(&t);
		free(in_tree);
		free(packed);
	}
	free(elf);
}

TEST(module_in_the_kernel_s_list)
{
	struct tree t;
	struct symbols_config cfg = { .hermetic = true };
	struct dso_desc k = kernel_desc(id_a, TEXT), d = module_desc(NULL, "[mod_x]");
	struct loaded l;
	char *path;

	kernel_tree_new(&t);
	path = kernel_tree_put(&t, "/list", list, strlen(list));
	cfg.kallsyms = path;
	cfg.kernel_cache = kernel_cache_new();
	kernel_cache_set_kernel(cfg.kernel_cache, &k);
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	kernel_check_name(&l, MODULE + 0xff, "module_fn");
	kernel_check_name(&l, MODULE + 0x100, "module_fn2");
	kernel_check_name(&l, TEXT, NULL);
	kernel_unload(&l);
	kernel_load(&l, &cfg, &k);
	kernel_check_name(&l, TEXT, "_text");
	kernel_unload(&l);
	/* Loaded elsewhere then. */
	d.map_start += 0x10000;
	d.map_end += 0x10000;
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	CHECK_EQ(l.tab.nr, 0);
	kernel_unload(&l);
	kernel_cache_free(cfg.kernel_cache);
	free(path);
	kernel_tree_drop(&t);
}

TEST(damaged_module_files)
{
	static const char path[] = "/m/mod-x.ko.xz";
	size_t n, n_packed;
	u8 *elf = make_ko(id_a, &n), *packed = pack_xz(elf, n, &n_packed);
	struct tree t;
	struct symbols_config cfg = { .hermetic = true, .symfs = t.root };
	struct dso_desc d = module_desc(id_a, path);
	struct loaded l;

	kernel_tree_new(&t);
	for (size_t cut = 0; cut < n_packed; cut += n_packed / 7) {
		free(kernel_tree_put(&t, path, packed, cut));
		kernel_load(&l, &cfg, &d);
		CHECK(l.err);
		CHECK_EQ(l.tab.nr, 0);
		kernel_unload(&l);
	}
	free(kernel_tree_put(&t, "/m/mod-x.ko", elf, n / 2));
	d.name = "/m/mod-x.ko";
	kernel_load(&l, &cfg, &d);
	CHECK(l.err);
	kernel_unload(&l);
	kernel_tree_drop(&t);
	free(packed);
	free(elf);
}

TEST(unpacking_has_a_limit)
{
	static u8 *(*const packers[])(const u8 *, size_t, size_t *) = { pack_gz, pack_xz,
									pack_zstd };
	size_t n = 600000, n_packed, n_out;
	u8 *zeros = xcalloc(n, 1);

	for (size_t i = 0; i < ARRAY_SIZE(packers); i++) {
		u8 *packed = packers[i](zeros, n, &n_packed);
		struct span in = span_of(packed, n_packed);
		void *out;

		CHECK_EQ(unpack(in, n - 1, &out, &n_out, NULL), PERR_LIMIT);
		CHECK_EQ(unpack(in, n, &out, &n_out, NULL), 0);
		CHECK_EQ(n_out, n);
		CHECK(!memcmp(out, zeros, n));
		free(out);
		for (size_t cut = 0; cut < n_packed; cut++)
			CHECK(unpack(span_of(packed, cut), n, &out, &n_out, NULL));
		free(packed);
	}
	free(zeros);
}

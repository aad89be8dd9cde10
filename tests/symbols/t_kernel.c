/* SPDX-License-Identifier: MIT */
/*
 * symbols/kernel/kernel, kmod, hostkernel, unpack, vdso: which source serves a recorded kernel or
 * module, and where its symbols lie. All files are made here, below a folder that is removed at the
 * end.
 */
#include "symbols/kernel/kernel.h"

#include <elf.h>
#include <ftw.h>
#include <lzma.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "symbols/kernel/hostkernel.h"
#include "symbols/kernel/kernel_names.h"
#include "symbols/elf/readfile.h"
#include "symbols/elf/unpack.h"
#include "symbols/kernel/vdso.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"

#define TEXT 0xffffffff81000000ull
#define MODULE 0xffffffffc0000000ull

static const u8 id_a[20] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99,
			     0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00, 0x11, 0x22, 0x33 };
static const u8 id_b[20] = {
	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
};
#define ID_A_CACHE "/.build-id/00/112233445566778899aabbccddeeff00112233"

static const char list[] = "ffffffff81000000 T _text\n"
			   "ffffffff81000100 T listed\n"
			   "ffffffff81002000 T _etext\n"
			   "ffffffffc0000000 t module_fn\t[mod_x]\n"
			   "ffffffffc0000100 t module_fn2\t[mod_x]\n";

struct tree {
	char root[64];
};

static void new_tree(struct tree *t)
{
	snprintf(t->root, sizeof(t->root), "/tmp/t_kernel.XXXXXX");
	CHECK(mkdtemp(t->root));
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void drop_tree(struct tree *t)
{
	nftw(t->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Writes n bytes to path below the tree, with the folders on the way. */
static char *put(struct tree *t, const char *path, const void *bytes, size_t n)
{
	char *full = xasprintf("%s%s", t->root, path);
	FILE *f;

	for (char *p = strchr(full + strlen(t->root) + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = 0;
		mkdir(full, 0700);
		*p = '/';
	}
	f = fopen(full, "w");
	CHECK(f);
	CHECK_EQ(fwrite(bytes, 1, n, f), n);
	CHECK(!fclose(f));
	return full;
}

static void put_text(struct tree *t, const char *path, const char *text)
{
	free(put(t, path, text, strlen(text)));
}

/* A kernel linked at TEXT, with a function of its own name. */
static u8 *make_vmlinux(const u8 *id, size_t *ret_n)
{
	struct mkelf *b = mkelf_new(true, false, ET_EXEC, EM_X86_64);
	u16 text, init;

	mkelf_load(b, TEXT, 0x1000, 0x2000);
	text = mkelf_section(b, &(struct mkelf_part){ .name = ".text",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC | SHF_EXECINSTR,
						      .addr = TEXT,
						      .off = 0x1000,
						      .size = 0x2000 });
	init = mkelf_section(b, &(struct mkelf_part){ .name = ".init.text",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC | SHF_EXECINSTR,
						      .addr = TEXT + 0x4000,
						      .size = 0x40 });
	mkelf_symbol(b, "start_up", TEXT + 0x4000, 0x40, STT_FUNC, STB_GLOBAL, init);
	mkelf_symbol(b, "_text", TEXT, 0, STT_NOTYPE, STB_GLOBAL, text);
	mkelf_symbol(b, "linked", TEXT + 0x100, 0x40, STT_FUNC, STB_GLOBAL, text);
	mkelf_symbol(b, ".Llocal", TEXT + 0x110, 0x10, STT_FUNC, STB_LOCAL, text);
	if (id)
		mkelf_build_id(b, id, 20);
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	return mkelf_end(b, ret_n);
}

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

struct loaded {
	struct symtab tab;
	struct sym_origin o;
	int err;
};

static void load(struct loaded *l, const struct symbols_config *cfg, const struct dso_desc *d)
{
	struct perr e = { 0 };

	symtab_init(&l->tab);
	l->err = kernel_load_symbols(cfg, d, &l->tab, &l->o, &e);
	CHECK(!l->err == (l->o.status == DSO_LOADED));
	CHECK(!l->err == !!l->o.path);
	CHECK(l->o.addr_is_ip);
}

static void unload(struct loaded *l)
{
	free(l->o.path);
	free(l->o.parts);
	kernel_names_free(l->o.names);
	symtab_fini(&l->tab);
}

static void check_name(struct loaded *l, u64 addr, const char *name)
{
	const struct sym *s = symtab_find(&l->tab, addr);
	struct sym_hit hit = { .name = s ? s->name : NULL };

	if (!s && l->o.names)
		(void)kernel_names_find(l->o.names, addr, &hit);
	CHECK_STR(hit.name, name);
}

static struct dso_desc kernel_desc(const u8 *id, u64 text)
{
	struct dso_desc d = { .kind = DSO_KERNEL,
			      .name = "[kernel.kallsyms]",
			      .ref_sym = "_text",
			      .ref_addr = text,
			      .map_start = text,
			      .map_end = text + 0x2000 };

	if (id) {
		memcpy(d.build_id, id, 20);
		d.build_id_size = 20;
	}
	return d;
}

TEST(named_list_is_moved_to_where_the_kernel_was)
{
	struct tree t;
	struct symbols_config cfg = { .hermetic = true };
	struct dso_desc d = kernel_desc(id_a, TEXT + 0x1e000000);
	struct loaded l;
	char *path;

	new_tree(&t);
	path = put(&t, "/list", list, strlen(list));
	cfg.kallsyms = path;
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	CHECK_EQ(l.o.letter, 'k');
	check_name(&l, TEXT + 0x1e000110, "listed");
	check_name(&l, TEXT + 0x110, NULL);
	check_name(&l, MODULE, NULL);
	CHECK_EQ(l.o.nr_parts, 1);
	CHECK_EQ(l.o.parts[0].start, TEXT + 0x1e000000);
	CHECK_EQ(l.o.parts[0].end, TEXT + 0x1e003000);
	unload(&l);
	/* Without the reference symbol nobody knows how far. */
	d.ref_sym = "_stext";
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	CHECK_EQ(l.tab.nr, 0);
	unload(&l);
	d.ref_sym = NULL;
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	unload(&l);
	d.map_start = TEXT;
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	check_name(&l, TEXT + 0x110, "listed");
	unload(&l);
	free(path);
	drop_tree(&t);
}

TEST(hidden_list)
{
	struct tree t;
	struct symbols_config cfg = { .hermetic = true };
	struct dso_desc d = kernel_desc(NULL, TEXT);
	struct loaded l;
	char *path;

	new_tree(&t);
	path = put(&t, "/list", "0000000000000000 T _text\n0000000000000000 T a\n", 46);
	cfg.kallsyms = path;
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	CHECK_EQ(l.o.status, DSO_KERNEL_HIDDEN);
	unload(&l);
	free(path);
	drop_tree(&t);
}

TEST(named_list_that_is_missing_is_an_error_to_tell)
{
	struct symbols_config cfg = { .hermetic = true, .kallsyms = "/nonexistent/kallsyms" };
	struct dso_desc d = kernel_desc(id_a, TEXT);
	struct loaded l;

	load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_IO);
	unload(&l);
}

TEST(named_vmlinux)
{
	struct tree t;
	struct symbols_config cfg = { .hermetic = true };
	struct dso_desc d = kernel_desc(id_a, TEXT + 0x1000000);
	struct loaded l;
	size_t n;
	u8 *elf = make_vmlinux(id_a, &n);
	char *path;

	new_tree(&t);
	path = put(&t, "/vmlinux", elf, n);
	cfg.vmlinux = path;
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	CHECK_EQ(l.o.letter, 'v');
	check_name(&l, TEXT + 0x1000108, "linked");
	check_name(&l, TEXT + 0x1000115, "linked");
	check_name(&l, TEXT + 0x1000150, NULL);
	CHECK_EQ(l.o.nr_parts, 2);
	CHECK_STR(l.o.parts[0].name, "[kernel.kallsyms]");
	CHECK_EQ(l.o.parts[0].start, TEXT + 0x1000000);
	CHECK_EQ(l.o.parts[0].end, TEXT + 0x1002000);
	CHECK_STR(l.o.parts[1].name, "[kernel.kallsyms].init.text");
	CHECK_EQ(l.o.parts[1].start, TEXT + 0x1004000);
	unload(&l);
	d = kernel_desc(id_b, TEXT);
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	CHECK_EQ(l.o.status, DSO_BUILD_ID_DIFFERS);
	unload(&l);
	d = kernel_desc(NULL, TEXT);
	load(&l, &cfg, &d);
	check_name(&l, TEXT + 0x108, "linked");
	unload(&l);
	free(path);
	free(elf);
	drop_tree(&t);
}

TEST(vmlinux_below_symfs)
{
	static const char *const places[] = { "/boot/vmlinux-6.9-x",
					      "/usr/lib/debug/boot/vmlinux-6.9-x",
					      "/lib/modules/6.9-x/build/vmlinux",
					      "/usr/lib/debug/lib/modules/6.9-x/vmlinux",
					      "/usr/lib/debug/boot/vmlinux-6.9-x.debug",
					      "/vmlinux",
					      "/boot/vmlinux" };
	struct dso_desc d = kernel_desc(id_a, TEXT);
	size_t n;
	u8 *elf = make_vmlinux(id_a, &n);

	d.os_release = "6.9-x";
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct tree t;
		struct symbols_config cfg = { .hermetic = true, .symfs = t.root };
		struct loaded l;

		new_tree(&t);
		free(put(&t, places[i], elf, n));
		load(&l, &cfg, &d);
		CHECK_EQ(l.err, 0);
		check_name(&l, TEXT + 0x108, "linked");
		unload(&l);
		drop_tree(&t);
	}
	free(elf);
}

TEST(build_id_cache)
{
	struct tree t;
	struct symbols_config cfg = { .hermetic = true, .buildid_dir = t.root };
	struct dso_desc d = kernel_desc(id_a, TEXT);
	struct loaded l;
	size_t n;
	u8 *elf = make_vmlinux(id_a, &n);

	new_tree(&t);
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	CHECK_EQ(l.o.status, DSO_KERNEL_FOREIGN);
	unload(&l);
	put_text(&t, ID_A_CACHE "/kallsyms", list);
	load(&l, &cfg, &d);
	CHECK_EQ(l.o.letter, 'k');
	check_name(&l, TEXT + 0x108, "listed");
	unload(&l);
	free(put(&t, ID_A_CACHE "/elf", elf, n));
	load(&l, &cfg, &d);
	CHECK_EQ(l.o.letter, 'B');
	check_name(&l, TEXT + 0x108, "linked");
	unload(&l);
	/* The right folder with the wrong file. */
	d = kernel_desc(id_b, TEXT);
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	unload(&l);
	free(elf);
	drop_tree(&t);
}

/* One copy per boot: that whose reference symbol is where it was recorded. */
TEST(kcore_copies)
{
	struct tree t;
	struct symbols_config cfg = { .hermetic = true, .buildid_dir = t.root };
	struct dso_desc d = kernel_desc(id_a, TEXT + 0x200000);
	struct loaded l;

	new_tree(&t);
	put_text(&t, "/[kernel.kcore]/00112233445566778899aabbccddeeff00112233/2024/kallsyms",
		 list);
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	unload(&l);
	put_text(&t, "/[kernel.kcore]/00112233445566778899aabbccddeeff00112233/2025/kallsyms",
		 "ffffffff81200000 T _text\nffffffff81200100 T then\n");
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	check_name(&l, TEXT + 0x200100, "then");
	unload(&l);
	drop_tree(&t);
}

/* The rule of the house: this host's list is for recordings of this host's kernel only. */
TEST(host_list_is_for_the_host_s_kernel)
{
	struct symbols_config cfg = { .buildid_dir = "/nonexistent" };
	struct symbols_config symfs = { .buildid_dir = "/nonexistent", .symfs = "/nonexistent" };
	struct dso_desc d = kernel_desc(id_b, TEXT);
	struct loaded l;

	load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	CHECK_EQ(l.o.status, DSO_KERNEL_FOREIGN);
	unload(&l);
	/* Neither an id nor a release: it could be any. */
	d = kernel_desc(NULL, TEXT);
	load(&l, &cfg, &d);
	CHECK_EQ(l.o.status, DSO_KERNEL_FOREIGN);
	unload(&l);
	d.os_release = "2.6.0-other";
	load(&l, &cfg, &d);
	CHECK_EQ(l.o.status, DSO_KERNEL_FOREIGN);
	unload(&l);
	load(&l, &symfs, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	unload(&l);
}

/* The address of a text symbol of this host; false when it is hidden. */
static bool host_address(const char *name, u64 *ret)
{
	void *buf;
	size_t n;
	bool ok;

	if (read_file("/proc/kallsyms", (size_t)1 << 30, &buf, &n, NULL))
		return false;
	ok = kallsyms_address(span_of(buf, n), name, ret) && *ret;
	free(buf);
	return ok;
}

TEST(host_list_for_this_host)
{
	struct symbols_config cfg = { .buildid_dir = "/nonexistent" };
	struct dso_desc d = kernel_desc(NULL, TEXT);
	struct utsname uts;
	struct loaded l;
	u64 text, etext;
	void *notes;
	size_t n;

	if (!host_address("_text", &text) || !host_address("_etext", &etext))
		SKIP("this host's kallsyms is hidden");
	if (read_file("/sys/kernel/notes", 65536, &notes, &n, NULL))
		SKIP("no /sys/kernel/notes");
	d.build_id_size = (u8)notes_build_id(span_of(notes, n), d.build_id);
	free(notes);
	if (!d.build_id_size)
		SKIP("this host's kernel has no build-id");
	/* As if recorded in another boot, a few megabytes higher. */
	d.ref_addr = text + 0x600000;
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	check_name(&l, etext + 0x600000, "_etext");
	CHECK_STR(l.o.path, "[kernel.kallsyms]");
	unload(&l);
	/* No id: the release and the length of the text have to fit. */
	CHECK(!uname(&uts));
	d.build_id_size = 0;
	d.os_release = uts.release;
	d.map_start = d.ref_addr;
	d.map_end = etext + 0x600000;
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	unload(&l);
	d.map_end++;
	load(&l, &cfg, &d);
	CHECK_EQ(l.o.status, DSO_KERNEL_FOREIGN);
	unload(&l);
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
	check_name(l, MODULE, "first");
	check_name(l, MODULE + 0x20, NULL);
	check_name(l, MODULE + 0x107, "second");
	/* .exit.text comes next, aligned; .init.text is elsewhere. */
	check_name(l, MODULE + 0x110, "shut_down");
	check_name(l, MODULE + 0x130, NULL);
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

		new_tree(&t);
		free(put(&t, in_tree, packed ? packed : elf, packed ? n_packed : n));
		load(&l, &cfg, &d);
		check_ko(&l);
		CHECK_EQ(l.o.letter, packed ? 'm' : 'K');
		unload(&l);
		/* Recorded unpacked, found packed. */
		load(&l, &cfg, &plain);
		check_ko(&l);
		unload(&l);
		plain = module_desc(id_b, path);
		load(&l, &cfg, &plain);
		CHECK_EQ(l.o.status, DSO_BUILD_ID_DIFFERS);
		unload(&l);
		drop_tree(&t);
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

	new_tree(&t);
	path = put(&t, "/list", list, strlen(list));
	cfg.kallsyms = path;
	cfg.kernel_cache = kernel_cache_new();
	kernel_cache_set_kernel(cfg.kernel_cache, &k);
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	check_name(&l, MODULE + 0xff, "module_fn");
	check_name(&l, MODULE + 0x100, "module_fn2");
	check_name(&l, TEXT, NULL);
	unload(&l);
	load(&l, &cfg, &k);
	check_name(&l, TEXT, "_text");
	unload(&l);
	/* Loaded elsewhere then. */
	d.map_start += 0x10000;
	d.map_end += 0x10000;
	load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	CHECK_EQ(l.tab.nr, 0);
	unload(&l);
	kernel_cache_free(cfg.kernel_cache);
	free(path);
	drop_tree(&t);
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

	new_tree(&t);
	for (size_t cut = 0; cut < n_packed; cut += n_packed / 7) {
		free(put(&t, path, packed, cut));
		load(&l, &cfg, &d);
		CHECK(l.err);
		CHECK_EQ(l.tab.nr, 0);
		unload(&l);
	}
	free(put(&t, "/m/mod-x.ko", elf, n / 2));
	d.name = "/m/mod-x.ko";
	load(&l, &cfg, &d);
	CHECK(l.err);
	unload(&l);
	drop_tree(&t);
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

static void put_note(u8 **p, const char *name, u32 type, const void *desc, u32 desc_size)
{
	u32 head[3] = { (u32)strlen(name) + 1, desc_size, type };

	memcpy(*p, head, 12);
	memset(*p + 12, 0, (head[0] + 3) & ~3u);
	memcpy(*p + 12, name, head[0]);
	*p += 12 + ((head[0] + 3) & ~3u);
	memset(*p, 0, (desc_size + 3) & ~3u);
	memcpy(*p, desc, desc_size);
	*p += (desc_size + 3) & ~3u;
}

TEST(build_id_among_notes)
{
	u8 notes[256], id[20], *p = notes;
	size_t n;

	put_note(&p, "Linux", 0x101, "\0\0\0\0", 4);
	put_note(&p, "Xen", 3, id_b, 20);
	put_note(&p, "GNU", 3, id_a, 18);
	n = (size_t)(p - notes);
	CHECK_EQ(notes_build_id(span_of(notes, n), id), 18);
	CHECK(!memcmp(id, id_a, 18));
	for (size_t cut = 0; cut < n; cut++)
		CHECK_EQ(notes_build_id(span_of(notes, cut), id), 0);
}

TEST(vdso_of_another_kernel)
{
	struct symbols_config cfg = { .buildid_dir = "/nonexistent" };
	struct dso_desc d = { .kind = DSO_VDSO, .name = "[vdso]", .build_id_size = 20 };
	struct sym_origin o;
	struct symtab tab;

	memcpy(d.build_id, id_b, 20);
	symtab_init(&tab);
	CHECK_EQ(vdso_load(&cfg, &d, &tab, &o, NULL), PERR_NOTFOUND);
	CHECK(o.status == DSO_BUILD_ID_DIFFERS || o.status == DSO_FILE_MISSING);
	CHECK_EQ(tab.nr, 0);
	d.build_id_size = 0;
	cfg.hermetic = true;
	CHECK_EQ(vdso_load(&cfg, &d, &tab, &o, NULL), PERR_NOTFOUND);
	CHECK_EQ(o.status, DSO_FILE_MISSING);
	symtab_fini(&tab);
}

TEST(vdso_of_this_process)
{
	struct symbols_config cfg = { .buildid_dir = "/nonexistent" };
	struct dso_desc d = { .kind = DSO_VDSO, .name = "[vdso]" };
	struct sym_origin o;
	struct symtab tab;
	bool found = false;

	symtab_init(&tab);
	if (vdso_load(&cfg, &d, &tab, &o, NULL))
		SKIP("this process has no vdso");
	CHECK(!o.addr_is_ip);
	for (size_t i = 0; i < tab.nr; i++)
		found |= strstr(tab.syms[i].name, "gettime") != NULL;
	CHECK(found);
	free(o.path);
	symtab_fini(&tab);
}

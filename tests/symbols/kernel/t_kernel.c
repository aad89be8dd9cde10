/* SPDX-License-Identifier: MIT */
/*
 * symbols/kernel/kernel, kmod, hostkernel, unpack, vdso: which source serves a recorded kernel or
 * module, and where its symbols lie. All files are made here, below a folder that is removed at the
 * end.
 */
#include "tests/frame/unit.h"

#include <elf.h>
#include <string.h>
#include <sys/utsname.h>

#include "symbols/elf/readfile.h"
#include "symbols/kernel/hostkernel.h"
#include "symbols/kernel/kallsyms.h"
#include "symbols/kernel/vdso.h"
#include "tests/frame/build_elf.h"
#include "tests/symbols/kernel/use_kernel.h"

static void put_text(struct tree *t, const char *path, const char *text)
{
	free(kernel_tree_put(t, path, text, strlen(text)));
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

TEST(named_list_is_moved_to_where_the_kernel_was)
{
	struct tree t;
	struct symbols_config cfg = { .hermetic = true };
	struct dso_desc d = kernel_desc(id_a, TEXT + 0x1e000000);
	struct loaded l;
	char *path;

	kernel_tree_new(&t);
	path = kernel_tree_put(&t, "/list", list, strlen(list));
	cfg.kallsyms = path;
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	CHECK_EQ(l.o.letter, 'k');
	kernel_check_name(&l, TEXT + 0x1e000110, "listed");
	kernel_check_name(&l, TEXT + 0x110, NULL);
	kernel_check_name(&l, MODULE, NULL);
	CHECK_EQ(l.o.nr_parts, 1);
	CHECK_EQ(l.o.parts[0].start, TEXT + 0x1e000000);
	CHECK_EQ(l.o.parts[0].end, TEXT + 0x1e003000);
	kernel_unload(&l);
	/* Without the reference symbol nobody knows how far. */
	d.ref_sym = "_stext";
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	CHECK_EQ(l.tab.nr, 0);
	kernel_unload(&l);
	d.ref_sym = NULL;
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	kernel_unload(&l);
	d.map_start = TEXT;
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	kernel_check_name(&l, TEXT + 0x110, "listed");
	kernel_unload(&l);
	free(path);
	kernel_tree_drop(&t);
}

TEST(hidden_list)
{
	struct tree t;
	struct symbols_config cfg = { .hermetic = true };
	struct dso_desc d = kernel_desc(NULL, TEXT);
	struct loaded l;
	char *path;

	kernel_tree_new(&t);
	path = kernel_tree_put(&t, "/list", "0000000000000000 T _text\n0000000000000000 T a\n", 46);
	cfg.kallsyms = path;
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	CHECK_EQ(l.o.status, DSO_KERNEL_HIDDEN);
	kernel_unload(&l);
	free(path);
	kernel_tree_drop(&t);
}

TEST(named_list_that_is_missing_is_an_error_to_tell)
{
	struct symbols_config cfg = { .hermetic = true, .kallsyms = "/nonexistent/kallsyms" };
	struct dso_desc d = kernel_desc(id_a, TEXT);
	struct loaded l;

	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_IO);
	kernel_unload(&l);
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

	kernel_tree_new(&t);
	path = kernel_tree_put(&t, "/vmlinux", elf, n);
	cfg.vmlinux = path;
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	CHECK_EQ(l.o.letter, 'v');
	kernel_check_name(&l, TEXT + 0x1000108, "linked");
	kernel_check_name(&l, TEXT + 0x1000115, "linked");
	kernel_check_name(&l, TEXT + 0x1000150, NULL);
	CHECK_EQ(l.o.nr_parts, 2);
	CHECK_STR(l.o.parts[0].section, "");
	CHECK_EQ(l.o.parts[0].start, TEXT + 0x1000000);
	CHECK_EQ(l.o.parts[0].end, TEXT + 0x1002000);
	CHECK_STR(l.o.parts[1].section, ".init.text");
	CHECK_EQ(l.o.parts[1].start, TEXT + 0x1004000);
	kernel_unload(&l);
	d = kernel_desc(id_b, TEXT);
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	CHECK_EQ(l.o.status, DSO_BUILD_ID_DIFFERS);
	kernel_unload(&l);
	d = kernel_desc(NULL, TEXT);
	kernel_load(&l, &cfg, &d);
	kernel_check_name(&l, TEXT + 0x108, "linked");
	kernel_unload(&l);
	free(path);
	free(elf);
	kernel_tree_drop(&t);
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

		kernel_tree_new(&t);
		free(kernel_tree_put(&t, places[i], elf, n));
		kernel_load(&l, &cfg, &d);
		CHECK_EQ(l.err, 0);
		kernel_check_name(&l, TEXT + 0x108, "linked");
		kernel_unload(&l);
		kernel_tree_drop(&t);
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

	kernel_tree_new(&t);
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	CHECK_EQ(l.o.status, DSO_KERNEL_FOREIGN);
	kernel_unload(&l);
	put_text(&t, ID_A_CACHE "/kallsyms", list);
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.o.letter, 'k');
	kernel_check_name(&l, TEXT + 0x108, "listed");
	kernel_unload(&l);
	free(kernel_tree_put(&t, ID_A_CACHE "/elf", elf, n));
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.o.letter, 'B');
	kernel_check_name(&l, TEXT + 0x108, "linked");
	kernel_unload(&l);
	/* The right folder with the wrong file. */
	d = kernel_desc(id_b, TEXT);
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	kernel_unload(&l);
	free(elf);
	kernel_tree_drop(&t);
}

/* One copy per boot: that whose reference symbol is where it was recorded. */
TEST(kcore_copies)
{
	struct tree t;
	struct symbols_config cfg = { .hermetic = true, .buildid_dir = t.root };
	struct dso_desc d = kernel_desc(id_a, TEXT + 0x200000);
	struct loaded l;

	kernel_tree_new(&t);
	put_text(&t, "/[kernel.kcore]/00112233445566778899aabbccddeeff00112233/2024/kallsyms",
		 list);
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	kernel_unload(&l);
	put_text(&t, "/[kernel.kcore]/00112233445566778899aabbccddeeff00112233/2025/kallsyms",
		 "ffffffff81200000 T _text\nffffffff81200100 T then\n");
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	kernel_check_name(&l, TEXT + 0x200100, "then");
	kernel_unload(&l);
	kernel_tree_drop(&t);
}

/* The rule of the house: this host's list is for recordings of this host's kernel only. */
TEST(host_list_is_for_the_host_s_kernel)
{
	struct symbols_config cfg = { .buildid_dir = "/nonexistent" };
	struct symbols_config symfs = { .buildid_dir = "/nonexistent", .symfs = "/nonexistent" };
	struct dso_desc d = kernel_desc(id_b, TEXT);
	struct loaded l;

	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	CHECK_EQ(l.o.status, DSO_KERNEL_FOREIGN);
	kernel_unload(&l);
	/* Neither an id nor a release: it could be any. */
	d = kernel_desc(NULL, TEXT);
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.o.status, DSO_KERNEL_FOREIGN);
	kernel_unload(&l);
	d.os_release = "2.6.0-other";
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.o.status, DSO_KERNEL_FOREIGN);
	kernel_unload(&l);
	kernel_load(&l, &symfs, &d);
	CHECK_EQ(l.err, PERR_NOTFOUND);
	kernel_unload(&l);
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
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	kernel_check_name(&l, etext + 0x600000, "_etext");
	CHECK_STR(l.o.path, "[kernel.kallsyms]");
	kernel_unload(&l);
	/* No id: the release and the length of the text have to fit. */
	CHECK(!uname(&uts));
	d.build_id_size = 0;
	d.os_release = uts.release;
	d.map_start = d.ref_addr;
	d.map_end = etext + 0x600000;
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.err, 0);
	kernel_unload(&l);
	d.map_end++;
	kernel_load(&l, &cfg, &d);
	CHECK_EQ(l.o.status, DSO_KERNEL_FOREIGN);
	kernel_unload(&l);
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

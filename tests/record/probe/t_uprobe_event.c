/* SPDX-License-Identifier: MIT */
/* Probes of functions: names, attrs, what is refused, and damaged files. */
#include "tests/frame/unit.h"

#include <elf.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tests/frame/build_elf.h"
#include "tests/record/probe/use_uprobe_event.h"

/* "NAME@OFFSET ..." of all events, in a buffer of the case. */
static const char *listed(const struct bench *b, char *buf, size_t size)
{
	size_t n = 0;

	*buf = 0;
	for (size_t i = 0; i < b->l.nr && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s=%llx", i ? " " : "",
				      b->l.events[i]->name,
				      (unsigned long long)b->l.events[i]->attr.config2);
	return buf;
}

static void check_adds(struct bench *b, const char *func, bool is_return, const char *want)
{
	char buf[1024];

	evlist_fini(&b->l);
	if (bench_add(b, func, is_return))
		unit_fail(__FILE__, __LINE__, "%s: %s", func, b->e.text);
	CHECK_STR(listed(b, buf, sizeof(buf)), want);
}

static void check_refuses(struct bench *b, const char *func, bool is_return, int code,
			  const char *says)
{
	size_t before = b->l.nr;

	CHECK_EQ(bench_add(b, func, is_return), code);
	CHECK_EQ(b->l.nr, before);
	if (!strstr(b->e.text, says))
		unit_fail(__FILE__, __LINE__, "'%s' does not say '%s'", b->e.text, says);
}

static void put_elf(struct bench *b, struct mkelf *elf)
{
	size_t n;
	u8 *bytes = mkelf_end(elf, &n);

	bench_put_file(b->root, "app", bytes, n);
	free(bytes);
}

static struct mkelf *begin(u16 *ret_text, u16 *ret_data)
{
	struct mkelf *b = mkelf_new(true, false, ET_DYN, EM_X86_64);
	struct mkelf_part text = { .name = ".text",
				   .type = SHT_PROGBITS,
				   .flags = SHF_ALLOC | SHF_EXECINSTR,
				   .addr = TEXT_ADDR,
				   .off = TEXT_OFF,
				   .size = 0x400 };
	struct mkelf_part data = { .name = ".data",
				   .type = SHT_PROGBITS,
				   .flags = SHF_ALLOC,
				   .addr = TEXT_ADDR + 0x400,
				   .size = 0x100 };

	mkelf_load(b, TEXT_ADDR, TEXT_OFF, 0x1000);
	*ret_text = mkelf_section(b, &text);
	*ret_data = mkelf_section(b, &data);
	return b;
}

static void put_app(struct bench *b)
{
	u16 text, data;
	struct mkelf *elf = begin(&text, &data);
	static const struct {
		const char *name;
		u32 at, size;
		u8 type;
	} symbols[] = {
		{ "_start", 0, 0x10, STT_FUNC },
		{ "plain", 0x10, 0x10, STT_FUNC },
		{ "__alias_of_plain", 0x10, 0x10, STT_FUNC },
		{ "twice", 0x20, 0x10, STT_FUNC },
		{ "twice", 0x30, 0x10, STT_FUNC },
		{ "chosen", 0x40, 0x10, STT_GNU_IFUNC },
		{ "resolve_chosen", 0x40, 0x10, STT_FUNC },
		{ "label", 0x50, 0, STT_NOTYPE },
		{ "no_size", 0x60, 0, STT_FUNC },
		{ "split", 0x80, 0x10, STT_FUNC },
		{ "split.cold", 0x90, 0x10, STT_FUNC },
		{ "split.part.0", 0xa0, 0x10, STT_FUNC },
		{ "gone.constprop.0", 0xb0, 0x10, STT_FUNC },
		{ "_ZN2ns3Foo3barEi", 0xc0, 0x10, STT_FUNC },
		{ "_ZN2ns3Foo3barEi.part.0", 0x110, 0x10, STT_FUNC },
		{ "_ZN2ns3Foo3barEPKci", 0xd0, 0x10, STT_FUNC },
		{ "main.(*T).Method", 0xe0, 0x10, STT_FUNC },
		{ "reaches_out", 0xf0, 0xffffff, STT_FUNC },
	};

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		mkelf_symbol(elf, symbols[i].name, TEXT_ADDR + symbols[i].at, symbols[i].size,
			     symbols[i].type, STB_GLOBAL, text);
	mkelf_symbol(elf, "object", TEXT_ADDR + 0x400, 8, STT_OBJECT, STB_GLOBAL, data);
	mkelf_symbol(elf, "func_in_data", TEXT_ADDR + 0x410, 8, STT_FUNC, STB_GLOBAL, data);
	mkelf_symbol(elf, "imported", 0, 0, STT_FUNC, STB_GLOBAL, SHN_UNDEF);
	mkelf_symbol(elf, "plt_slot", TEXT_ADDR + 0x18, 0, STT_FUNC, STB_GLOBAL, SHN_UNDEF);
	mkelf_symbol(elf, "not_mapped", 0x99999, 8, STT_FUNC, STB_GLOBAL, text);
	mkelf_end_symbols(elf, ".symtab", SHT_SYMTAB);
	put_elf(b, elf);
}

TEST(attr_of_a_probe)
{
	struct bench b;
	const struct rec_event *ev;

	bench_init(&b, true);
	put_app(&b);
	CHECK_EQ(bench_add(&b, "plain", false), 0);
	CHECK_EQ(bench_add(&b, "plain", true), 0);
	CHECK_EQ(b.l.nr, 2);
	ev = b.l.events[0];
	CHECK_STR(ev->name, "uprobe:app:plain");
	CHECK_EQ(ev->attr.type, 9);
	CHECK_EQ(ev->attr.config, 0);
	CHECK_EQ(ev->attr.config2, TEXT_OFF + 0x10);
	CHECK_EQ(ev->attr.sample_period_or_freq, 1);
	CHECK_EQ(ev->attr.flags, 0);
	CHECK_STR(ev->uprobe_path, b.file);
	CHECK(!ev->in_group);
	ev = b.l.events[1];
	CHECK_STR(ev->name, "uretprobe:app:plain");
	CHECK_EQ(ev->attr.config, 1 << 3); /* as the format folder says */
	bench_fini(&b);
}

TEST(functions_that_names_mean)
{
	struct bench b;

	bench_init(&b, true);
	put_app(&b);
	check_adds(&b, "plain", false, "uprobe:app:plain=2010");
	check_adds(&b, "__alias_of_plain", false, "uprobe:app:__alias_of_plain=2010");
	check_adds(&b, "*plain", false, "uprobe:app:plain=2010");
	check_adds(&b, "twice", false, "uprobe:app:twice@0x2020=2020 uprobe:app:twice@0x2030=2030");
	check_adds(&b, "label", false, "uprobe:app:label=2050");
	check_adds(&b, "no_size+0x1e", false, "uprobe:app:no_size+0x1e=207e");
	check_adds(&b, "plain+4", false, "uprobe:app:plain+0x4=2014");
	check_adds(&b, "split", false, "uprobe:app:split=2080");
	check_adds(&b, "split*", false, "uprobe:app:split=2080 uprobe:app:split.part.0=20a0");
	check_adds(&b, "split.cold", false, "uprobe:app:split.cold=2090");
	check_adds(&b, "gone", false, "uprobe:app:gone.constprop.0=20b0");
	check_adds(
		&b, "ns::Foo::bar", false,
		"uprobe:app:ns::Foo::bar(int)=20c0 uprobe:app:ns::Foo::bar(char_const*,int)=20d0");
	check_adds(&b, "ns::Foo::bar(int)", true, "uretprobe:app:ns::Foo::bar(int)=20c0");
	check_adds(&b, "main.(*T).Method", false, "uprobe:app:main.(*T).Method=20e0");
	check_adds(&b, "resolve_chosen", false, "uprobe:app:resolve_chosen=2040");
	check_adds(&b, "[pr]*", false, "uprobe:app:plain=2010 uprobe:app:reaches_out=20f0");
	bench_fini(&b);
}

TEST(return_probes_keep_away_from_what_does_not_return)
{
	struct bench b;

	bench_init(&b, true);
	put_app(&b);
	check_refuses(&b, "_start", true, PERR_USAGE, "does not return");
	check_refuses(&b, "split.cold", true, PERR_USAGE, "does not return");
	check_refuses(&b, "label", true, PERR_USAGE, "does not return");
	check_refuses(&b, "plain+1", true, PERR_USAGE, "cannot have an offset");
	/* its code is zeros: instructions of two bytes */
	check_refuses(&b, "plain+3", false, PERR_USAGE, "no instruction starts");
	check_refuses(&b, "_st*", true, PERR_NOTFOUND, "no function");
	check_adds(&b, "_st*", false, "uprobe:app:_start=2000");
	bench_fini(&b);
}

TEST(refusals)
{
	struct bench b;

	bench_init(&b, true);
	put_app(&b);
	check_adds(&b, "plain", false, "uprobe:app:plain=2010");
	check_refuses(&b, "plian", false, PERR_NOTFOUND, "no function 'plian'");
	CHECK_STR(b.help, "plain");
	check_refuses(&b, "ns::Foo::baz", false, PERR_NOTFOUND, "no function");
	CHECK_STR(b.help, "ns::Foo::bar");
	check_refuses(&b, "ns::Foo::bar(long)", false, PERR_NOTFOUND, "no function");
	CHECK(strstr(b.help, "ns::Foo::bar(int)"));
	check_refuses(&b, "chosen", false, PERR_NOTFOUND, "IFUNC");
	check_refuses(&b, "object", false, PERR_NOTFOUND, "no function");
	check_refuses(&b, "func_in_data", false, PERR_NOTFOUND, "no function");
	check_refuses(&b, "imported", false, PERR_NOTFOUND, "no function");
	check_refuses(&b, "plt_slot", false, PERR_NOTFOUND, "no function");
	check_refuses(&b, "not_mapped", false, PERR_NOTFOUND, "no function");
	check_refuses(&b, "plain+16", false, PERR_USAGE, "it has 16 bytes");
	check_refuses(&b, "no_size+0x20", false, PERR_USAGE, "it has 32 bytes");
	check_refuses(&b, "plain+99999999999999999999999", false, PERR_NOTFOUND, "no function");
	check_refuses(&b, "", false, PERR_USAGE, "uprobe:PATH:FUNC");
	bench_fini(&b);
}

TEST(files_that_cannot_be_probed)
{
	struct bench b;
	u16 text, data;
	struct mkelf *elf;

	bench_init(&b, true);
	check_refuses(&b, "f", false, PERR_NOTFOUND, "no such file");
	bench_put_file(b.root, "app", "#!/bin/sh\n", 10);
	check_refuses(&b, "f", false, PERR_FORMAT, "not an ELF file");
	put_elf(&b, mkelf_new(true, false, ET_REL, EM_X86_64));
	check_refuses(&b, "f", false, PERR_UNSUPPORTED, "neither a program nor a shared library");
	put_elf(&b, begin(&text, &data));
	check_refuses(&b, "f", false, PERR_NOTFOUND, "it is stripped");
	/* what a stripped library still has */
	elf = begin(&text, &data);
	mkelf_symbol(elf, "exported", TEXT_ADDR + 0x20, 16, STT_FUNC, STB_GLOBAL, text);
	mkelf_end_symbols(elf, ".dynsym", SHT_DYNSYM);
	put_elf(&b, elf);
	check_adds(&b, "exported", false, "uprobe:app:exported=2020");
	check_refuses(&b, "hidden", false, PERR_NOTFOUND, "among the exported functions");
	bench_fini(&b);

	bench_init(&b, false);
	put_app(&b);
	check_refuses(&b, "plain", false, PERR_UNSUPPORTED, "no uprobe PMU");
	bench_fini(&b);
}

TEST(too_many_functions)
{
	struct bench b;
	u16 text, data;
	struct mkelf *elf = begin(&text, &data);

	bench_init(&b, true);
	for (unsigned int i = 0; i < 500; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%u", i);
		mkelf_symbol(elf, name, TEXT_ADDR + i, 1, STT_FUNC, STB_GLOBAL, text);
	}
	mkelf_load(elf, TEXT_ADDR + 0x1000, TEXT_OFF + 0x1000, 0x10);
	mkelf_symbol(elf, "f_last", TEXT_ADDR + 0x1000, 1, STT_FUNC, STB_GLOBAL, text);
	mkelf_end_symbols(elf, ".symtab", SHT_SYMTAB);
	put_elf(&b, elf);
	check_refuses(&b, "f*", false, PERR_LIMIT, "501 functions");
	CHECK_EQ(bench_add(&b, "f[0-9]*", false), 0);
	CHECK_EQ(b.l.nr, 500);
	bench_fini(&b);
}

/* One byte changed, sometimes the end cut off: an error or events, and no crash. */
TEST(damaged_files_do_no_harm)
{
	struct bench b;
	size_t n;
	u8 *bytes;
	char *path;
	struct stat st;
	FILE *f;

	bench_init(&b, true);
	put_app(&b);
	path = xasprintf("%s/app", b.root);
	CHECK_EQ(stat(path, &st), 0);
	n = (size_t)st.st_size;
	bytes = xmalloc(n);
	f = fopen(path, "rb");
	CHECK(f);
	CHECK_EQ(fread(bytes, 1, n, f), n);
	fclose(f);
	for (size_t i = 0; i < 400; i++) {
		/* a fixed sequence: byte at, value */
		size_t at = i < 64 ? i : (i * 2654435761u) % n;
		u8 old = bytes[at];

		bytes[at] = (u8)(i * 37 + 255);
		bench_put_file(b.root, "app", bytes, i % 5 ? n : n - at % n);
		bytes[at] = old;
		evlist_fini(&b.l);
		if (!bench_add(&b, "*", false))
			CHECK(b.l.nr);
	}
	free(bytes);
	free(path);
	bench_fini(&b);
}

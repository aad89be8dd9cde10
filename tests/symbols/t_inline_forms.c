/* SPDX-License-Identifier: MIT */
/*
 * Inline frames of one small program in many forms of debug information, as the compilers that are
 * here make them; some of those files damaged.
 */
#include "symbols/dwarf/inlines.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/elf/elf_symtab.h"
#include "symbols/symbols.h"
#include "tests/frame/unit.h"
#include "tests/symbols/inline_text.h"

/* `mark` is an instruction in the innermost function, `begin` one in what it was inlined into. */
static const char program[] = "#define IN inline __attribute__((always_inline))\n"
			      "namespace ns {\n"
			      "template <class T> struct Foo {\n"
			      "	T v;\n"
			      "	IN T spin(T n)\n"
			      "	{\n"
			      "		asm volatile(\"mark: nop\" ::: \"memory\");\n"
			      "		return n + v;\n"
			      "	}\n"
			      "	IN T twice(T n)\n"
			      "	{\n"
			      "		return spin(n) + 1;\n"
			      "	}\n"
			      "};\n"
			      "}\n"
			      "extern \"C\" {\n"
			      "IN unsigned long inner(unsigned long n)\n"
			      "{\n"
			      "	ns::Foo<unsigned long> f{n};\n"
			      "	return f.twice(n) * 3;\n"
			      "}\n"
			      "__attribute__((noinline)) unsigned long outer(unsigned long n)\n"
			      "{\n"
			      "	asm volatile(\"begin: nop\" ::: \"memory\");\n"
			      "	return inner(n + 1);\n"
			      "}\n"
			      "}\n"
			      "int main(int argc, char **argv)\n"
			      "{\n"
			      "	(void)argv;\n"
			      "	return (int)outer((unsigned long)argc);\n"
			      "}\n";

#define MARK_FRAMES                                             \
	"ns::Foo<unsigned long>::spin(unsigned long) p.cc:7*, " \
	"ns::Foo<unsigned long>::twice(unsigned long) p.cc:12*, inner p.cc:20*, outer p.cc:25"
#define BEGIN_FRAMES "outer p.cc:24"

static u64 symbol_value(const struct object *o, const char *name)
{
	struct elf_syms syms = elf_syms_of(o, object_section(o, ".symtab"));
	const char *text;
	size_t i;

	for (i = 1; i < syms.nr; i++) {
		struct elf_sym sym = elf_syms_get(&syms, i);

		text = object_string(syms.strings, sym.name);
		if (text && !strcmp(text, name))
			return sym.value;
	}
	return 0;
}

static char *make_folder(void)
{
	static char dir[] = "/tmp/t_inlines.XXXXXX";
	char path[64];
	FILE *out;

	CHECK(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/p.cc", dir);
	out = fopen(path, "w");
	CHECK(out);
	CHECK_EQ(fwrite(program, 1, sizeof(program) - 1, out), sizeof(program) - 1);
	fclose(out);
	return dir;
}

static void remove_folder(const char *dir)
{
	char cmd[128];

	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	CHECK_EQ(system(cmd), 0);
}

/* False where the compiler is missing or does not know the form. */
static bool build(const char *dir, const char *compiler)
{
	char cmd[512];

	snprintf(cmd, sizeof(cmd), "cd %s && rm -f p *.dwo && %s -O2 -o p p.cc >/dev/null 2>&1",
		 dir, compiler);
	return !system(cmd);
}

/*
 * libdw 0.192 refuses the line tables of clang's 64-bit DWARF 5, which 0.188 reads: inlined
 * functions have their names, and no line where the table would tell it.
 */
static bool lacks_lines(const char *compiler, const char *text)
{
	const char *(*version)(const void *dwfl);
	void *fn = dlsym(RTLD_DEFAULT, "dwfl_version");
	u64 minor = 0;

	memcpy(&version, &fn, sizeof(fn));
	if (version && !strncmp(version(NULL), "0.", 2))
		minor = strtoull(version(NULL) + 2, NULL, 10);
	return minor > 188 && strstr(compiler, "clang++ -gdwarf-5 -gdwarf64") &&
	       strstr(text, " ??:0");
}

static void check_form(const char *dir, const char *compiler)
{
	struct opened f = { 0 };
	char path[64];
	struct perr e;
	u64 mark, begin;

	snprintf(path, sizeof(path), "%s/p", dir);
	CHECK_EQ(object_open(path, &f.o, &e), 0);
	mark = symbol_value(f.o, "mark");
	begin = symbol_value(f.o, "begin");
	CHECK(mark && begin);
	if (!open_object(&f))
		unit_fail(__FILE__, __LINE__, "%s: no debug information", compiler);
	if (lacks_lines(compiler, frames_text(&f, mark, "outer"))) {
		opened_close(&f);
		return;
	}
	/* which form it is comes first in the text that a failure shows */
	if (strcmp(frames_text(&f, mark, "outer"), MARK_FRAMES) ||
	    strcmp(frames_text(&f, begin, "outer"), BEGIN_FRAMES))
		unit_fail(__FILE__, __LINE__, "%s: %s", compiler, frames_text(&f, mark, "outer"));
	CHECK_STR(frames_text(&f, 1, NULL), "");
	opened_close(&f);
}

static void check_forms(const char *const *compilers, size_t nr)
{
	const char *dir = make_folder();
	size_t i, built = 0;

	for (i = 0; i < nr; i++) {
		if (!build(dir, compilers[i]))
			continue;
		built++;
		check_form(dir, compilers[i]);
	}
	remove_folder(dir);
	if (!built)
		SKIP("no such compiler");
}

TEST(forms_of_gcc)
{
	static const char *const compilers[] = {
		"g++ -gdwarf-5",
		"g++ -gdwarf-4",
		"g++ -gdwarf-3 -gstrict-dwarf",
		"g++ -gdwarf-5 -gdwarf64",
		"g++ -g -gz=zlib",
		"g++ -g -gz=zlib-gnu",
		"g++ -g -gz=zstd",
		"g++ -g -no-pie",
		"g++ -g -flto",
		"g++ -g -flto -ffat-lto-objects -ffunction-sections -Wl,--gc-sections",
		"g++ -gdwarf-4 -fdebug-types-section",
		"g++ -gdwarf-5 -fdebug-types-section",
		"g++ -gdwarf-5 -gsplit-dwarf",
		"g++ -gdwarf-4 -gsplit-dwarf",
	};

	check_forms(compilers, ARRAY_SIZE(compilers));
}

TEST(forms_of_clang)
{
	static const char *const compilers[] = {
		"clang++ -gdwarf-5",
		"clang++ -gdwarf-4",
		"clang++ -gdwarf-4 -gdwarf-aranges",
		"clang++ -gdwarf-5 -gsplit-dwarf",
		"clang++ -gdwarf-4 -gsplit-dwarf",
		"clang++ -g -gz",
		"clang++ -g -ffunction-sections",
		"clang++ -gdwarf-5 -gdwarf64",
		"clang++ -g -flto -fuse-ld=lld",
	};

	check_forms(compilers, ARRAY_SIZE(compilers));
}

TEST(unit_in_a_dwo_that_is_missing)
{
	const char *dir = make_folder();
	struct opened f = { 0 };
	char cmd[128];
	struct perr e;

	if (!build(dir, "g++ -g -gsplit-dwarf"))
		SKIP("no such compiler");
	snprintf(cmd, sizeof(cmd), "rm %s/*.dwo", dir);
	CHECK_EQ(system(cmd), 0);
	snprintf(cmd, sizeof(cmd), "%s/p", dir);
	CHECK_EQ(object_open(cmd, &f.o, &e), 0);
	CHECK(open_object(&f));
	CHECK_STR(frames_text(&f, symbol_value(f.o, "mark"), NULL), "");
	opened_close(&f);
	remove_folder(dir);
}

static void *ask(void *arg)
{
	struct dso *d = arg;
	const struct inline_frame *frames;
	struct line_hit hit;
	struct sym_hit sym;
	u64 i;

	for (i = 0; i < 20000; i++) {
		if (dso_find(d, 0x10000 + i + 500, 0x10000, 0, &sym))
			dso_will_find_inlines(d, 0x10000 + i + 500, 0x10000, 0, &sym);
		(void)dso_find_inlines(d, 0x10000 + i, 0x10000, 0, &frames);
		(void)dso_find_line(d, 0x10000 + i, 0x10000, 0, &hit);
	}
	return NULL;
}

/*
 * Two objects, two threads each, and one of them opened early by a third: for the thread sanitizer,
 * and helgrind.
 */
TEST(through_the_door)
{
	const char *dir = make_folder();
	struct symbols *s = symbols_new(&(struct symbols_config){ .buildid_dir = "" });
	const struct inline_frame *frames;
	pthread_t threads[4];
	struct sym_hit sym;
	struct object *o;
	char path[2][64];
	struct dso *d[2];
	struct perr e;
	u64 begin, mark;
	size_t i;

	if (!build(dir, "g++ -g -no-pie"))
		SKIP("no compiler");
	snprintf(path[0], sizeof(path[0]), "%s/p", dir);
	CHECK_EQ(object_open(path[0], &o, &e), 0);
	begin = symbol_value(o, "begin");
	mark = symbol_value(o, "mark");
	for (i = 0; i < o->nr_loads; i++) {
		if (mark - o->loads[i].vaddr >= o->loads[i].filesz)
			continue;
		mark += o->loads[i].off - o->loads[i].vaddr;
		begin += o->loads[i].off - o->loads[i].vaddr;
		break;
	}
	object_close(o);
	snprintf(path[1], sizeof(path[1]), "%s/q", dir);
	CHECK_EQ(link(path[0], path[1]), 0);
	for (i = 0; i < 2; i++)
		d[i] = symbols_add_dso(s, &(struct dso_desc){ .kind = DSO_USER, .name = path[i] });
	CHECK(dso_expect_inlines(d[0]));
	CHECK(dso_find(d[0], 0x10000 + mark, 0x10000, 0, &sym));
	dso_will_find_inlines(d[0], 0x10000 + mark, 0x10000, 0, &sym);
	for (i = 0; i < 4; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, ask, d[i / 2]), 0);
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	CHECK_EQ(dso_find_inlines(d[0], 0x10000 + mark, 0x10000, 0, &frames), 4);
	CHECK_STR(frames[2].name, "inner");
	CHECK(!frames[2].file);
	CHECK_EQ(dso_find_inlines_with_lines(d[0], 0x10000 + mark, 0x10000, 0, &frames), 4);
	CHECK_STR(last_part(frames[2].file), "p.cc");
	CHECK_EQ(frames[2].line, 20);
	CHECK_EQ(dso_find_inlines(d[1], 0x10000 + begin, 0x10000, 0, &frames), 1);
	CHECK_EQ(dso_find_inlines(d[1], 0x10000 + (1 << 30), 0x10000, 0, &frames), 0);
	symbols_free(s);
	remove_folder(dir);
}

/* --- damage ----------------------------------------------------------------------------------- */

static u64 next_random(u64 *seed)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return *seed >> 33;
}

static void use_mutant(const u8 *bytes, size_t n, u64 from, u64 to)
{
	const struct inline_frame *frames;
	struct opened f = { 0 };
	size_t nr, i, len = 0;
	struct perr e;
	u64 vaddr;

	if (object_open_mem("mutant", bytes, n, &f.o, &e) || !open_object(&f))
		return;
	for (vaddr = from; vaddr < to; vaddr++) {
		nr = inlines_find(f.in, vaddr, NULL, INLINES_LINES, &frames);
		for (i = 0; i < nr; i++)
			len += strlen(frames[i].name) + strlen(last_part(frames[i].file));
	}
	CHECK(len < 1u << 28);
	opened_close(&f);
}

/* Bytes of the sections that are read are overwritten, one to eight at a time. */
static void damage(const struct object *o, u64 from, u64 to, unsigned int nr)
{
	static const char *const names[] = { ".debug_info",    ".debug_abbrev", ".debug_rnglists",
					     ".debug_ranges",  ".debug_line",   ".debug_str",
					     ".debug_line_str" };
	u8 *copy = xmalloc(o->file.n);
	u64 seed = 1;
	unsigned int k, i, hits;

	for (k = 0; k < nr; k++) {
		const struct obj_section *s;
		struct span bytes;

		memcpy(copy, o->file.p, o->file.n);
		hits = 1 + next_random(&seed) % 8;
		for (i = 0; i < hits; i++) {
			s = object_section(o, names[next_random(&seed) % ARRAY_SIZE(names)]);
			bytes = object_bytes(o, s);
			if (bytes.n)
				copy[(size_t)(bytes.p - o->file.p) + next_random(&seed) % bytes.n] =
					next_random(&seed) & 1 ? 0xff : (u8)next_random(&seed);
		}
		use_mutant(copy, o->file.n, from, to);
	}
	free(copy);
}

static void damage_form(const char *compiler)
{
	const char *dir = make_folder();
	struct object *o;
	char path[64];
	struct perr e;
	u64 begin;

	if (!build(dir, compiler))
		SKIP("no such compiler");
	snprintf(path, sizeof(path), "%s/p", dir);
	CHECK_EQ(object_open(path, &o, &e), 0);
	begin = symbol_value(o, "begin");
	damage(o, begin - 16, begin + 32, 2000);
	object_close(o);
	remove_folder(dir);
}

TEST(damaged_dwarf_5)
{
	damage_form("g++ -gdwarf-5");
}

TEST(damaged_dwarf_4)
{
	damage_form("g++ -gdwarf-4");
}

TEST(damaged_dwarf_of_clang)
{
	damage_form("clang++ -gdwarf-5");
}

/* SPDX-License-Identifier: MIT */
#include "tests/frame/elf_forms.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tests/frame/unit.h"

/* Inlined functions, templates, exceptions, alloca, a realigned stack, cold parts, PLT calls. */
static const char cxx_source[] =
	"#define IN inline __attribute__((always_inline))\n"
	"#define NI __attribute__((noinline))\n"
	"extern \"C\" int puts(const char *);\n"
	"extern \"C\" void abort(void);\n"
	"namespace ns {\n"
	"template <class T> struct Foo {\n"
	"	T v;\n"
	"	IN T spin(T n) { asm volatile(\"nop\" ::: \"memory\"); return n + v; }\n"
	"	IN T twice(T n) { return spin(n) + spin(n + 1) + 1; }\n"
	"	~Foo() { asm volatile(\"nop\"); }\n"
	"};\n"
	"}\n"
	"static IN unsigned long inner(unsigned long n)\n"
	"{\n"
	"	ns::Foo<unsigned long> f{n};\n"
	"	return f.twice(n) * 3;\n"
	"}\n"
	"NI int thrower(int n) { if (n > 3) throw n; return n; }\n"
	"NI int catcher(int n)\n"
	"{\n"
	"	ns::Foo<int> f{n};\n"
	"	try { return thrower(n); }\n"
	"	catch (int e) { return e + (int)inner(n) + f.twice(e); }\n"
	"}\n"
	"NI int on_stack(int n)\n"
	"{\n"
	"	char *p = (char *)__builtin_alloca(n);\n"
	"	p[0] = (char)n;\n"
	"	puts(p);\n"
	"	return p[n / 2];\n"
	"}\n"
	"NI int realigned(int n)\n"
	"{\n"
	"	alignas(64) char buf[128];\n"
	"	char *p = (char *)__builtin_alloca(n);\n"
	"	asm volatile(\"\" :: \"r\"(buf), \"r\"(p) : \"memory\");\n"
	"	return buf[n] + on_stack(n) + p[1];\n"
	"}\n"
	"NI int cold(int n)\n"
	"{\n"
	"	if (__builtin_expect(n > 1000, 0)) { puts(\"large\"); abort(); }\n"
	"	return realigned(n) + (int)inner((unsigned long)n);\n"
	"}\n"
	"int main(int argc, char **)\n"
	"{\n"
	"	return cold(argc) + catcher(argc);\n"
	"}\n";

/* Needs no library. */
static const char c_source[] =
	"static volatile long sink;\n"
	"static inline __attribute__((always_inline)) long deep(long n) { return n * 7 + sink; }\n"
	"static inline __attribute__((always_inline)) long deeper(long n) { return deep(n) ^ 5; }\n"
	"__attribute__((noinline)) long leaf(long n) { sink = deeper(n); return sink; }\n"
	"__attribute__((noinline)) long middle(long n)\n"
	"{\n"
	"	volatile long a[40];\n"
	"	a[n & 31] = leaf(n) + leaf(n + 1);\n"
	"	return a[3] + deeper(n);\n"
	"}\n"
	"long other(long) __attribute__((alias(\"middle\")));\n"
	"void _start(void) { middle(1); leaf(2); for (;;) ; }\n";

#define MAPPED "-fdebug-prefix-map=\"$PWD\"=/"
#define SPLIT(cc, how)                                                         \
	cc " -O2 -g -gsplit-dwarf " how " " MAPPED " -c -o p.o ../p.cc && " cc \
	   " -o prog p.o && rm p.o"
#define BARE "gcc -O2 -g -static -nostdlib -ffreestanding "

static const struct elf_form forms[] = {
	{ "gcc5", "prog", DSO_USER, "g++ -O2 -g -gdwarf-5 -o prog ../p.cc" },
	{ "gcc4", "prog", DSO_USER, "g++ -O2 -g -gdwarf-4 -no-pie -o prog ../p.cc" },
	{ "gcc3", "prog", DSO_USER, "g++ -O1 -g -gdwarf-3 -gstrict-dwarf -o prog ../p.cc" },
	{ "clang5", "prog", DSO_USER, "clang++ -O2 -g -gdwarf-5 -o prog ../p.cc" },
	{ "clang4", "prog", DSO_USER, "clang++ -O2 -g -gdwarf-4 -o prog ../p.cc" },
	{ "zlib", "prog", DSO_USER, "g++ -O2 -g -gz=zlib -o prog ../p.cc" },
	{ "zstd", "prog", DSO_USER,
	  "g++ -O2 -g -o p ../p.cc && objcopy --compress-debug-sections=zstd p prog && rm p" },
	{ "split5", "prog p.dwo", DSO_USER, SPLIT("g++", "-gdwarf-5") },
	{ "split4", "prog p.dwo", DSO_USER, SPLIT("g++", "-gdwarf-4") },
	{ "splitclang", "prog p.dwo", DSO_USER, SPLIT("clang++", "-gdwarf-5") },
	{ "dwp4", "prog prog.dwp", DSO_USER,
	  SPLIT("g++", "-gdwarf-4") " && dwp p.dwo -o prog.dwp && rm p.dwo" },
	{ "dwp5", "prog prog.dwp", DSO_USER,
	  SPLIT("clang++", "-gdwarf-5") " && llvm-dwp p.dwo -o prog.dwp && rm p.dwo" },
	{ "link", "prog prog.debug", DSO_USER,
	  "g++ -O2 -g -o prog ../p.cc && objcopy --only-keep-debug prog prog.debug && strip prog "
	  "&& objcopy --add-gnu-debuglink=prog.debug prog" },
	{ "alt", "prog alt", DSO_USER,
	  "g++ -O2 -g -o prog ../p.cc && cp prog other && dwz -m alt -r prog other && rm other" },
	{ "mini", "prog", DSO_USER,
	  "g++ -O2 -o prog ../p.cc && cp prog inner && xz inner && strip prog && "
	  "objcopy --add-section .gnu_debugdata=inner.xz prog && rm inner.xz" },
	{ "debugframe", "prog", DSO_USER,
	  BARE "-fno-asynchronous-unwind-tables -fno-unwind-tables -o prog ../c.c" },
	{ "i386", "prog", DSO_USER, BARE "-m32 -o prog ../c.c" },
	{ "nosections", "prog", DSO_USER,
	  "g++ -O2 -o prog ../p.cc && objcopy --strip-section-headers prog || strip prog" },
	{ "module", "prog.ko", DSO_MODULE, "gcc -O2 -g -c -o prog.ko ../c.c" },
	{ "kernel", "prog", DSO_KERNEL,
	  BARE "-mcmodel=kernel -fno-pic -no-pie -Wl,-Ttext-segment=0xffffffff81000000 "
	       "-o prog ../c.c" },
	{ "aarch64", "prog", DSO_USER, "cp \"$SHARED/elf/etm_test_loop\" prog" },
	{ "library", "prog", DSO_USER, "cp \"$SHARED/elf/libro_sample.so\" prog" },
	{ NULL, NULL, DSO_USER, NULL },
};

static void write_source(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "we");

	CHECK(f);
	fputs(text, f);
	CHECK_EQ(fclose(f), 0);
	free(path);
}

static void build_all(const char *dir)
{
	char *shared = realpath("../shared/data", NULL), *cmd;

	write_source(dir, "p.cc", cxx_source);
	write_source(dir, "c.c", c_source);
	for (size_t i = 0; forms[i].name; i++) {
		cmd = xasprintf("SHARED='%s'; mkdir '%s/%s' && cd '%s/%s' && { %s; } 2>/dev/null",
				shared ? shared : "/nowhere", dir, forms[i].name, dir,
				forms[i].name, forms[i].build);
		if (system(cmd))
			printf("# no form %s here\n", forms[i].name);
		free(cmd);
	}
	free(shared);
}

char *elf_forms_build(const struct elf_form **ret)
{
	char *dir = xstrdup("/tmp/elf_forms.XXXXXX"), *cmd;
	const char *built = getenv("ELF_FORMS");

	CHECK(mkdtemp(dir));
	if (built) {
		cmd = xasprintf("cp -r '%s'/* '%s'", built, dir);
		CHECK_EQ(system(cmd), 0);
		free(cmd);
	} else {
		build_all(dir);
	}
	*ret = forms;
	return dir;
}

void elf_forms_remove(const char *dir)
{
	char *cmd = xasprintf("rm -rf '%s'", dir);

	CHECK_EQ(system(cmd), 0);
	free(cmd);
}

/* SPDX-License-Identifier: MIT */
/* Expected texts are those of perf 7.2, unless the comment says otherwise. */
#include "symbols/table/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/frame/unit.h"

struct pair {
	const char *mangled, *text; /* NULL: not mangled */
};

static void check_all(const struct pair *pairs, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		char *got = demangle(pairs[i].mangled, 0);

		CHECK_STR(got, pairs[i].text);
		free(got);
	}
}

TEST(cxx)
{
	static const struct pair pairs[] = {
		{ "_Z3foov", "foo()" },
		{ "_ZL3foov", "foo()" },
		{ "_ZNK3foo3barIlE4spinEm", "foo::bar<long>::spin(unsigned long) const" },
		{ "_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo()" },
		{ "_ZN3foo3barEv.cold", "foo::bar() [clone .cold]" },
		{ "_ZN3foo3barEv.constprop.0.cold",
		  "foo::bar() [clone .constprop.0] [clone .cold]" },
		{ "_ZTV3foo", "vtable for foo" },
		{ "_ZGVZ3foovE1x", "guard variable for foo()::x" },
		{ "_ZTv0_n24_N3foo3barEv", "virtual thunk to foo::bar()" },
		{ "_ZNSt6vectorIiSaIiEE9push_backEOi",
		  "std::vector<int, std::allocator<int> >::push_back(int&&)" },
		{ "_ZZN3foo3barEvENKUlvE_clEv", "foo::bar()::{lambda()#1}::operator()() const" },
		/* A copy of a variable. */
		{ "_ZN3foo3barE.x", "foo::bar.x" },
		{ "_ZN3foo3barE.llvm.123", "foo::bar" },
		/* perf 7.2 takes it for Rust and says _GLOBAL__N_1::foo. */
		{ "_ZN12_GLOBAL__N_13fooE", "(anonymous namespace)::foo" },
	};

	check_all(pairs, ARRAY_SIZE(pairs));
}

/* perf 7.2 prints "float", "int*" and so on for these C functions. */
TEST(c_names_are_no_types)
{
	static const struct pair pairs[] = {
		{ "f", NULL },
		{ "i", NULL },
		{ "v", NULL },
		{ "Pi", NULL },
		{ "Sa", NULL },
		{ "main", NULL },
		{ "PFvvE", NULL },
		{ "3foo", NULL },
		{ "_Z", NULL },
		{ "_ZZ", NULL },
		{ "__Z3foov", NULL },
		{ "", NULL },
		{ "_", NULL },
		{ "R", NULL },
		{ "_R", NULL },
		{ "_D", NULL },
		{ "caml", NULL },
		{ "caml_a", NULL },
		{ "L", NULL },
		{ "Lx;", NULL },
		{ "ZN", NULL },
		{ "_ZN", NULL },
		{ "_ZN3fo", NULL },
		{ "LA;b(I", NULL },
		{ "main.main", NULL },
		{ "runtime.mallocgc", NULL },
		{ "type:.eq.foo", NULL },
	};

	check_all(pairs, ARRAY_SIZE(pairs));
}

TEST(rust_legacy)
{
	static const struct pair pairs[] = {
		{ "_ZN3foo17h0123456789abcdefE", "foo" },
		{ "_ZN3foo3bar17h0123456789abcdefE", "foo::bar" },
		{ "_ZN3foo3bar17h0123456789abcdefE.llvm.1234", "foo::bar" },
		{ "_ZN3foo3bar17h0123456789abcdefE.cold", "foo::bar.cold" },
		{ "ZN3foo3bar17h0123456789abcdefE", "foo::bar" },
		{ "_ZN49_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$Drop$GT$"
		  "4drop17h0123456789abcdefE",
		  "<alloc::vec::Vec<T> as Drop>::drop" },
		{ "_ZN4test4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE",
		  "test::main::{{closure}}" },
	};

	check_all(pairs, ARRAY_SIZE(pairs));
}

TEST(rust_v0)
{
	static const struct pair pairs[] = {
		{ "_RNvC6_123foo3bar", "123foo::bar" },
		{ "__RNvC6_123foo3bar", "123foo::bar" },
		{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar" },
		{ "_RNvNtCs1234_7mycrate3foo3bar.llvm.99", "mycrate::foo::bar" },
		{ "_RINvNtC3std3mem8align_ofjdE", "std::mem::align_of::<usize, f64>" },
		{ "_RNCNvC4main4main0B3_", "main::main::{closure#0}" },
		{ "_RMCs4fqI2P2rA04_13const_genericINtB0_8UnsignedKhb_E",
		  "<const_generic::Unsigned<11>>" },
		{ "_RINvC1a1fKo123456789abcdef0_E", "a::f::<1311768467463790320>" },
	};

	check_all(pairs, ARRAY_SIZE(pairs));
}

TEST(others)
{
	static const struct pair pairs[] = {
		/* perf 7.2 leaves D as it is. */
		{ "_D3foo3barFZv", "foo.bar()" },
		{ "_D3foo3Bar3bazMFiZi", "foo.Bar.baz(int)" },
		{ "camlFoo__bar_12", "Foo.bar_12" },
		{ "camlFoo__bar$27x_12", "Foo.bar'x_12" },
		{ "Ljava/lang/Foo;equals([B[BI)Z", "java.lang.Foo.equals(byte[], byte[], int)" },
		{ "Lcom/foo/Bar;run()V", "com.foo.Bar.run()" },
		{ "LFoo;<init>(Ljava/lang/String;)V", "Foo<init>(java.lang.String)" },
		{ "(I)V", NULL },
		{ "foo(I)V", NULL },
	};

	check_all(pairs, ARRAY_SIZE(pairs));
}

TEST(perf_6_1)
{
	static const char *const pairs[][2] = {
		{ "_ZN2ns3FooImE4spinEm", "ns::Foo<unsigned long>::spin" },
		{ "_Z3fooIiEiT_", "foo<int>" },
		{ "_ZN3FoocvbEv", "Foo::operator bool" },
		{ "_Z3foov.cold", "foo" },
		{ "_ZN12_GLOBAL__N_13fooEv.isra.0", "(anonymous namespace)::foo" },
		{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE.llvm.77",
		  "core::fmt::Write::write_fmt" },
		{ "_RNvC6_123foo3bar.cold", "123foo::bar" },
		{ "_GLOBAL__I_x", "global constructors keyed to x" },
		{ "_D3foo3barFZv", NULL },
		{ "_GLOBAL__sub_I_x", NULL },
		{ "main", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		char *got = demangle(pairs[i][0], TEXT_PERF_6_1);

		CHECK_STR(got, pairs[i][1]);
		free(got);
	}
}

/* Each pair<T, T> doubles the text; 60 of them would fill 2^60 bytes. */
TEST(text_without_end)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char *name = xasprintf("_Z1f1AIiiE"), *got;

	for (size_t i = 0; i < 34; i++) {
		char *longer = xasprintf("%sS_IS%c_S%c_E", name, digits[i], digits[i]);

		free(name);
		name = longer;
	}
	got = demangle(name, 0);
	CHECK_STR(got, NULL);
	free(name);
}

TEST(name_without_end)
{
	size_t n = 1u << 20;
	char *name = xmalloc(n + 1);

	memset(name, 'P', n);
	memcpy(name, "_Z1f", 4);
	name[n] = 0;
	CHECK_STR(demangle(name, 0), NULL);
	memcpy(name, "_D1f", 4);
	CHECK_STR(demangle(name, 0), NULL);
	/* Within the limit, and nested as deep as it is long. */
	name[60000] = 0;
	free(demangle(name, 0));
	memcpy(name, "_Z1f", 4);
	free(demangle(name, 0));
	memcpy(name, "_RNv", 4);
	free(demangle(name, 0));
	free(name);
}

static void in_brackets(struct out *o, const char *name, size_t n)
{
	out_char(o, '[');
	out_mem(o, name, n);
	out_char(o, ']');
}

/* The form is made of the demangled name, and of names that are not mangled. */
TEST(styles)
{
	static const struct {
		struct name_style style;
		const char *name, *text; /* NULL: unchanged */
	} cases[] = {
		{ { .demangle = true }, "_Z3foov", "foo()" },
		{ { .demangle = true }, "foo", NULL },
		{ { .demangle = false }, "_Z3foov", NULL },
		{ { .demangle = true, .form = in_brackets }, "_Z3foov", "[foo()]" },
		{ { .demangle = true, .form = in_brackets }, "foo", "[foo]" },
		{ { .demangle = false, .form = in_brackets }, "_Z3foov", "[_Z3foov]" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *got = name_style_apply(&cases[i].style, cases[i].name);

		CHECK_STR(got, cases[i].text);
		free(got);
	}
}

/* SPDX-License-Identifier: MIT */
#include "fold/fold_names.h"

#include "base/mem.h"
#include "picture/fold_escape.h"
#include "tests/frame/unit.h"

struct pair {
	const char *name, *want;
};

static char *named(const char *name, enum function_names names)
{
	struct out o;

	out_init_mem(&o);
	function_name_put(&o, name, strlen(name), names);
	out_char(&o, 0);
	return o.buf;
}

static void check_pairs(const struct pair *pairs, size_t nr, enum function_names names)
{
	size_t i;
	char *got;

	for (i = 0; i < nr; i++) {
		got = named(pairs[i].name, names);
		CHECK_STR(got, pairs[i].want);
		free(got);
	}
}

/* Wanted: what inferno-collapse-perf 0.12 makes of "NAME+0x12 (object)". */
TEST(noargs_as_the_scripts)
{
	static const struct pair pairs[] = {
		{ "main", "main" },
		{ "std::vector<int, std::allocator<int> >::push_back(int const&)",
		  "std::vector<int, std::allocator<int> >::push_back" },
		{ "std::function<void (int)>::operator()(int) const",
		  "std::function<void (int)>::operator" },
		{ "void foo<void (*)(int)>(int)", "void foo<void (*)(int)>" },
		{ "foo<(Enum)1>(int)", "foo<(Enum)1>" },
		{ "a<b>(c)::d(e)", "a<b>" },
		{ "main::{lambda(int)#1}::operator()(int) const",
		  "main::{lambda(int)#1}::operator" },
		{ "foo(int)::{lambda()#1}::operator()() const", "foo" },
		{ "a::(anonymous namespace)::b(int)::(anonymous namespace)::c(int)",
		  "a::(anonymous namespace)::b" },
		{ "net/http.(*Client).Do", "net/http.(*Client).Do" },
		{ "main.(*T).x.func1", "main.(*T).x.func1" },
		{ "f.(x)(y)", "f.(x)" },
		{ "main.foo(...)", "main.foo" },
		{ "foo[abi:cxx11](int)", "foo[abi:cxx11]" },
		{ "foo(int) [clone .isra.0]", "foo" },
		{ "foo.cold", "foo.cold" },
		{ "virtual thunk to a::b(c)", "virtual thunk to a::b" },
		{ "core::foo::h0123456789abcdef", "core::foo" },
		{ "core::foo::h0123456789abcde", "core::foo::h0123456789abcde" },
		{ "::h0123456789abcdef", "::h0123456789abcdef" },
		{ "<alloc::vec::Vec<T> as core::ops::Drop>::drop",
		  "<alloc::vec::Vec<T> as core::ops::Drop>::drop" },
		{ "core::ptr::drop_in_place<alloc::boxed::Box<dyn core::ops::Fn(i32)+Output = ()>>",
		  "core::ptr::drop_in_place<alloc::boxed::Box<dyn core::ops::Fn(i32)+Output = "
		  "()>>" },
		{ "a>b(c)", "a>b(c)" },
		{ "a(b", "a" },
		{ "Lcom/foo/Bar;::baz(Ljava/lang/String;)V", "com/foo/Bar:::baz" },
		{ "LInterpreter;", "LInterpreter;" },
		{ "", "" },
	};

	check_pairs(pairs, ARRAY_SIZE(pairs), FUNCTION_NAMES_NOARGS);
}

/* P4: inferno drops frames that begin with a parenthesis */
TEST(a_leading_parenthesis_is_a_name)
{
	static const struct pair pairs[] = {
		{ "(anonymous namespace)::foo(int)", "(anonymous namespace)::foo" },
		{ "(x)y", "(x)y" },
		{ "(", "(" },
	};

	check_pairs(pairs, ARRAY_SIZE(pairs), FUNCTION_NAMES_NOARGS);
}

/* P5: inferno takes the signs of operators for brackets, and splits names at "->" */
TEST(signs_of_operators_are_no_brackets)
{
	static const struct pair pairs[] = {
		{ "A::operator<(A const&) const", "A::operator<" },
		{ "bool operator< <int>(a, b)", "bool operator< <int>" },
		{ "std::ostream& operator<< <char>(std::ostream&, int)",
		  "std::ostream& operator<< <char>" },
		{ "llvm::APInt::operator<<=(llvm::APInt const&)", "llvm::APInt::operator<<=" },
		{ "operator><x>(a, b)", "operator><x>" },
		{ "operator>>(a, b)", "operator>>" },
		{ "a::operator->() const", "a::operator->" },
		{ "a::operator-><int>(x)", "a::operator-><int>" },
		{ "a::operator<=>(x)", "a::operator<=>" },
		{ "a::operator[](x)", "a::operator[]" },
		{ "my_operator<x>(y)", "my_operator<x>" },
		{ "f<g(int) -> h>(x)", "f<g(int) -> h>" },
		{ "a::operator bool() const", "a::operator bool" },
	};

	check_pairs(pairs, ARRAY_SIZE(pairs), FUNCTION_NAMES_NOARGS);
}

TEST(short_names)
{
	static const struct pair pairs[] = {
		{ "main", "main" },
		{ "std::map<int, X<y> >::at(int const&) [clone .cold]", "std::map<...>::at" },
		{ "f(int)::{lambda(char)#1}::operator()(char) const", "f::{lambda#1}::operator()" },
		{ "f() const::{lambda()#2}::operator()() const", "f::{lambda#2}::operator()" },
		{ "void std::sort<int*, f(int)::{lambda(int)#1}>(int*, int*)", "std::sort<...>" },
		{ "a::b const* c::d<e>(f) const &", "c::d<...>" },
		{ "bool std::operator< <char, x>(y, z)", "std::operator< <...>" },
		{ "x<y>::t a::operator-<A*, v<A> >(b const&)", "a::operator-<...>" },
		{ "bool a::operator!=<b>(c)", "a::operator!=<...>" },
		{ "bool a::it::operator()<b, c>(d) const", "a::it::operator()<...>" },
		{ "a<b>::operator->() const", "a<...>::operator->" },
		{ "a::operator->*<b>(c)", "a::operator->*<...>" },
		{ "clang::Decl::operator new(unsigned long)", "clang::Decl::operator new" },
		{ "llvm::TypeSize::operator unsigned long() const",
		  "llvm::TypeSize::operator unsigned long" },
		{ "virtual thunk to a<b>::c(d)", "virtual thunk to a<...>::c" },
		{ "vtable for a<b>", "vtable for a<...>" },
		{ "a::(anonymous namespace)::b(int)", "a::(anonymous namespace)::b" },
		{ "(anonymous namespace)::b<c>(int)", "(anonymous namespace)::b<...>" },
		{ "main.(*T[go.shape.int]).f", "main.(*T[go.shape.int]).f" },
		{ "foo[abi:cxx11](int)", "foo" },
		{ "foo.cold", "foo" },
		{ "foo.part.0", "foo" },
		{ "foo.part.0.constprop.3.cold", "foo" },
		{ "foo.isra.0.cold.12", "foo" },
		{ "foo.llvm.1234567890123", "foo" },
		{ "foo.lto_priv.0", "foo" },
		{ "counter.1", "counter.1" },
		{ ".cold", ".cold" },
		{ "a.b", "a.b" },
		{ "foo.cold.bar", "foo.cold.bar" },
		{ "core::foo::h0123456789abcdef.llvm.77", "core::foo" },
		{ "<alloc::vec::Vec<T> as core::ops::Drop>::drop",
		  "<alloc::vec::Vec<...> as core::ops::Drop>::drop" },
		{ "alloc::vec::Vec::<T>::push", "alloc::vec::Vec::<...>::push" },
		{ "core::ops::function::FnOnce::call_once{{vtable.shim}}",
		  "core::ops::function::FnOnce::call_once{{vtable.shim}}" },
		{ "foo::{closure#0}", "foo::{closure#0}" },
		{ "LazyCompile:*f file.js:12", "LazyCompile:*f file.js:12" },
		{ "a<b(c)", "a<...>" },
		{ "a)b>c]", "a)b>c]" },
		{ "", "" },
	};

	check_pairs(pairs, ARRAY_SIZE(pairs), FUNCTION_NAMES_SHORT);
}

TEST(full_and_raw_stay)
{
	static const char *const names[] = { "a::f<int>(int) const", "core::foo::h0123456789abcdef",
					     "Lcom/foo/Bar;::baz", "f(int) [clone .cold]" };
	char *got;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		got = named(names[i], FUNCTION_NAMES_FULL);
		CHECK_STR(got, names[i]);
		free(got);
		got = named(names[i], FUNCTION_NAMES_RAW);
		CHECK_STR(got, names[i]);
		free(got);
	}
}

/* P8: ';' and the blank before a number would split a line where the name does not end */
TEST(escapes)
{
	static const struct pair pairs[] = {
		{ "plain name(int, char)", "plain name(int, char)" },
		{ "a;b", "a%3Bb" },
		{ "a\nb\tc", "a%0Ab%09c" },
		{ "x 12", "x%2012" },
		{ "x 1 2", "x 1%202" },
		{ "x 12.", "x%2012." },
		{ "x 12.5", "x%2012.5" },
		{ "x 1.2.3", "x 1.2.3" },
		{ "x .5", "x .5" },
		{ "x 12y", "x 12y" },
		{ "x12", "x12" },
		{ "x ", "x%20" },
		{ " ", "%20" },
		{ " 7", "%207" },
		{ "100%", "100%" },
		{ "%s %d", "%s %d" },
		{ "a%3Bb", "a%253Bb" },
		{ "a%3bb", "a%3bb" },
		{ "a%41", "a%41" },
		{ "%;", "%%3B" },
		{ "%25", "%2525" },
		{ "\x7f\x01", "%7F%01" },
		{ "\xc3\xa4;", "\xc3\xa4%3B" },
		{ "", "" },
	};
	struct out o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pairs); i++) {
		out_init_mem(&o);
		fold_escape(&o, pairs[i].name, strlen(pairs[i].name));
		out_char(&o, 0);
		CHECK_STR(o.buf, pairs[i].want);
		o.len = 0;
		fold_unescape(&o, pairs[i].want, strlen(pairs[i].want));
		out_char(&o, 0);
		CHECK_STR(o.buf, pairs[i].name);
		out_fini(&o);
	}
}

/* --- frames ----------------------------------------------------------------------------------- */

struct place {
	struct symbols *symbols;
	struct map map;
	struct frame frame;
	struct sym_hit sym;
};

static void make_place(struct place *p, enum dso_kind kind, const char *dso, bool kernel,
		       const char *sym)
{
	static const struct symbols_config cfg = { .hermetic = true };
	struct dso_desc desc = { .kind = kind, .name = dso };

	*p = (struct place){ .symbols = symbols_new(&cfg) };
	p->map = (struct map){ .dso = symbols_add_dso(p->symbols, &desc),
			       .dso_name = dso,
			       .kernel = kernel };
	p->sym = (struct sym_hit){ .name = sym };
	p->frame =
		(struct frame){ .map = &p->map, .sym = &p->sym, .looked_up = true, .has_sym = sym };
}

static void check_frame(enum dso_kind kind, const char *dso, bool kernel, const char *sym,
			enum function_names names, const char *want)
{
	const struct fold_name_config cfg = { names, true, true };
	struct place p;
	struct out o;

	make_place(&p, kind, dso, kernel, sym);
	out_init_mem(&o);
	fold_name_frame(&o, &p.frame, &cfg);
	out_char(&o, 0);
	CHECK_STR(o.buf, want);
	out_fini(&o);
	symbols_free(p.symbols);
}

TEST(objects_stand_for_unknown_functions)
{
	check_frame(DSO_USER, "/usr/lib/libc.so.6", false, NULL, 0, "[libc.so.6]");
	check_frame(DSO_NONE, "//anon", false, NULL, 0, "[anon]");
	check_frame(DSO_NONE, "", false, NULL, 0, "[unknown]");
	check_frame(DSO_KERNEL, "[kernel.kallsyms]", true, NULL, 0, "[[kernel.kallsyms]]_[k]");
	check_frame(DSO_JIT, "/tmp/perf-7.map", false, NULL, 0, "[perf-7.map]_[j]");
	check_frame(DSO_USER, "/tmp/a;b", false, NULL, 0, "[a%3Bb]");
}

/* P3: inferno cuts objects whose names have blanks, or drops their frames */
TEST(objects_with_blanks)
{
	check_frame(DSO_USER, "/tmp/my prog (deleted)", false, NULL, 0, "[my prog (deleted)]");
	check_frame(DSO_USER, "/tmp/my prog (deleted)", false, "f(int)", 0, "f");
}

TEST(no_map)
{
	const struct fold_name_config cfg = { 0 };
	const struct frame fr = { .ip = 7 };
	struct out o;

	out_init_mem(&o);
	fold_name_frame(&o, &fr, &cfg);
	CHECK_EQ(o.len, strlen("[unknown]"));
	CHECK_MEM(o.buf, "[unknown]", o.len);
	out_fini(&o);
}

TEST(marks)
{
	check_frame(DSO_KERNEL, "[kernel.kallsyms]", true, "do_it", 0, "do_it_[k]");
	check_frame(DSO_MODULE, "[ext4]", true, "do_it", 0, "do_it_[k]");
	check_frame(DSO_KERNEL, "/boot/vmlinux-6.1", true, "do_it", 0, "do_it_[k]");
	check_frame(DSO_VDSO, "[vdso]", false, "do_it", 0, "do_it_[k]");
	check_frame(DSO_USER, "/usr/bin/x", false, "do_it", 0, "do_it");
	check_frame(DSO_JIT, "/tmp/perf-7.map", false, "f", 0, "f_[j]");
}

TEST(inlined_functions_of_jits)
{
	const char *jit = "/tmp/perf-7.map";

	check_frame(DSO_JIT, jit, false, "Lcom/a;::b(I)V->Lcom/c;::d", 0,
		    "com/a:::b_[j];com/c:::d_[i]");
	check_frame(DSO_JIT, jit, false, "a->b->", 0, "a_[j];b_[i]");
	check_frame(DSO_JIT, jit, false, "->b", 0, "b_[i]");
	check_frame(DSO_JIT, jit, false, "->", 0, "->_[j]");
	check_frame(DSO_JIT, jit, false, "a->b", FUNCTION_NAMES_RAW, "a->b_[j]");
	/* elsewhere it is an operator */
	check_frame(DSO_USER, "/usr/bin/x", false, "a::operator->() const", 0, "a::operator->");
}

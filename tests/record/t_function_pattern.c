/* SPDX-License-Identifier: MIT */
#include "record/probe/function_pattern.h"

#include <string.h>

#include "base/mem.h"
#include "record/probe/library_path.h"
#include "record/host/name_glob.h"
#include "tests/frame/unit.h"

TEST(globs)
{
	static const struct {
		const char *glob, *text;
		bool want;
	} cases[] = {
		{ "", "", true },
		{ "", "a", false },
		{ "*", "", true },
		{ "a*", "abc", true },
		{ "*c", "abc", true },
		{ "a*c", "abcbc", true },
		{ "a*b", "abc", false },
		{ "*a*a*", "ba", false },
		{ "*a*a*", "xaxa", true },
		{ "a?c", "abc", true },
		{ "a?", "a", false },
		{ "[a-c]x", "bx", true },
		{ "[a-c]x", "dx", false },
		{ "[!a-c]x", "dx", true },
		{ "[^a]", "a", false },
		{ "[]]", "]", true },
		{ "[!]]", "x", true },
		{ "[", "[", true },
		{ "[ab", "[ab", true },
		{ "a[", "ab", false },
		{ "[a-]", "-", true },
		{ "sched:*wak*", "sched:sched_waking", true },
		{ "ns::*", "ns::f(a/b)", true },
		{ "ABC", "abc", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (name_glob_match(cases[i].glob, cases[i].text, false) != cases[i].want)
			unit_fail(__FILE__, __LINE__, "'%s' and '%s'", cases[i].glob,
				  cases[i].text);
	CHECK(name_glob_match("A[b-C]*", "aBx", true));
	CHECK(name_glob_has("a?"));
	CHECK(!name_glob_has("main.(T).f"));
}

/* Every star is tried once more for each letter: no more than text x glob steps. */
TEST(glob_with_many_stars_ends)
{
	char text[4001], glob[2001];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	for (size_t i = 0; i + 2 < sizeof(glob); i += 2)
		memcpy(glob + i, "*a", 2);
	glob[sizeof(glob) - 2] = 'b';
	glob[sizeof(glob) - 1] = 0;
	CHECK(!name_glob_match(glob, text, false));
}

#define BAR_INT "_ZN2ns3Foo3barEi"
#define BAR_STR "_ZN2ns3Foo3barEPKci"
#define MAX_INT "_ZN2ns5mymaxIiEET_S1_S1_"
#define PUSH "_ZN2ns3VecIiE4pushEi"
#define SHIFT "_ZN2ns3FoolsEi"
#define CALL "_ZN2ns3FooclEi"
#define LEGACY "_ZN1r1m1T6method17hdea98c1cf21cd8b6E"
#define V0_METHOD "_RNvMs_NtCs6GmmlP4bgsG_1r1mNtB4_1T6method"
#define V0_TRAIT "_RNvXNtCs6GmmlP4bgsG_1r1mNtB2_1TNtB2_2Go2go"
#define V0_GENERIC "_RINvNtCs6GmmlP4bgsG_1r1m7genericyEB4_"

TEST(what_users_call_functions)
{
	static const struct {
		const char *pattern, *linker_name;
		bool glob;
		enum function_fit want;
	} cases[] = {
		{ "main", "main", false, FIT_EXACT },
		{ "main", "main2", false, FIT_NONE },
		{ "memcpy", "memcpy@@GLIBC_2.14", false, FIT_EXACT },
		{ "mem", "memcpy@@GLIBC_2.14", false, FIT_NONE },
		{ BAR_INT, BAR_INT, false, FIT_EXACT },
		{ "ns::Foo::bar", BAR_INT, false, FIT_NAME },
		{ "ns::Foo::bar", BAR_STR, false, FIT_NAME },
		{ "ns::Foo::bar(int)", BAR_INT, false, FIT_NAME },
		{ "ns::Foo::bar(int)", BAR_STR, false, FIT_NONE },
		{ "ns::Foo::bar(char const*, int)", BAR_STR, false, FIT_NAME },
		{ "ns::Foo::bar( char const *,int )", BAR_STR, false, FIT_NAME },
		{ "Foo::bar", BAR_INT, false, FIT_NONE },
		{ "ns::Foo", BAR_INT, false, FIT_NONE },
		{ "ns::mymax", MAX_INT, false, FIT_NAME },
		{ "ns::mymax<int>", MAX_INT, false, FIT_NAME },
		{ "ns::mymax<double>", MAX_INT, false, FIT_NONE },
		{ "ns::mymax<int>(int, int)", MAX_INT, false, FIT_NAME },
		{ "int ns::mymax<int>(int, int)", MAX_INT, false, FIT_NAME },
		{ "ns::Vec::push", PUSH, false, FIT_NAME },
		{ "ns::Vec<int>::push", PUSH, false, FIT_NAME },
		{ "ns::Foo::operator<<", SHIFT, false, FIT_NAME },
		{ "ns::Foo::operator<<(int)", SHIFT, false, FIT_NAME },
		{ "ns::Foo::operator", SHIFT, false, FIT_NONE },
		{ "ns::Foo::operator()", CALL, false, FIT_NAME },
		{ "operator new(unsigned long)", "_Znwm", false, FIT_NAME },
		{ "operator new", "_Znwm", false, FIT_NAME },
		{ "ns::*", BAR_INT, true, FIT_NAME },
		{ "*::b?r", BAR_INT, true, FIT_NAME },
		{ "*::b?r(int)", BAR_INT, true, FIT_NAME },
		{ "_ZN2ns3Foo*", BAR_INT, true, FIT_NAME },
		{ "ns::*", "main", true, FIT_NONE },
		/* copies that gcc makes */
		{ "f", "f.part.0", false, FIT_CLONE },
		{ "f", "f.constprop.0.isra.0", false, FIT_CLONE },
		{ "f", "f.lto_priv.0", false, FIT_NAME },
		{ "f", "f.llvm.123", false, FIT_NAME },
		{ "f", "f.partial", false, FIT_NONE },
		{ "f.part.0", "f.part.0", false, FIT_EXACT },
		{ "ns::Foo::bar", BAR_INT ".part.0", false, FIT_CLONE },
		/* Rust, of both kinds */
		{ "r::m::T::method", LEGACY, false, FIT_NAME },
		{ "<r::m::T>::method", LEGACY, false, FIT_NAME },
		{ "r::m::T::method", V0_METHOD, false, FIT_NAME },
		{ "<r::m::T>::method", V0_METHOD, false, FIT_NAME },
		{ "r::m::T::m*", V0_METHOD, true, FIT_NAME },
		{ "<r::m::T as r::m::Go>::go", V0_TRAIT, false, FIT_NAME },
		{ "r::m::T::go", V0_TRAIT, false, FIT_NONE },
		{ "r::m::generic", V0_GENERIC, false, FIT_NAME },
		{ "r::m::generic::<u64>", V0_GENERIC, false, FIT_NAME },
		{ "r::m::generic::<u32>", V0_GENERIC, false, FIT_NONE },
		/* Go */
		{ "main.(*T).Method", "main.(*T).Method", false, FIT_EXACT },
		{ "main.(*T).*", "main.(*T).Method", true, FIT_NAME },
		{ "main.Map[go.shape.int]", "main.Map[go.shape.int]", false, FIT_EXACT },
		{ "main.Map[go.shape.struct{A int}]", "main.Map[go.shape.struct { A int }]", false,
		  FIT_NAME },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct function_pattern p;
		enum function_fit got;

		function_pattern_init(&p, cases[i].pattern, cases[i].glob);
		got = function_pattern_fit(&p, cases[i].linker_name);
		if (got != cases[i].want)
			unit_fail(__FILE__, __LINE__, "'%s' for %s: %d, not %d", cases[i].pattern,
				  cases[i].linker_name, (int)got, (int)cases[i].want);
		function_pattern_fini(&p);
	}
}

/* A name that an event was given finds the same function again. */
TEST(readable_names_find_their_functions)
{
	static const struct {
		const char *linker_name, *readable, *brief;
	} cases[] = {
		{ "main", "main", "main" },
		{ "read@@GLIBC_2.2.5", "read", "read" },
		{ BAR_STR, "ns::Foo::bar(char_const*,int)", "ns::Foo::bar" },
		{ "_ZNK2ns3Foo3barEv", "ns::Foo::bar()const", "ns::Foo::bar" },
		{ MAX_INT, "ns::mymax<int>(int,int)", "ns::mymax<int>" },
		{ "_Znwm", "operator_new(unsigned_long)", "operator_new" },
		{ V0_TRAIT, "<r::m::T_as_r::m::Go>::go", "<r::m::T_as_r::m::Go>::go" },
		{ LEGACY, "r::m::T::method", "r::m::T::method" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *readable = function_readable(cases[i].linker_name);
		char *brief = function_short(cases[i].linker_name);
		struct function_pattern p;

		CHECK_STR(readable, cases[i].readable);
		CHECK_STR(brief, cases[i].brief);
		function_pattern_init(&p, readable, false);
		CHECK(function_pattern_fit(&p, cases[i].linker_name) >= FIT_NAME);
		function_pattern_fini(&p);
		free(readable);
		free(brief);
	}
}

TEST(readable_names_are_printable_and_of_sane_length)
{
	char long_name[5000], *readable;

	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = 0;
	readable = function_readable(long_name);
	CHECK(strlen(readable) <= 256);
	free(readable);
	readable = function_readable("a\x1b[1m\nb");
	CHECK_STR(readable, "a?[1m?b");
	free(readable);
}

TEST(parts_that_nobody_calls)
{
	CHECK(function_is_cold_part("f.cold"));
	CHECK(function_is_cold_part("_Z1fv.cold.12"));
	CHECK(!function_is_cold_part("f.colder"));
	CHECK(!function_is_cold_part("f.part.0"));
	CHECK(!function_is_cold_part("cold"));
}

/* As in library_path.c: a head of 48 bytes, entries of 24, strings by offset from the head. */
static size_t make_cache(u8 *p, size_t before, u32 nr, u32 second_path)
{
	static const char strings[] = "libc.so.6\0/lib/a/libc.so.6\0libcap.so.2\0/lib/libcap.so.2";
	u32 at = 48 + 2 * 24;
	u32 entries[2][2] = { { at, at + 10 }, { at + 27, second_path } };

	memset(p, 0, before + at);
	memcpy(p + before, "glibc-ld.so.cache1.1", 20);
	memcpy(p + before + 20, &nr, 4);
	for (size_t i = 0; i < 2; i++)
		memcpy(p + before + 48 + i * 24 + 4, entries[i], 8);
	memcpy(p + before + at, strings, sizeof(strings));
	return before + at + sizeof(strings);
}

TEST(libraries_of_the_dynamic_linkers_cache)
{
	u8 p[512];
	size_t n, i;

	/* alone, and behind the table of old glibc */
	for (size_t before = 0; before <= 64; before += 64) {
		n = make_cache(p, before, 2, 48 + 48 + 39);
		i = 0;
		CHECK_STR(library_cache_next(span_of(p, n), "libc.so.6", &i), "/lib/a/libc.so.6");
		CHECK_EQ(i, 1);
		CHECK(!library_cache_next(span_of(p, n), "libc.so.6", &i));
		i = 0;
		CHECK_STR(library_cache_next(span_of(p, n), "libc", &i), "/lib/a/libc.so.6");
		CHECK(!library_cache_next(span_of(p, n), "libc", &i));
		i = 0;
		CHECK_STR(library_cache_next(span_of(p, n), "libcap", &i), "/lib/libcap.so.2");
	}
}

TEST(damaged_cache)
{
	u8 p[512];
	size_t n, i = 0;

	/* counts and offsets beyond its end */
	n = make_cache(p, 0, UINT32_MAX, UINT32_MAX);
	CHECK(!library_cache_next(span_of(p, n), "libcap.so.2", &i));
	CHECK(!library_cache_next(span_of(NULL, 0), "libc", &i));
	/* cut anywhere; as heap copies, so that a sanitizer sees a read past the end */
	for (size_t cut = 0; cut < n; cut++) {
		u8 *copy = xmalloc(cut + !cut);

		memcpy(copy, p, cut);
		for (i = 0; library_cache_next(span_of(copy, cut), "libcap", &i);)
			;
		free(copy);
	}
}

TEST(files_by_path_and_by_name)
{
	struct perr e = { 0 };
	char *path = NULL;

	CHECK_EQ(library_path_find("/proc/self/exe", &path, &e), 0);
	CHECK_EQ(path[0], '/');
	CHECK(strstr(path, "t_function_pattern"));
	free(path);
	CHECK_EQ(library_path_find("/no/such/file", &path, &e), PERR_NOTFOUND);
	CHECK_STR(e.text, "/no/such/file: no such file");
	CHECK_EQ(library_path_find("no-such-library.so.9", &path, &e), PERR_NOTFOUND);
	CHECK(strstr(e.text, "specify its path"));
}

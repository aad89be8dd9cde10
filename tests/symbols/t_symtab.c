/* SPDX-License-Identifier: MIT */
#include "symbols/table/symtab.h"

#include <stdio.h>

#include "tests/frame/unit.h"

static const char *name_at(struct symtab *t, u64 addr)
{
	const struct sym *s = symtab_find(t, addr);

	return s ? s->name : NULL;
}

static void add(struct symtab *t, u64 start, u64 size, const char *name)
{
	symtab_add(t, start, size, name, SYM_GLOBAL, false);
}

TEST(empty_table)
{
	struct symtab t;

	symtab_init(&t);
	symtab_finish(&t, false);
	CHECK(!symtab_find(&t, 0));
	CHECK(!symtab_find(&t, UINT64_MAX));
	symtab_fini(&t);
}

TEST(ranges_are_half_open)
{
	struct symtab t;

	symtab_init(&t);
	add(&t, 0x300, 0x10, "c");
	add(&t, 0x100, 0x10, "a");
	add(&t, 0x110, 0x10, "b");
	symtab_finish(&t, false);
	CHECK_STR(name_at(&t, 0xff), NULL);
	CHECK_STR(name_at(&t, 0x100), "a");
	CHECK_STR(name_at(&t, 0x10f), "a");
	CHECK_STR(name_at(&t, 0x110), "b");
	CHECK_STR(name_at(&t, 0x120), NULL);
	CHECK_STR(name_at(&t, 0x300), "c");
	CHECK_STR(name_at(&t, 0x310), NULL);
	symtab_fini(&t);
}

TEST(size_0_reaches_to_the_next)
{
	struct symtab t;

	symtab_init(&t);
	add(&t, 0x100, 0, "a");
	add(&t, 0x180, 8, "b");
	add(&t, 0x1234, 0, "last");
	symtab_finish(&t, false);
	CHECK_STR(name_at(&t, 0x17f), "a");
	CHECK_STR(name_at(&t, 0x188), NULL);
	/* 0x1234 rounded up to a page, and one page more */
	CHECK_STR(name_at(&t, 0x2fff), "last");
	CHECK_STR(name_at(&t, 0x3000), NULL);
	symtab_fini(&t);
}

TEST(kernel_ends_stop_at_modules)
{
	struct symtab t;

	symtab_init(&t);
	add(&t, 0x1000, 0, "k1");
	add(&t, 0x1100, 0, "k2");
	add(&t, 0x100010, 0, "m1\t[one]");
	add(&t, 0x100100, 0, "m2\t[one]");
	add(&t, 0x200000, 0, "n1\t[two]");
	symtab_finish(&t, true);
	CHECK_EQ(symtab_find(&t, 0x10ff)->end, 0x1100);
	CHECK_EQ(symtab_find(&t, 0x1100)->end, 0x3000);
	CHECK_EQ(symtab_find(&t, 0x100010)->end, 0x100100);
	CHECK_EQ(symtab_find(&t, 0x100100)->end, 0x102000);
	CHECK_EQ(symtab_find(&t, 0x200000)->end, 0x201000);
	symtab_fini(&t);
}

TEST(ends_do_not_wrap)
{
	struct symtab t;

	symtab_init(&t);
	add(&t, 0x100, UINT64_MAX, "huge");
	add(&t, UINT64_MAX - 1, 0, "last");
	symtab_finish(&t, true);
	CHECK_STR(name_at(&t, UINT64_MAX - 2), "huge");
	CHECK_STR(name_at(&t, UINT64_MAX - 1), "huge");
	symtab_fini(&t);
}

TEST(label_yields_to_the_function_around_it)
{
	struct symtab t;

	symtab_init(&t);
	add(&t, 0x100, 0x100, "function");
	add(&t, 0x140, 0, "label");
	add(&t, 0x160, 0, "label2");
	add(&t, 0x180, 0x10, "sized");
	add(&t, 0x1f0, 0, "across");
	add(&t, 0x240, 0x10, "next");
	symtab_finish(&t, false);
	CHECK_STR(name_at(&t, 0x13f), "function");
	CHECK_STR(name_at(&t, 0x140), "function");
	CHECK_STR(name_at(&t, 0x170), "function");
	CHECK_STR(name_at(&t, 0x180), "sized");
	CHECK_STR(name_at(&t, 0x190), "function");
	CHECK_STR(name_at(&t, 0x1ff), "function");
	CHECK_STR(name_at(&t, 0x200), "across");
	symtab_fini(&t);
}

TEST(nested_gives_the_innermost)
{
	struct symtab t;

	symtab_init(&t);
	add(&t, 0x100, 0x100, "outer");
	add(&t, 0x120, 0x20, "middle");
	add(&t, 0x128, 0x8, "inner");
	add(&t, 0x180, 0x10, "second");
	add(&t, 0x300, 0x10, "far");
	symtab_finish(&t, false);
	CHECK_STR(name_at(&t, 0x11f), "outer");
	CHECK_STR(name_at(&t, 0x127), "middle");
	CHECK_STR(name_at(&t, 0x12f), "inner");
	CHECK_STR(name_at(&t, 0x130), "middle");
	CHECK_STR(name_at(&t, 0x140), "outer");
	CHECK_STR(name_at(&t, 0x180), "second");
	CHECK_STR(name_at(&t, 0x190), "outer");
	CHECK_STR(name_at(&t, 0x200), NULL);
	symtab_fini(&t);
}

/* Which of two names wins, added in both orders unless the order is what decides. */
static void check_alias(struct sym a, struct sym b, bool by_readable, const char *winner)
{
	for (int order = 0; order < 2; order++) {
		struct sym x = order ? b : a, y = order ? a : b;
		struct symtab t;

		symtab_init(&t);
		t.by_readable = by_readable;
		symtab_add(&t, 0x100, x.end, x.name, x.binding, x.untyped);
		symtab_add(&t, 0x100, y.end, y.name, y.binding, y.untyped);
		symtab_finish(&t, false);
		CHECK_STR(name_at(&t, 0x104), winner);
		CHECK_STR(name_at(&t, 0x100), winner);
		symtab_fini(&t);
	}
}

TEST(aliases)
{
	/* end is the size here */
	check_alias((struct sym){ .name = "t", .end = 16 },
		    (struct sym){ .name = "longer", .end = 16, .untyped = true }, false, "t");
	check_alias((struct sym){ .name = "t", .end = 16 },
		    (struct sym){ .name = "longer", .end = 16, .binding = SYM_WEAK }, false, "t");
	check_alias((struct sym){ .name = "t", .end = 16, .binding = SYM_GLOBAL },
		    (struct sym){ .name = "longer", .end = 16 }, false, "t");
	check_alias((struct sym){ .name = "t", .end = 16 },
		    (struct sym){ .name = "_longer", .end = 16 }, false, "t");
	check_alias((struct sym){ .name = "t", .end = 16 },
		    (struct sym){ .name = "longer", .end = 16 }, false, "longer");
	check_alias((struct sym){ .name = "SyS_ab", .end = 16 },
		    (struct sym){ .name = "sys_ab", .end = 16 }, false, "sys_ab");
}

TEST(empty_alias_loses_unless_it_was_mended)
{
	struct symtab t;

	/* Mended: its end is the next start, which is its own, when it came first. */
	symtab_init(&t);
	add(&t, 0x100, 0, "longer_name");
	add(&t, 0x100, 16, "t");
	symtab_finish(&t, false);
	CHECK_STR(name_at(&t, 0x104), "t");
	symtab_fini(&t);

	symtab_init(&t);
	add(&t, 0x100, 16, "t");
	add(&t, 0x100, 0, "longer_name");
	add(&t, 0x200, 16, "next");
	symtab_finish(&t, false);
	CHECK_STR(name_at(&t, 0x104), "longer_name");
	CHECK_STR(name_at(&t, 0x1ff), "longer_name");
	symtab_fini(&t);
}

TEST(ties_keep_the_first)
{
	struct symtab t;

	symtab_init(&t);
	add(&t, 0x100, 16, "aa");
	add(&t, 0x100, 16, "bb");
	add(&t, 0x100, 16, "cc");
	symtab_finish(&t, false);
	CHECK_STR(name_at(&t, 0x10f), "aa");
	symtab_fini(&t);
}

TEST(aliases_compare_by_their_readable_names)
{
	/* "unsigned char" is longer than "signed char", though the letters h and a are not. */
	check_alias((struct sym){ .name = "_Z1fa", .end = 16 },
		    (struct sym){ .name = "_Z1fh", .end = 16 }, true, "_Z1fh");
	/* No underscore is left of a mangled name. */
	check_alias((struct sym){ .name = "_longer_c_name", .end = 16 },
		    (struct sym){ .name = "_Z1fv", .end = 16 }, true, "_Z1fv");
}

TEST(constructors_are_twins)
{
	struct symtab t;

	symtab_init(&t);
	t.by_readable = true;
	add(&t, 0x100, 16, "_ZN1AC2Ev");
	add(&t, 0x100, 16, "_ZN1AC1Ev");
	symtab_finish(&t, false);
	CHECK_STR(name_at(&t, 0x100), "_ZN1AC2Ev");
	CHECK_STR(name_at(&t, 0x10f), "_ZN1AC2Ev");
	symtab_fini(&t);
}

/* Starts whose upper halves differ take a second pass: the order of equal ones stays. */
TEST(starts_far_apart)
{
	static const u64 starts[] = { 0xffffffff81000000, 0x10,        0xffffffff80000000,
				      0x100000010,        0x200000000, 0x0fffffff0 };
	struct symtab t;

	symtab_init(&t);
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		add(&t, starts[i], 8, "first");
		add(&t, starts[i], 8, "second");
	}
	symtab_sort(&t);
	CHECK_EQ(t.nr, 2 * ARRAY_SIZE(starts));
	for (size_t i = 0; i + 1 < t.nr; i++)
		CHECK(t.syms[i].start <= t.syms[i + 1].start);
	for (size_t i = 0; i < t.nr; i++)
		CHECK_STR(t.syms[i].name, i % 2 ? "second" : "first");
	symtab_fini(&t);
}

TEST(rivals_of_different_size)
{
	struct symtab t;

	symtab_init(&t);
	add(&t, 0x100, 0x40, "ab");
	add(&t, 0x100, 0x10, "longer");
	add(&t, 0x108, 0x4, "in");
	symtab_finish(&t, false);
	CHECK_STR(name_at(&t, 0x10a), "in");
	CHECK_STR(name_at(&t, 0x10c), "longer");
	CHECK_STR(name_at(&t, 0x120), NULL);
	symtab_fini(&t);
}

TEST(added_to_after_it_was_finished)
{
	struct symtab t;

	symtab_init(&t);
	add(&t, 0x200, 0, "b");
	add(&t, 0x400, 0x10, "d");
	symtab_finish(&t, false);
	CHECK(t.finished);
	add(&t, 0x300, 0x10, "c");
	add(&t, 0x100, 0x10, "a");
	add(&t, 0x200, 0x10, "longer_b");
	CHECK(!t.finished);
	symtab_finish(&t, false);
	CHECK_STR(name_at(&t, 0x100), "a");
	CHECK_STR(name_at(&t, 0x200), "longer_b");
	CHECK_STR(name_at(&t, 0x20f), "longer_b");
	CHECK_STR(name_at(&t, 0x30f), "c");
	CHECK_STR(name_at(&t, 0x400), "d");
	symtab_fini(&t);
}

TEST(order_of_many)
{
	struct symtab t;
	u64 x = 12345;

	symtab_init(&t);
	for (u64 i = 0; i < 20000; i++) {
		char name[24];

		/* A full-period generator: every start once, all over the 64 bits. */
		x = (x * 5 + 1) % 32768;
		snprintf(name, sizeof(name), "f%llu", (unsigned long long)x);
		add(&t, x << 40 | x << 4, 16, name);
	}
	symtab_finish(&t, false);
	CHECK_EQ(t.nr, 20000);
	for (size_t i = 0; i < t.nr; i++) {
		char name[24];

		CHECK(!i || t.syms[i - 1].start < t.syms[i].start);
		snprintf(name, sizeof(name), "f%llu", (unsigned long long)(t.syms[i].start >> 40));
		CHECK_STR(t.syms[i].name, name);
		CHECK_STR(name_at(&t, t.syms[i].start + 15), name);
	}
	symtab_fini(&t);
}

TEST(many_aliases_end)
{
	struct symtab t;

	symtab_init(&t);
	for (int i = 0; i < 200000; i++)
		add(&t, 0x100, 16, i & 1 ? "ab" : "abc");
	symtab_finish(&t, false);
	CHECK_STR(name_at(&t, 0x100), "abc");
	symtab_fini(&t);
}

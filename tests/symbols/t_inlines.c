/* SPDX-License-Identifier: MIT */
/* Inline frames of DWARF made by hand: wrong, deep, going round in circles. */
#include "symbols/dwarf/inlines.h"

#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/dwarf/range_sweep.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"
#include "tests/symbols/inline_text.h"

#define TEXT 0x401000
#define TEXT_OFF 0x800
#define TEXT_SIZE 0x100

enum { UNIT = 1, FUNCTION, INLINED, ABSTRACT, REFERRING, SIBLING, RANGED };

/* DWARF 4, section 7.5.3. */
static const u8 abbrevs[] = {
	UNIT,
	DW_TAG_compile_unit,
	1,
	DW_AT_low_pc,
	DW_FORM_addr,
	DW_AT_high_pc,
	DW_FORM_data4,
	0,
	0,
	FUNCTION,
	DW_TAG_subprogram,
	1,
	DW_AT_name,
	DW_FORM_string,
	DW_AT_low_pc,
	DW_FORM_addr,
	DW_AT_high_pc,
	DW_FORM_data4,
	0,
	0,
	INLINED,
	DW_TAG_inlined_subroutine,
	1,
	DW_AT_abstract_origin,
	DW_FORM_ref4,
	DW_AT_low_pc,
	DW_FORM_addr,
	DW_AT_high_pc,
	DW_FORM_data4,
	DW_AT_call_line,
	DW_FORM_data1,
	0,
	0,
	ABSTRACT,
	DW_TAG_subprogram,
	0,
	DW_AT_name,
	DW_FORM_string,
	0,
	0,
	REFERRING,
	DW_TAG_subprogram,
	0,
	DW_AT_abstract_origin,
	DW_FORM_ref4,
	0,
	0,
	SIBLING,
	DW_TAG_enumeration_type,
	1,
	DW_AT_sibling,
	DW_FORM_ref4,
	0,
	0,
	RANGED,
	DW_TAG_inlined_subroutine,
	1,
	DW_AT_abstract_origin,
	DW_FORM_ref4,
	DW_AT_ranges,
	DW_FORM_sec_offset,
	0,
	0,
	0,
};

struct info {
	u8 *p;
	size_t n, cap;
};

static void put(struct info *i, u64 v, size_t size)
{
	while (size--) {
		vec_push(i->p, i->n, i->cap, (u8)v);
		v >>= 8;
	}
}

static void put_str(struct info *i, const char *s)
{
	do
		put(i, (u8)*s, 1);
	while (*s++);
}

static void begin_unit(struct info *i)
{
	*i = (struct info){ 0 };
	put(i, 0, 4); /* length, filled in */
	put(i, 4, 2);
	put(i, 0, 4);
	put(i, 8, 1);
	put(i, UNIT, 1);
	put(i, TEXT, 8);
	put(i, TEXT_SIZE, 4);
}

static void begin_function(struct info *i, const char *name, u64 start, u32 size)
{
	put(i, FUNCTION, 1);
	put_str(i, name);
	put(i, start, 8);
	put(i, size, 4);
}

static void begin_inlined(struct info *i, u32 origin, u64 start, u32 size, u8 line)
{
	put(i, INLINED, 1);
	put(i, origin, 4);
	put(i, start, 8);
	put(i, size, 4);
	put(i, line, 1);
}

static u32 put_abstract(struct info *i, const char *name)
{
	u32 at = (u32)i->n;

	put(i, ABSTRACT, 1);
	put_str(i, name);
	return at;
}

/* The file, with a list of ranges that all RANGED DIEs may point into. Frees the info. */
static u8 *end_unit(struct info *i, const struct info *ranges, size_t *ret_n)
{
	struct mkelf *b = mkelf_new(true, false, ET_EXEC, EM_X86_64);
	struct mkelf_part part = { .name = ".text",
				   .type = SHT_PROGBITS,
				   .flags = SHF_ALLOC | SHF_EXECINSTR,
				   .addr = TEXT,
				   .off = TEXT_OFF,
				   .size = TEXT_SIZE };
	u32 len = (u32)i->n - 4;

	memcpy(i->p, &len, 4);
	mkelf_load(b, TEXT, TEXT_OFF, TEXT_SIZE);
	mkelf_section(b, &part);
	part = (struct mkelf_part){ .name = ".debug_abbrev",
				    .type = SHT_PROGBITS,
				    .bytes = abbrevs,
				    .size = sizeof(abbrevs) };
	mkelf_section(b, &part);
	part = (struct mkelf_part){
		.name = ".debug_info", .type = SHT_PROGBITS, .bytes = i->p, .size = i->n
	};
	mkelf_section(b, &part);
	if (ranges) {
		part = (struct mkelf_part){ .name = ".debug_ranges",
					    .type = SHT_PROGBITS,
					    .bytes = ranges->p,
					    .size = ranges->n };
		mkelf_section(b, &part);
	}
	free(i->p);
	return mkelf_end(b, ret_n);
}

/* Opens a built file; bytes are freed by the object. */
static struct opened open_built(struct info *i, const struct info *ranges)
{
	struct opened f = { 0 };
	struct perr e;
	size_t n;
	u8 *bytes = end_unit(i, ranges, &n);

	CHECK_EQ(object_open_take("built", bytes, n, &f.o, &e), 0);
	CHECK(open_object(&f));
	return f;
}

TEST(nested_and_overlapping)
{
	struct opened f;
	struct info i;
	u32 a, b;

	begin_unit(&i);
	a = put_abstract(&i, "a");
	b = put_abstract(&i, "b");
	begin_function(&i, "f", TEXT, 0x80);
	begin_inlined(&i, a, TEXT + 0x10, 0x20, 11);
	begin_inlined(&i, b, TEXT + 0x18, 8, 22);
	put(&i, 0, 1);
	/* code that a compiler put outside of its caller's */
	begin_inlined(&i, b, TEXT + 0x40, 8, 33);
	put(&i, 0, 2);
	/* overlaps with the first, which is before it in the file */
	begin_inlined(&i, b, TEXT + 0x28, 0x10, 44);
	put(&i, 0, 1);
	/* a function inside: its own, not of f */
	begin_function(&i, "g", TEXT + 0x80, 0x20);
	begin_inlined(&i, a, TEXT + 0x88, 8, 55);
	put(&i, 0, 2);
	/* one of the symbol's name, as recursion inlined into itself */
	begin_inlined(&i, a, TEXT + 0x60, 8, 66);
	put(&i, 0, 2);
	begin_function(&i, "h", TEXT, 0x100);
	put(&i, 0, 2);
	f = open_built(&i, NULL);
	CHECK_STR(frames_text(&f, TEXT, NULL), "f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x10, NULL), "a ??:0*, f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x1f, NULL), "b ??:0*, a ??:0*, f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x20, NULL), "a ??:0*, f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x28, NULL), "a ??:0*, f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x30, NULL), "b ??:0*, f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x38, NULL), "f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x40, NULL), "b ??:0*, f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x60, "a"), "a ??:0, f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x80, NULL), "g ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x88, NULL), "a ??:0*, g ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0xf0, NULL), "h ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x100, NULL), "");
	CHECK_STR(frames_text(&f, UINT64_MAX, NULL), "");
	opened_close(&f);
}

TEST(origins_in_circles)
{
	struct opened f;
	struct info i;
	u32 x;

	begin_unit(&i);
	x = (u32)i.n;
	put(&i, REFERRING, 1);
	put(&i, x + 5, 4);
	put(&i, REFERRING, 1);
	put(&i, x, 4);
	begin_function(&i, "f", TEXT, 0x80);
	begin_inlined(&i, x, TEXT, 8, 1);
	put(&i, 0, 1);
	begin_inlined(&i, 0xfffffff0, TEXT + 8, 8, 1);
	put(&i, 0, 3);
	f = open_built(&i, NULL);
	CHECK_STR(frames_text(&f, TEXT, NULL), "?? ??:0*, f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 8, NULL), "?? ??:0*, f ??:0");
	opened_close(&f);
}

/* A sibling that points back, or into its own children: the bytes are read on. */
TEST(siblings_astray)
{
	static const int offsets[] = { -6, 0, 5, 7 };
	struct opened f;
	struct info i;
	size_t k;

	for (k = 0; k < ARRAY_SIZE(offsets); k++) {
		begin_unit(&i);
		put(&i, SIBLING, 1);
		put(&i, (u64)((s64)i.n - 1 + offsets[k]), 4);
		put(&i, 0, 1);
		begin_function(&i, "f", TEXT, 0x80);
		put(&i, 0, 2);
		f = open_built(&i, NULL);
		(void)frames_text(&f, TEXT, NULL);
		if (offsets[k] <= 0)
			CHECK_STR(frames_text(&f, TEXT, NULL), "f ??:0");
		opened_close(&f);
	}
}

/* Deeper than anything honest: cut, and in no time. */
TEST(deep)
{
	const struct inline_frame *frames;
	struct opened f;
	struct info i;
	u32 a, k;

	begin_unit(&i);
	a = put_abstract(&i, "a");
	begin_function(&i, "f", TEXT, 0x80);
	for (k = 0; k < 100000; k++)
		begin_inlined(&i, a, TEXT, 0x80, 1);
	put(&i, 0, 1);
	f = open_built(&i, NULL);
	CHECK_EQ(inlines_find(f.in, TEXT + 1, NULL, 0, &frames), 257);
	opened_close(&f);

	begin_unit(&i);
	for (k = 0; k < 100000; k++)
		begin_function(&i, "f", TEXT + k % TEXT_SIZE, 1);
	f = open_built(&i, NULL);
	for (k = 0; k < TEXT_SIZE; k++)
		CHECK_EQ(inlines_find(f.in, TEXT + k, NULL, 0, &frames), k < 16);
	opened_close(&f);
}

/* Both relative to the unit's first address. */
TEST(two_ranges)
{
	struct info i, ranges = { 0 };
	struct opened f;
	u32 a;

	put(&ranges, 0x10, 8);
	put(&ranges, 0x18, 8);
	put(&ranges, 0x20, 8);
	put(&ranges, 0x28, 8);
	put(&ranges, 0, 16);
	begin_unit(&i);
	a = put_abstract(&i, "a");
	begin_function(&i, "f", TEXT, 0x80);
	put(&i, RANGED, 1);
	put(&i, a, 4);
	put(&i, 0, 4);
	put(&i, 0, 3);
	f = open_built(&i, &ranges);
	CHECK_STR(frames_text(&f, TEXT + 0xf, NULL), "f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x10, NULL), "a ??:0*, f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x18, NULL), "f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x27, NULL), "a ??:0*, f ??:0");
	CHECK_STR(frames_text(&f, TEXT + 0x28, NULL), "f ??:0");
	opened_close(&f);
	free(ranges.p);
}

/* Many DIEs that share one long list. */
TEST(ranges_without_end)
{
	const struct inline_frame *frames;
	struct info i, ranges = { 0 };
	struct opened f;
	u32 a, k;

	for (k = 0; k < 5000; k++) {
		put(&ranges, 0x10, 8);
		put(&ranges, 0x11 + k % 8, 8);
	}
	put(&ranges, 0, 16);
	begin_unit(&i);
	a = put_abstract(&i, "a");
	begin_function(&i, "f", TEXT, 0x80);
	for (k = 0; k < 20000; k++) {
		put(&i, RANGED, 1);
		put(&i, a, 4);
		put(&i, k % 5000 * 16, 4);
		put(&i, 0, 1);
	}
	put(&i, 0, 2);
	f = open_built(&i, &ranges);
	CHECK(inlines_find(f.in, TEXT + 0x10, NULL, 0, &frames) >= 1);
	CHECK_STR(frames[0].name, "a");
	opened_close(&f);
	free(ranges.p);
}

/* --- ranges ----------------------------------------------------------------------------------- */

static u32 sum(void *ctx, const u32 *ids, size_t nr)
{
	u32 value = 0;
	size_t i;

	(void)ctx;
	for (i = 0; i < nr; i++)
		value = value * 10 + ids[i];
	return value;
}

TEST(sweep)
{
	struct sweep_range ranges[] = {
		{ 10, 20, 2 }, { 5, 30, 1 },  { 12, 15, 3 },         { 15, 18, 3 },
		{ 30, 30, 7 }, { 40, 35, 8 }, { 50, UINT64_MAX, 4 }, { 14, 16, 3 },
	};
	struct stretch *s;
	size_t nr = sweep_ranges(ranges, ARRAY_SIZE(ranges), sum, NULL, &s);

	CHECK_EQ(stretch_at(s, nr, 4, 99), 99);
	CHECK_EQ(stretch_at(s, nr, 5, 99), 1);
	CHECK_EQ(stretch_at(s, nr, 10, 99), 12);
	CHECK_EQ(stretch_at(s, nr, 12, 99), 123);
	CHECK_EQ(stretch_at(s, nr, 17, 99), 123);
	CHECK_EQ(stretch_at(s, nr, 18, 99), 12);
	CHECK_EQ(stretch_at(s, nr, 29, 99), 1);
	CHECK_EQ(stretch_at(s, nr, 30, 99), 0);
	CHECK_EQ(stretch_at(s, nr, 36, 99), 0);
	CHECK_EQ(stretch_at(s, nr, 50, 99), 4);
	CHECK_EQ(stretch_at(s, nr, UINT64_MAX - 1, 99), 4);
	free(s);
	CHECK_EQ(sweep_ranges(NULL, 0, sum, NULL, &s), 0);
	CHECK_EQ(stretch_at(s, 0, 1, 99), 99);
}

/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/aranges.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

/* A set of version 2; returns where its length stands. */
static size_t begin_set(struct bytes *b, bool is_64, u64 unit, u8 word, u8 segment)
{
	size_t start = b->n, at;

	if (is_64) {
		put_u32(b, UINT32_MAX);
		at = b->n;
		put_u64(b, 0);
	} else {
		at = b->n;
		put_u32(b, 0);
	}
	put_u16(b, 2);
	if (is_64)
		put_u64(b, unit);
	else
		put_u32(b, (u32)unit);
	put_u8(b, word);
	put_u8(b, segment);
	while ((b->n - start) % (2 * word))
		put_u8(b, 0xee);
	return at;
}

static void put_range(struct bytes *b, u8 word, u64 start, u64 size)
{
	if (word == 8) {
		put_u64(b, start);
		put_u64(b, size);
	} else {
		put_u32(b, (u32)start);
		put_u32(b, (u32)size);
	}
}

static void end_set(struct bytes *b, size_t at, bool is_64)
{
	if (is_64)
		set_u64(b, at, b->n - at - 8);
	else
		set_u32(b, at, (u32)(b->n - at - 4));
}

static void put_set(struct bytes *b, bool is_64, u64 unit, u8 word, u64 start)
{
	size_t at = begin_set(b, is_64, unit, word, 0);

	put_range(b, word, start, 0x10);
	put_range(b, word, start + 0x100, 0x20);
	put_range(b, word, 0, 0);
	end_set(b, at, is_64);
}

static void check_set(struct cursor *c, u64 unit, u64 start)
{
	struct aranges_set s;
	u64 from, size;

	CHECK(aranges_next_set(c, &s));
	CHECK_EQ(s.unit, unit);
	CHECK(aranges_next(&s, &from, &size));
	CHECK_EQ(from, start);
	CHECK_EQ(size, 0x10);
	CHECK(aranges_next(&s, &from, &size));
	CHECK_EQ(from, start + 0x100);
	CHECK_EQ(size, 0x20);
	CHECK(!aranges_next(&s, &from, &size));
}

static void check_forms(bool big)
{
	struct bytes b = bytes_new(big);
	struct aranges_set s;
	struct cursor c;

	put_set(&b, false, 0x40, 8, 0x1000);
	put_set(&b, true, 0x123456789a, 8, 0x2000);
	put_set(&b, false, 0x80, 4, 0x3000);
	c = cursor_of(bytes_span(&b), bytes_swapped(&b));
	check_set(&c, 0x40, 0x1000);
	check_set(&c, 0x123456789a, 0x2000);
	check_set(&c, 0x80, 0x3000);
	CHECK(!aranges_next_set(&c, &s));
	bytes_free(&b);
}

TEST(sets_of_both_formats_and_address_sizes)
{
	check_forms(false);
	check_forms(true);
}

TEST(what_cannot_be_read_hides_no_set_behind_it)
{
	struct bytes b = bytes_new(false);
	struct aranges_set s;
	struct cursor c;
	u64 from, size;
	size_t at;

	at = begin_set(&b, false, 1, 8, 0);
	put_range(&b, 8, 0x10, 0x10);
	end_set(&b, at, false);
	set_u16(&b, at + 4, 3); /* a version that there is not */
	at = begin_set(&b, false, 2, 8, 4);
	put_range(&b, 8, 0x10, 0x10);
	end_set(&b, at, false);
	at = begin_set(&b, false, 3, 2, 0);
	put_range(&b, 8, 0x10, 0x10);
	end_set(&b, at, false);
	put_u32(&b, 3); /* too short for a head */
	put_fill(&b, 2, 3);
	put_set(&b, false, 0x40, 8, 0x1000);
	c = cursor_of(bytes_span(&b), false);
	for (int i = 0; i < 4; i++) {
		CHECK(aranges_next_set(&c, &s));
		CHECK(!aranges_next(&s, &from, &size));
	}
	check_set(&c, 0x40, 0x1000);
	CHECK(!aranges_next_set(&c, &s));
	bytes_free(&b);
}

TEST(a_set_that_is_cut_off_is_none)
{
	struct bytes b = bytes_new(false);
	struct aranges_set s;
	struct cursor c;

	put_set(&b, false, 0x40, 8, 0x1000);
	for (size_t n = 0; n < b.n; n++) {
		c = cursor_of(span_of(b.p, n), false);
		CHECK(!aranges_next_set(&c, &s));
	}
	bytes_free(&b);
}

TEST(a_set_without_its_end_ends_with_its_bytes)
{
	struct bytes b = bytes_new(false);
	struct aranges_set s;
	struct cursor c;
	u64 from, size;
	size_t at = begin_set(&b, false, 0x40, 8, 0);

	put_range(&b, 8, 0x1000, 0x10);
	put_u64(&b, 0x2000); /* half a range */
	end_set(&b, at, false);
	c = cursor_of(bytes_span(&b), false);
	CHECK(aranges_next_set(&c, &s));
	CHECK(aranges_next(&s, &from, &size));
	CHECK_EQ(from, 0x1000);
	CHECK(!aranges_next(&s, &from, &size));
	bytes_free(&b);
}

/* SPDX-License-Identifier: MIT */
#include "symbols/elf/section_expand.h"

#include <elf.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"
#include "symbols/dwarf/dwarf_image.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"

#define TEXT "debug information, debug information, debug information, debug information"
#define TEXT_SIZE sizeof(TEXT)

enum form { ZLIB, ZSTD, ZDEBUG, FORMS };

static void put32(u8 *p, u32 v, bool big)
{
	for (int i = 0; i < 4; i++)
		p[i] = (u8)(v >> 8 * (big ? 3 - i : i));
}

static void put64(u8 *p, u64 v, bool big)
{
	put32(p + (big ? 0 : 4), (u32)(v >> 32), big);
	put32(p + (big ? 4 : 0), (u32)v, big);
}

/* The section's bytes, with a claim of their size expanded. */
static size_t pack(u8 *p, size_t room, enum form form, bool is_64, bool big, u64 claim)
{
	size_t head = form == ZDEBUG ? 12 : is_64 ? 24 : 12, n = room - head;

	memset(p, 0, head);
	if (form == ZDEBUG) {
		memcpy(p, "ZLIB", 4);
		put64(p + 4, claim, true);
	} else {
		put32(p, form == ZSTD ? 2 : 1, big);
		if (is_64)
			put64(p + 8, claim, big);
		else
			put32(p + 4, (u32)claim, big);
	}
	if (form == ZSTD)
		n = ZSTD_compress(p + head, n, TEXT, TEXT_SIZE, 3);
	else
		CHECK_EQ(compress(p + head, &n, (const u8 *)TEXT, TEXT_SIZE), Z_OK);
	return head + n;
}

/* With one section, .debug_NAME. */
static struct object *object_of_section(const char *name, enum form form, bool is_64, bool big,
					const u8 *bytes, size_t n)
{
	char *full = xasprintf(form == ZDEBUG ? ".zdebug_%s" : ".debug_%s", name);
	struct mkelf *b = mkelf_new(is_64, big, ET_DYN, EM_X86_64);
	struct object *o;
	size_t size;
	u8 *p;

	mkelf_section(b, &(struct mkelf_part){ .name = full,
					       .type = SHT_PROGBITS,
					       .flags = form == ZDEBUG ? 0 : SHF_COMPRESSED,
					       .bytes = bytes,
					       .size = n });
	p = mkelf_end(b, &size);
	free(full);
	CHECK_EQ(object_open_take("test", p, size, &o, NULL), 0);
	return o;
}

static struct object *object_of(enum form form, bool is_64, bool big, const u8 *bytes, size_t n)
{
	return object_of_section("info", form, is_64, big, bytes, n);
}

static int expand(const struct object *o, u8 out[TEXT_SIZE], size_t *ret_n)
{
	int err = section_expanded_size(o, &o->sections[1], ret_n, NULL);

	if (err)
		return err;
	return *ret_n > TEXT_SIZE ? PERR_LIMIT
				  : section_expand(o, &o->sections[1], out, *ret_n, NULL);
}

TEST(each_kind)
{
	u8 bytes[256], out[TEXT_SIZE];
	size_t n, size;

	for (int i = 0; i < FORMS * 4; i++) {
		enum form form = i / 4;
		bool is_64 = i & 1, big = i & 2;
		struct dwarf_image img;
		struct object *o, *expanded;

		n = pack(bytes, sizeof(bytes), form, is_64, big, TEXT_SIZE);
		o = object_of(form, is_64, big, bytes, n);
		CHECK(section_is_compressed(o, &o->sections[1]));
		CHECK_EQ(expand(o, out, &size), 0);
		CHECK_MEM(out, TEXT, TEXT_SIZE);
		/* as libdw is to see it */
		CHECK(dwarf_image_is_needed(o));
		CHECK_EQ(dwarf_image_make(o, false, &img, NULL), 0);
		CHECK_EQ(object_open_mem("image", img.p, img.n, &expanded, NULL), 0);
		CHECK(!dwarf_image_is_needed(expanded));
		CHECK_STR(expanded->sections[1].name, ".debug_info");
		CHECK_EQ(expanded->sections[1].flags, 0);
		CHECK_EQ(object_bytes(expanded, &expanded->sections[1]).n, TEXT_SIZE);
		CHECK_MEM(object_bytes(expanded, &expanded->sections[1]).p, TEXT, TEXT_SIZE);
		object_close(expanded);
		dwarf_image_fini(&img);
		object_close(o);
	}
}

/* Line programs have their place, and are there when they are asked for. */
TEST(late_lines)
{
	u8 bytes[256];
	size_t n;

	for (int form = 0; form < FORMS; form++) {
		struct dwarf_image img;
		struct object *o, *image;

		n = pack(bytes, sizeof(bytes), form, true, false, TEXT_SIZE);
		o = object_of_section("line", form, true, false, bytes, n);
		CHECK_EQ(dwarf_image_make(o, false, &img, NULL), 0);
		object_close(o);
		CHECK_EQ(object_open_mem("image", img.p, img.n, &image, NULL), 0);
		CHECK_STR(image->sections[1].name, ".debug_line");
		CHECK_EQ(object_bytes(image, &image->sections[1]).n, TEXT_SIZE);
		CHECK_EQ(object_bytes(image, &image->sections[1]).p[0], 0);
		dwarf_image_expand_lines(&img);
		CHECK_MEM(object_bytes(image, &image->sections[1]).p, TEXT, TEXT_SIZE);
		object_close(image);
		dwarf_image_fini(&img);
	}
}

TEST(wrong_claims)
{
	u8 bytes[256], out[TEXT_SIZE];
	size_t n, size;

	for (int form = 0; form < FORMS; form++) {
		static const u64 claims[] = { 0, 1, TEXT_SIZE - 1 };
		struct object *o;

		for (size_t i = 0; i < ARRAY_SIZE(claims); i++) {
			n = pack(bytes, sizeof(bytes), form, true, false, claims[i]);
			o = object_of(form, true, false, bytes, n);
			CHECK_EQ(expand(o, out, &size), PERR_FORMAT);
			object_close(o);
		}
		/* more than there is, though not by much: found out when the bytes end */
		n = pack(bytes, sizeof(bytes), form, true, false, TEXT_SIZE + 1);
		o = object_of(form, true, false, bytes, n);
		CHECK_EQ(section_expanded_size(o, &o->sections[1], &size, NULL), 0);
		u8 *more = xmalloc(size);
		CHECK_EQ(section_expand(o, &o->sections[1], more, size, NULL), PERR_FORMAT);
		free(more);
		object_close(o);
		/* a bomb */
		n = pack(bytes, sizeof(bytes), form, true, false, (u64)1 << 40);
		o = object_of(form, true, false, bytes, n);
		CHECK_EQ(section_expanded_size(o, &o->sections[1], &size, NULL), PERR_LIMIT);
		object_close(o);
	}
}

TEST(cut_short)
{
	u8 bytes[256], out[TEXT_SIZE];
	size_t n, size;

	for (int form = 0; form < FORMS; form++) {
		n = pack(bytes, sizeof(bytes), form, true, false, TEXT_SIZE);
		while (n-- > 1) {
			struct object *o = object_of(form, true, false, bytes, n);
			struct dwarf_image img;

			CHECK(expand(o, out, &size) < 0);
			/* the section is as if it were not there */
			CHECK_EQ(dwarf_image_make(o, true, &img, NULL), 0);
			dwarf_image_fini(&img);
			object_close(o);
		}
	}
}

TEST(room_behind_strings)
{
	struct mkelf *b = mkelf_new(true, false, ET_DYN, EM_X86_64);
	struct object *o, *image;
	struct dwarf_image img;
	struct span s;
	size_t size;
	u8 *p;

	mkelf_section(b, &(struct mkelf_part){ .name = ".debug_str",
					       .type = SHT_PROGBITS,
					       .bytes = "one\0two",
					       .size = 8 });
	p = mkelf_end(b, &size);
	CHECK_EQ(object_open_take("test", p, size, &o, NULL), 0);
	CHECK(!dwarf_image_is_needed(o));
	CHECK_EQ(dwarf_image_make(o, true, &img, NULL), 0);
	CHECK(img.str.p && !img.line_str.p);
	CHECK_EQ(img.str.off, 8);
	memcpy(img.str.p, "three", 6);
	CHECK_EQ(object_open_mem("image", img.p, img.n, &image, NULL), 0);
	s = object_bytes(image, &image->sections[1]);
	CHECK_EQ(s.n, 8 + STRING_SLOT_SIZE);
	CHECK_STR((const char *)s.p + 4, "two");
	CHECK_STR((const char *)s.p + img.str.off, "three");
	object_close(image);
	dwarf_image_fini(&img);
	object_close(o);
}

/* SPDX-License-Identifier: MIT */
#include "symbols/find/debuglink.h"

#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/dwarf/altlink.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"

/* An ELF file with one section of these bytes. */
static struct object *object_with(const char *name, const void *bytes, size_t n, bool big)
{
	struct mkelf *b = mkelf_new(true, big, ET_DYN, EM_X86_64);
	struct object *o;
	size_t size;
	u8 *p;

	mkelf_section(b, &(struct mkelf_part){
				 .name = name, .type = SHT_PROGBITS, .bytes = bytes, .size = n });
	p = mkelf_end(b, &size);
	CHECK_EQ(object_open_take("test", p, size, &o, NULL), 0);
	return o;
}

TEST(debuglink)
{
	static const struct {
		const char *bytes;
		size_t n;
		bool good, has_crc;
		const char *name;
	} cases[] = {
		{ "lib.debug\0\0\0\x11\x22\x33\x44", 16, true, true, "lib.debug" },
		{ "abc\0\x11\x22\x33\x44", 8, true, true, "abc" },
		{ "lib.debug\0\0\0\x11\x22\x33", 15, true, false, "lib.debug" },
		{ "lib.debug\0", 10, true, false, "lib.debug" },
		{ "lib.debug", 9, false, false, NULL },
		{ "\0\0\0\0\x11\x22\x33\x44", 8, false, false, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		for (int big = 0; big < 2; big++) {
			struct object *o =
				object_with(".gnu_debuglink", cases[i].bytes, cases[i].n, big);
			struct debuglink link;

			CHECK_EQ(debuglink_read(o, &link), cases[i].good);
			if (cases[i].good) {
				CHECK_STR(link.name, cases[i].name);
				CHECK_EQ(link.has_crc, cases[i].has_crc);
			}
			if (cases[i].has_crc)
				CHECK_EQ(link.crc, big ? 0x11223344 : 0x44332211);
			object_close(o);
		}
	}
}

TEST(no_links)
{
	struct object *o = object_with(".comment", "x", 1, false);
	struct debuglink link;
	struct altlink alt;

	CHECK(!debuglink_read(o, &link));
	CHECK(!altlink_read(o, &alt));
	CHECK(!object_has_dwarf(o));
	object_close(o);
}

TEST(crc_of_a_file)
{
	/* the check value that the literature gives for this CRC */
	struct object o = { .file = span_of("123456789", 9) };

	CHECK(debuglink_crc_matches(&o, 0xcbf43926));
	CHECK(!debuglink_crc_matches(&o, 0xcbf43927));
}

TEST(altlink)
{
	static const char id[] = "/dwz/common\0ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct altlink link;
	struct object *o;

	for (size_t n = 0; n < sizeof(id); n++) {
		o = object_with(".gnu_debugaltlink", id, n, false);
		/* "/dwz/common" and its NUL are 12 bytes */
		CHECK_EQ(altlink_read(o, &link), n > 12);
		if (n > 12) {
			size_t size = n - 12 < BUILD_ID_MAX ? n - 12 : BUILD_ID_MAX;

			CHECK_STR(link.path, "/dwz/common");
			CHECK_EQ(link.build_id_size, size);
			CHECK_MEM(link.build_id, "ABCDEFGHIJKLMNOPQRST", size);
		}
		object_close(o);
	}
}

TEST(altlink_places)
{
	static const char link[] = "../x/common\0ABCDEFGHIJKLMNOPQRST";
	struct symbols_config cfg = { .symfs = "/nonexistent", .hermetic = true };
	struct object *o = object_with(".gnu_debugaltlink", link, sizeof(link) - 1, false);
	struct debugfile_try *tries = NULL;
	size_t nr = 0, cap = 0;
	bool root = false;

	free(o->path);
	o->path = xstrdup("/nonexistent/usr/bin/prog");
	CHECK(!altlink_find(&cfg, o, &tries, &nr, &cap));
	CHECK(nr >= 4);
	CHECK_STR(tries[0].path, "/nonexistent/usr/bin/../x/common");
	for (size_t i = 0; i < nr; i++) {
		CHECK_STR(tries[i].why, "no such file");
		CHECK_EQ(tries[i].roles, 0);
		root |= !strcmp(tries[i].path, "/nonexistent/usr/lib/debug/.dwz/common");
	}
	CHECK(root);
	debugfile_tries_free(tries, nr);
	object_close(o);
}

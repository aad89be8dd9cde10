/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/dwp.h"

#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"

/* A package of two units in either version of the index and either byte order. */
struct package {
	bool big;
	int version;
	u8 index[256];
	size_t n;
};

static void put16(struct package *p, u16 v)
{
	p->index[p->n++] = (u8)(p->big ? v >> 8 : v);
	p->index[p->n++] = (u8)(p->big ? v : v >> 8);
}

static void put32(struct package *p, u32 v)
{
	put16(p, (u16)(p->big ? v >> 16 : v));
	put16(p, (u16)(p->big ? v : v >> 16));
}

static void put64(struct package *p, u64 v)
{
	put32(p, (u32)(p->big ? v >> 32 : v));
	put32(p, (u32)(p->big ? v : v >> 32));
}

#define ID_A 0x1111111122222221ull /* slot 1 of 4 */
#define ID_B 0x3333333344444445ull /* slot 1, too: goes on by (0x33333333 & 3) | 1 to slot 0 */

static void make_index(struct package *p)
{
	static const u32 columns[] = { 1, 3, 6 }; /* INFO, ABBREV, STR_OFFSETS */
	static const u32 offsets[2][3] = { { 0, 0, 0 }, { 4, 3, 16 } };
	static const u32 sizes[2][3] = { { 4, 3, 16 }, { 5, 2, 12 } };

	p->n = 0;
	if (p->version == 5) {
		put16(p, 5);
		put16(p, 0);
	} else {
		put32(p, 2);
	}
	put32(p, 3);
	put32(p, 2);
	put32(p, 4);
	put64(p, ID_B);
	put64(p, ID_A);
	put64(p, 0);
	put64(p, 0);
	put32(p, 2);
	put32(p, 1);
	put32(p, 0);
	put32(p, 0);
	for (int i = 0; i < 3; i++)
		put32(p, columns[i]);
	for (int i = 0; i < 6; i++)
		put32(p, offsets[i / 3][i % 3]);
	for (int i = 0; i < 6; i++)
		put32(p, sizes[i / 3][i % 3]);
}

static void add(struct mkelf *b, const char *name, const void *bytes, size_t n)
{
	mkelf_section(b, &(struct mkelf_part){
				 .name = name, .type = SHT_PROGBITS, .bytes = bytes, .size = n });
}

/* Offsets of strings: with a header of 8 bytes in version 5. */
static size_t make_offsets(struct package *p, u8 out[28])
{
	struct package t = { .big = p->big };

	for (u32 unit = 0; unit < 2; unit++) {
		if (p->version == 5) {
			put32(&t, unit ? 8 : 12);
			put16(&t, 5);
			put16(&t, 0);
		} else {
			put32(&t, 4);
			put32(&t, 4);
		}
		put32(&t, unit ? 8 : 4);
		if (!unit)
			put32(&t, 0);
	}
	memcpy(out, t.index, t.n);
	return t.n;
}

static struct object *make_package(struct package *p)
{
	static const char strings[64] = "one\0two\0six";
	struct mkelf *b = mkelf_new(true, p->big, ET_REL, EM_X86_64);
	struct object *o;
	u8 offsets[28];
	size_t size = make_offsets(p, offsets);
	u8 *bytes;

	CHECK_EQ(size, 28);
	add(b, ".debug_info.dwo", "aaaabbbbb", 9);
	add(b, ".debug_abbrev.dwo", "AAABB", 5);
	add(b, ".debug_str_offsets.dwo", offsets, size);
	/* more than a unit uses */
	add(b, ".debug_str.dwo", strings, sizeof(strings));
	add(b, ".debug_cu_index", p->index, p->n);
	bytes = mkelf_end(b, &size);
	CHECK_EQ(object_open_take("test.dwp", bytes, size, &o, NULL), 0);
	return o;
}

static struct span section(const struct object *o, const char *name)
{
	return object_bytes(o, object_section(o, name));
}

static struct object *unit_of(const struct dwp *d, u64 id)
{
	struct object *o;
	size_t n;
	u8 *p;

	CHECK_EQ(dwp_unit(d, id, &p, &n, NULL), 0);
	CHECK_EQ(object_open_take("unit.dwo", p, n, &o, NULL), 0);
	return o;
}

static const char *string_of(const struct object *o, size_t at)
{
	u32 off = get_u32(section(o, ".debug_str_offsets.dwo").p + at, o->swap);

	return object_string(section(o, ".debug_str.dwo"), off);
}

TEST(units_of_a_package)
{
	for (int i = 0; i < 4; i++) {
		struct package p = { .big = i & 1, .version = i & 2 ? 5 : 2 };
		struct object *o, *unit;
		struct dwp *d;
		u8 *none;
		size_t n;

		make_index(&p);
		o = make_package(&p);
		CHECK_EQ(dwp_open(o, &d, NULL), 0);
		unit = unit_of(d, ID_A);
		CHECK_MEM(section(unit, ".debug_info.dwo").p, "aaaa", 4);
		CHECK_EQ(section(unit, ".debug_info.dwo").n, 4);
		CHECK_EQ(section(unit, ".debug_abbrev.dwo").n, 3);
		CHECK_STR(string_of(unit, 8), "two");
		CHECK_STR(string_of(unit, 12), "one");
		object_close(unit);
		unit = unit_of(d, ID_B);
		CHECK_MEM(section(unit, ".debug_info.dwo").p, "bbbbb", 5);
		CHECK_MEM(section(unit, ".debug_abbrev.dwo").p, "BB", 2);
		CHECK_STR(string_of(unit, 8), "six");
		object_close(unit);
		CHECK_EQ(dwp_unit(d, ID_A + 4, &none, &n, NULL), PERR_NOTFOUND);
		dwp_close(d);
		object_close(o);
	}
}

/* Whatever an index holds, reading it ends well and stays within the package. */
TEST(damaged_index)
{
	struct package p = { .version = 2 };
	struct dwp *d;
	u64 seed = 12345;

	make_index(&p);
	for (int round = 0; round < 20000; round++) {
		struct package q = p;
		struct object *o;
		int changes = 1 + round % 3;
		size_t n;
		u8 *bytes;

		while (changes--) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			q.index[(seed >> 33) % q.n] = (u8)(seed >> 20);
		}
		if (round % 5 == 0)
			q.n = (seed >> 40) % q.n;
		o = make_package(&q);
		if (!dwp_open(o, &d, NULL)) {
			if (!dwp_unit(d, ID_A, &bytes, &n, NULL)) {
				CHECK(n < 4096);
				free(bytes);
			}
			if (!dwp_unit(d, ID_B, &bytes, &n, NULL))
				free(bytes);
			dwp_close(d);
		}
		object_close(o);
	}
}

/* SPDX-License-Identifier: MIT */
/* Costs by instruction, and what stands between instructions. */
#include "report/annotate/annotate_view.h"

#include <unistd.h>

#include "symbols/kernel/kernel_code.h"
#include "symbols/elf/near_symbol.h"
#include "symbols/elf/object.h"
#include "tests/frame/unit.h"

static const struct annot_hit hits[] = {
	{ 0x100, 0, 2, 200 }, { 0x104, 0, 1, 100 }, { 0x105, 0, 3, 300 },
	{ 0x10f, 0, 4, 400 }, { 0x100, 2, 5, 50 },
};

static struct annot_sum sums[] = { { 10, 1000 }, { 0, 0 }, { 5, 50 } };
static struct annot_sum totals[] = { { 20, 4000 }, { 0, 0 }, { 5, 50 } };

static const struct annot_func func = { .name = "f",
					.start = 0x100,
					.end = 0x110,
					.hits = hits,
					.nr_hits = ARRAY_SIZE(hits),
					.sums = sums };

TEST(sums_of_ranges)
{
	struct annot_sum s = annot_func_sum(&func, 0, 0x104, 0x108);

	CHECK_EQ(s.samples, 4);
	CHECK_EQ(s.period, 400);
	CHECK_EQ(annot_func_sum(&func, 0, 0x101, 0x104).samples, 0);
	CHECK_EQ(annot_func_sum(&func, 0, 0x100, 0x110).samples, 10);
	CHECK_EQ(annot_func_sum(&func, 1, 0x100, 0x110).samples, 0);
	CHECK_EQ(annot_func_sum(&func, 2, 0x100, 0x101).period, 50);
	CHECK_EQ(annot_func_sum(&func, 3, 0, UINT64_MAX).samples, 0);
}

/* However a function is cut into instructions, nothing is counted twice or lost. */
TEST(sums_are_exact)
{
	for (u64 step = 1; step < 20; step++) {
		u64 samples = 0, period = 0;

		for (u64 a = 0x100; a < 0x110; a += step) {
			struct annot_sum s = annot_func_sum(&func, 0, a, a + step);

			samples += s.samples;
			period += s.period;
		}
		CHECK_EQ(samples, 10);
		CHECK_EQ(period, 1000);
	}
}

TEST(shares)
{
	struct annot_style style = { .percent = ANNOT_LOCAL_PERIOD };
	const struct annot_samples samples = { .totals = totals };
	const struct annot_view v = { .style = &style, .func = &func, .samples = &samples };
	const struct annot_sum s = { 3, 300 };

	CHECK(annot_share(&v, 0, &s) == 30);
	style.percent = ANNOT_LOCAL_HITS;
	CHECK(annot_share(&v, 0, &s) == 30);
	style.percent = ANNOT_GLOBAL_PERIOD;
	CHECK(annot_share(&v, 0, &s) == 7.5);
	style.percent = ANNOT_GLOBAL_HITS;
	CHECK(annot_share(&v, 0, &s) == 15);
	CHECK(annot_share(&v, 1, &s) == 0); /* of nothing */
}

TEST(percent_types)
{
	CHECK_EQ(annot_percent_parse("local-period"), ANNOT_LOCAL_PERIOD);
	CHECK_EQ(annot_percent_parse("hits-global"), ANNOT_GLOBAL_HITS);
	CHECK_EQ(annot_percent_parse("local"), -1);
	CHECK_STR(annot_percent_text(ANNOT_GLOBAL_PERIOD), "global period");
}

TEST(names)
{
	CHECK(annot_name_matches("f", "f", false));
	CHECK(!annot_name_matches("f(int)", "f", false));
	CHECK(annot_name_matches("f(int)", "f", true));
	CHECK(annot_name_matches("a::b::f(int) const", "b::f", true));
	CHECK(annot_name_matches("a::b::f(int) const", "f", true));
	CHECK(!annot_name_matches("a::bf(int)", "f", true));
	CHECK(!annot_name_matches("a::f_more(int)", "f", true));
	CHECK(!annot_name_matches("a::f", "", true));
}

/* objdump -S: five lines before the first one, then what was not shown yet, then single lines. */
TEST(source_lines)
{
	struct annot_source_file f = { 0 };
	u32 first, last;

	CHECK(annot_source_next(&f, 18, &first, &last));
	CHECK_EQ(first, 13);
	CHECK_EQ(last, 18);
	CHECK(!annot_source_next(&f, 18, &first, &last)); /* the same line goes on */
	CHECK(annot_source_next(&f, 7, &first, &last));   /* an inlined function further up */
	CHECK_EQ(first, 7);
	CHECK_EQ(last, 7);
	CHECK(annot_source_next(&f, 20, &first, &last));
	CHECK_EQ(first, 19);
	CHECK_EQ(last, 20);
	CHECK(annot_source_next(&f, 100, &first, &last));
	CHECK_EQ(first, 95);
	CHECK(!annot_source_next(&f, 0, &first, &last));
	f = (struct annot_source_file){ 0 };
	CHECK(annot_source_next(&f, 3, &first, &last));
	CHECK_EQ(first, 1);
}

TEST(colors)
{
	const struct annot_style on = { .color = true }, off = { 0 };

	CHECK_STR(annot_color(&on, 5.0), ANNOT_RED);
	CHECK_STR(annot_color(&on, 0.51), ANNOT_GREEN);
	CHECK(!annot_color(&on, 0.5));
	CHECK(!annot_color(&off, 99));
}

/* --- names of places ---------------------------------------------------------------------------
 */

TEST(nearest_symbols)
{
	struct near_symbol s[3] = { { .addr = 0 } };
	struct object *o;
	struct perr e;
	u64 value;
	u16 section;

	CHECK_EQ(object_open("testdata/symfs/tmp/w/w_simple", &o, &e), 0);
	CHECK(near_symbol_by_name(o, "main", &value, &section));
	CHECK(!near_symbol_by_name(o, "no such function", &value, &section));
	CHECK(near_symbol_by_name(o, "leaf", &value, &section));
	s[1].addr = value;
	s[2].addr = value + 1;
	near_symbols_find(o, s, ARRAY_SIZE(s));
	CHECK(!s[0].name);
	CHECK_STR(s[1].name, "leaf");
	CHECK_STR(s[2].name, "leaf");
	CHECK_EQ(s[2].value, value);
	object_close(o);
}

/* Slots of the GOT are named by what they hold, without the version of the symbol. */
TEST(slots)
{
	struct near_symbol s[512];
	const struct obj_section *got;
	struct object *o;
	struct perr e;
	size_t nr = 0, i;

	CHECK_EQ(object_open("testdata/symfs/tmp/w/w_simple", &o, &e), 0);
	got = object_section(o, ".got");
	CHECK(got && got->size / 8 < ARRAY_SIZE(s));
	for (; nr < got->size / 8; nr++)
		s[nr] = (struct near_symbol){ .addr = got->addr + nr * 8 };
	near_symbols_find(o, s, nr);
	near_symbols_find_slots(o, s, nr);
	for (i = 0; i < nr && !(s[i].is_slot && !strcmp(s[i].name, "__cxa_finalize")); i++)
		;
	CHECK(i < nr);
	CHECK_EQ(s[i].value, s[i].addr);
	object_close(o);
}

TEST(code_by_name)
{
	struct kernel_code got;
	u8 code[8];
	struct perr e;

	CHECK_EQ(kernel_code_of_file("testdata/symfs/tmp/w/w_simple", "leaf", code, sizeof(code),
				     &got, &e),
		 0);
	CHECK_EQ(got.n, sizeof(code));
	CHECK_STR(got.section, ".text");
	CHECK_EQ(kernel_code_of_file("testdata/symfs/tmp/w/w_simple", "none", code, sizeof(code),
				     &got, &e),
		 PERR_NOTFOUND);
	CHECK_EQ(kernel_code_of_file("testdata/README.md", "leaf", code, sizeof(code), &got, &e),
		 PERR_FORMAT);
}

/* --- memory of a kernel ------------------------------------------------------------------------
 */

static char *temp_file(const void *p, size_t n)
{
	char *path = xstrdup("/tmp/t_annotate.XXXXXX");
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	CHECK_EQ(write(fd, p, n), (ssize_t)n);
	close(fd);
	return path;
}

static void drop(char *path)
{
	unlink(path);
	free(path);
}

static void put(u8 *p, u64 v, size_t n)
{
	memcpy(p, &v, n);
}

/* A core with one segment of 16 bytes: 0xff..1000 in memory, 0x100 in the file. */
static void make_core(u8 core[0x110])
{
	memset(core, 0, 0x110);
	memcpy(core, "\177ELF\2\1\1", 7);
	put(core + 18, 62, 2);   /* e_machine */
	put(core + 32, 0x40, 8); /* e_phoff */
	put(core + 54, 56, 2);   /* e_phentsize */
	put(core + 56, 1, 2);    /* e_phnum */
	put(core + 0x40, 1, 4);  /* PT_LOAD */
	put(core + 0x48, 0x100, 8);
	put(core + 0x50, 0xffffffff81001000, 8);
	put(core + 0x60, 16, 8);
	for (u8 i = 0; i < 16; i++)
		core[0x100 + i] = i;
}

TEST(memory_of_a_core)
{
	struct kernel_code got;
	u8 core[0x110], code[4];
	struct perr e;
	char *path;

	make_core(core);
	path = temp_file(core, sizeof(core));
	CHECK_EQ(kernel_code_of_core(path, 0xffffffff81001004, code, 4, &got, &e), 0);
	CHECK_EQ(code[0], 4);
	CHECK_EQ(got.machine, 62);
	CHECK_EQ(kernel_code_of_core(path, 0xffffffff8100100e, code, 4, &got, &e), PERR_NOTFOUND);
	CHECK_EQ(kernel_code_of_core(path, 0x1000, code, 4, &got, &e), PERR_NOTFOUND);
	drop(path);
	path = temp_file(core, 0x104); /* cut */
	CHECK_EQ(kernel_code_of_core(path, 0xffffffff81001004, code, 4, &got, &e), PERR_IO);
	drop(path);
	put(core + 56, 0xffff, 2); /* too many segments */
	path = temp_file(core, sizeof(core));
	CHECK_EQ(kernel_code_of_core(path, 0xffffffff81001004, code, 4, &got, &e), PERR_FORMAT);
	drop(path);
	CHECK_EQ(kernel_code_of_core("/nonexistent", 0, code, 4, &got, &e), PERR_IO);
}

TEST(shift_of_the_host)
{
	static const char list[] = "ffffffff81000000 T _text\nffffffff81000100 T _stext\n",
			  hidden[] = "0000000000000000 T _text\n";
	char *path = temp_file(list, sizeof(list) - 1);
	u64 shift;

	CHECK(kernel_code_host_shift(path, "_stext", 0xffffffff80000100, &shift));
	CHECK_EQ(shift, 0x1000000);
	CHECK(!kernel_code_host_shift(path, "_sinittext", 0, &shift));
	drop(path);
	path = temp_file(hidden, sizeof(hidden) - 1);
	CHECK(!kernel_code_host_shift(path, "_text", 0xffffffff81000000, &shift));
	drop(path);
}

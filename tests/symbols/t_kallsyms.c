/* SPDX-License-Identifier: MIT */
/* symbols/kernel/kallsyms: lines, ends, aliases, modules. Expected results are perf 7.2's. */
#include "symbols/kernel/kernel_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/frame/unit.h"

struct loaded {
	struct kallsyms k;
	struct symtab tab;
};

static void load(struct loaded *l, const char *text, const char *module, u64 delta)
{
	kallsyms_init(&l->k, span_of(text, strlen(text)));
	symtab_init(&l->tab);
	kallsyms_fill(&l->k, module, delta, &l->tab);
	symtab_sort(&l->tab);
}

static void unload(struct loaded *l)
{
	symtab_fini(&l->tab);
	kallsyms_fini(&l->k);
}

static void check_name(struct loaded *l, u64 addr, const char *name)
{
	const struct sym *s = symtab_find(&l->tab, addr);

	CHECK_STR(s ? s->name : NULL, name);
}

/* Looked up where it lies, the list gives what a table of its symbols does. */
static void check_same(const char *text, u64 delta)
{
	struct loaded l;
	struct kernel_names *names;
	u64 start, end;

	load(&l, text, NULL, delta);
	names = kernel_names_new(&l.k, delta);
	CHECK_EQ(kernel_names_range(names, &start, &end), l.tab.nr > 0);
	if (l.tab.nr) {
		CHECK_EQ(start, l.tab.syms[0].start);
		CHECK_EQ(end, l.tab.syms[l.tab.nr - 1].end);
	}
	for (size_t i = 0; i < l.k.nr; i++) {
		u64 addrs[] = { l.k.syms[i].start, l.k.syms[i].start + 1, l.k.syms[i].start - 1,
				l.k.syms[i].end,   l.k.syms[i].end - 1,   l.k.syms[i].end + 5000 };

		for (size_t j = 0; j < ARRAY_SIZE(addrs); j++) {
			u64 addr = addrs[j] + delta;
			const struct sym *s = symtab_find(&l.tab, addr);
			struct sym_hit hit;

			CHECK_EQ(kernel_names_find(names, addr, &hit), s != NULL);
			if (!s)
				continue;
			CHECK_STR(hit.name, s->name);
			CHECK_EQ(hit.start, s->start);
			CHECK_EQ(hit.end, s->end);
			CHECK_EQ(hit.is_object, s->is_object);
			CHECK_EQ(hit.addr, addr);
		}
	}
	kernel_names_free(names);
	unload(&l);
}

static const char usual[] = "ffffffff81000000 T _text\n"
			    "ffffffff81000000 T _stext\n"
			    "ffffffff81000100 T kfn_a\n"
			    "ffffffff81000200 t kfn_b\n"
			    "ffffffff81000300 W kfn_weak\n"
			    "ffffffff81002000 T _etext\n"
			    "ffffffff81002100 R rodata\n"
			    "ffffffff81002200 D datasym\n"
			    "ffffffff81002300 V vsym\n"
			    "ffffffff81002400 A asym\n"
			    "ffffffff81002500 B bss\n"
			    "ffffffffa0001000 t mod_a\t[moda]\n"
			    "ffffffffa0001100 t mod_b\t[moda]\n"
			    "ffffffffa0001100 t $x\t[moda]\n"
			    "ffffffffa0001200 d mod_data\t[moda]\n"
			    "ffffffffa0010000 t modb_a\t[mod_b]\n"
			    "ffffffffa0010080 t modb_b\t[mod_b]\n";

TEST(same_without_a_table)
{
	check_same(usual, 0);
	check_same(usual, 0x1000000);
	check_same("", 0);
	check_same("0 T zero\n", 0);
	/* one of a module between two of the kernel, and near the end of all addresses */
	check_same("1000 T a\n1100 t m\t[x]\n1800 T b\n3000 t n\t[x]\n", 0);
	check_same("1000 T a\n1010 t m\t[x]\n1080 T b\n10f0 t n\t[x]\n", 0);
	check_same("1000 T a\nfffffffffffffff0 T last\n", 0);
	check_same("ffffffffffffff00 T a\nffffffffffffff10 t m\t[x]\nffffffffffffff80 T b\n", 0);
	check_same("1000 t m\t[x]\n", 0);
}

/* Addresses of 16 digits are read another way than others; a tab belongs to its own line only. */
TEST(addresses_of_all_forms)
{
	static const char text[] = "ffffffff81000000 T low_case\n"
				   "FFFFFFFF81000010 T upper_case\n"
				   "fffffffF81000020 T mixed\n"
				   "81000030 T short_one\n"
				   "0ffffffff81000030 T seventeen\n"
				   "ffffffff8100003g T no_digit\n"
				   "ffffffff8100003` T before_a\n"
				   "ffffffff8100003: T behind_9\n"
				   "ffffffff/1000030 T before_0\n"
				   "no line\tat all\n"
				   "ffffffff81000040 t a_tab_behind\n"
				   "ffffffff81000050 t of_module\t[m]\n"
				   "ffffffff81000060 t \t[nameless]\n"
				   "ffffffff81000070 t last";
	static const struct {
		u64 start;
		const char *name;
	} want[] = {
		{ 0x81000030, "short_one" },
		{ 0xffffffff81000000, "low_case" },
		{ 0xffffffff81000010, "upper_case" },
		{ 0xffffffff81000020, "mixed" },
		{ 0xffffffff81000040, "a_tab_behind" },
		{ 0xffffffff81000050, "of_module" },
		{ 0xffffffff81000070, "last" },
	};
	struct kallsyms k;

	kallsyms_init(&k, span_of(text, sizeof(text) - 1));
	CHECK_EQ(k.nr, ARRAY_SIZE(want));
	for (size_t i = 0; i < k.nr && i < ARRAY_SIZE(want); i++) {
		CHECK_EQ(k.syms[i].start, want[i].start);
		CHECK_EQ(k.syms[i].name_len, strlen(want[i].name));
		CHECK(!memcmp(text + k.syms[i].name, want[i].name, k.syms[i].name_len));
		CHECK_EQ(k.syms[i].module_len, i == 5 ? 3 : 0);
	}
	kallsyms_fini(&k);
}

/* Text of nr lines from ffffffff81000000 on: aliases, types that are left out, one gap. */
static char *long_text(size_t nr, const char *behind)
{
	size_t cap = nr * 48 + strlen(behind) + 1, n = 0;
	char *text = xmalloc(cap);
	u64 addr = 0xffffffff81000000;

	for (size_t i = 0; i < nr; i++) {
		n += (size_t)snprintf(text + n, cap - n, "%016" PRIx64 " %c s%zu\n", addr,
				      i % 97 < 60 ? "TtWR"[i % 4] : 'r', i);
		addr += i % 5 ? (i % 7) * 24 : 0;
		if (i == nr / 2)
			addr += 0x400000;
	}
	memcpy(text + n, behind, strlen(behind) + 1);
	return text;
}

/* The answers of a list that is looked up in its text, against those of one that was read. */
static void check_lookups(const char *text, bool has_sketch)
{
	struct kallsyms k, whole;
	u64 start, end, want_start, want_end;
	size_t differ = 0;

	kallsyms_init(&k, span_of(text, strlen(text)));
	kallsyms_init(&whole, span_of(text, strlen(text)));
	CHECK_EQ(k.sketch.own.n > 0, has_sketch);
	CHECK_EQ(k.is_read, !has_sketch);
	kallsyms_read(&whole);
	kallsyms_sketch_fini(&whole.sketch);
	CHECK(kallsyms_range(&k, &start, &end));
	CHECK(kallsyms_range(&whole, &want_start, &want_end));
	CHECK_EQ(start, want_start);
	CHECK_EQ(end, want_end);
	CHECK_EQ(kallsyms_is_empty(&k), kallsyms_is_empty(&whole));
	for (size_t i = 0; i < 3 * whole.nr; i++) {
		const struct kallsyms_sym *s = &whole.syms[i / 3];
		u64 addr = i % 3 == 0 ? s->start : i % 3 == 1 ? s->start - 1 : s->end - 1;
		struct kallsyms_sym a, b;
		bool is_found = kallsyms_find(&k, addr, &a);

		if (is_found != kallsyms_find(&whole, addr, &b))
			differ++;
		else if (is_found && (a.start != b.start || a.end != b.end || a.name != b.name ||
				      a.name_len != b.name_len || a.type != b.type))
			differ++;
	}
	CHECK_EQ(differ, 0);
	kallsyms_fini(&k);
	kallsyms_fini(&whole);
}

TEST(long_texts_are_looked_up_where_they_lie)
{
	static const char modules[] = "ffffffffa0001000 t b\t[m]\nffffffffa0000000 t a\t[n]\n";
	char *text = long_text(9000, "");

	check_lookups(text, true);
	free(text);
	text = long_text(9000, modules);
	check_lookups(text, true);
	free(text);
	/* too short to be worth it */
	text = long_text(1000, modules);
	check_lookups(text, false);
	free(text);
}

/* One line out of its place is noticed when the text is opened, or when its neighbours are asked.
 */
TEST(long_texts_out_of_order_are_read)
{
	size_t nr_noticed = 0;

	for (size_t at = 0; at < 100; at++) {
		char *text = long_text(9000, "ffffffffa0001000 t b\t[m]\n"), *line = text, *before;
		struct kallsyms_sym s;
		struct kallsyms k;

		for (size_t i = 0; i < 4000 + at; i++) {
			before = line;
			line = strchr(line, '\n') + 1;
		}
		memcpy(line, "fffffffff0000000 T", 18);
		kallsyms_init(&k, span_of(text, strlen(text)));
		nr_noticed += k.is_read;
		kallsyms_find(&k, strtoull(before, NULL, 16), &s);
		kallsyms_find(&k, strtoull(strchr(line, '\n') + 1, NULL, 16), &s);
		CHECK(k.is_read);
		CHECK(kallsyms_find(&k, 0xfffffffff0000000, &s));
		kallsyms_fini(&k);
		free(text);
	}
	/* one line of some 30 begins a stretch */
	CHECK(nr_noticed > 0 && nr_noticed < 20);
}

TEST(last_of_equal_addresses_is_named)
{
	struct loaded l;

	load(&l, usual, NULL, 0);
	check_name(&l, 0xffffffff81000000, "_stext");
	check_name(&l, 0xffffffff80ffffff, NULL);
	check_name(&l, 0xffffffff810000ff, "_stext");
	check_name(&l, 0xffffffff81000100, "kfn_a");
	unload(&l);
}

TEST(types_other_than_text_weak_data_and_bss_are_left_out)
{
	struct loaded l;

	load(&l, usual, NULL, 0);
	check_name(&l, 0xffffffff81000300, "kfn_weak");
	check_name(&l, 0xffffffff81002108, "_etext");
	check_name(&l, 0xffffffff81002408, "datasym");
	CHECK_EQ(symtab_find(&l.tab, 0xffffffff81000300)->binding, SYM_WEAK);
	CHECK_EQ(symtab_find(&l.tab, 0xffffffff81000200)->binding, SYM_LOCAL);
	unload(&l);
}

TEST(last_symbol_of_the_kernel_ends_at_a_page)
{
	struct loaded l;

	load(&l, usual, NULL, 0);
	check_name(&l, 0xffffffff81003fff, "bss");
	check_name(&l, 0xffffffff81004000, NULL);
	check_name(&l, 0xffffffffa0001000, NULL);
	unload(&l);
}

TEST(modules_have_tables_of_their_own)
{
	struct loaded l;

	load(&l, usual, "[moda]", 0);
	CHECK_EQ(l.tab.nr, 3);
	check_name(&l, 0xffffffffa0001100, "mod_b");
	check_name(&l, 0xffffffffa0002fff, "mod_data");
	check_name(&l, 0xffffffffa0003000, NULL);
	unload(&l);
	load(&l, usual, "[mod_b]", 0);
	check_name(&l, 0xffffffffa0011fff, "modb_b");
	check_name(&l, 0xffffffffa0012000, NULL);
	unload(&l);
	load(&l, usual, "[mod]", 0);
	CHECK_EQ(l.tab.nr, 0);
	unload(&l);
}

TEST(addresses_are_moved)
{
	struct loaded l;
	u64 addr;

	load(&l, usual, NULL, 0x1000000);
	check_name(&l, 0xffffffff82000100, "kfn_a");
	check_name(&l, 0xffffffff81000100, NULL);
	CHECK(kallsyms_address(l.k.text, "_text", &addr));
	CHECK_EQ(addr, 0xffffffff81000000);
	CHECK(!kallsyms_address(l.k.text, "_tex", &addr));
	CHECK(!kallsyms_address(l.k.text, "datasym", &addr));
	CHECK(!kallsyms_address(l.k.text, "mod_a", &addr));
	unload(&l);
}

TEST(lists_out_of_order)
{
	struct loaded l;

	load(&l,
	     "3000 t c\n1000 t a\n2000 t b\n1000 t a2\n500 t zero\n9000 t m\t[x]\n4000 t d\n"
	     "8000 t n\t[x]\n",
	     NULL, 0);
	CHECK_EQ(l.k.nr, 7);
	check_name(&l, 0x5ff, "zero");
	check_name(&l, 0x1000, "a2");
	check_name(&l, 0x2fff, "b");
	check_name(&l, 0x3000, "c");
	check_name(&l, 0x4000, "d");
	check_name(&l, 0x4fff, "d");
	check_name(&l, 0x5000, NULL);
	unload(&l);
}

TEST(hidden_addresses_are_noticed)
{
	struct loaded l;

	load(&l, "0000000000000000 T _text\n0000000000000000 t a\n0000000000000000 t m\t[x]\n",
	     NULL, 0);
	CHECK(l.k.hidden);
	unload(&l);
	load(&l, "0 d per_cpu\nffffffff81000000 T _text\n", NULL, 0);
	CHECK(!l.k.hidden);
	unload(&l);
	load(&l, "", NULL, 0);
	CHECK(!l.k.hidden);
	CHECK_EQ(l.k.nr, 0);
	unload(&l);
}

TEST(assembler_labels_are_left_out)
{
	struct loaded l;

	load(&l, "1000 t a\n1010 t $d.1\n1020 t .Lx\n1030 t L0x\n1040 t L\n1050 t .\n", NULL, 0);
	CHECK_EQ(l.k.nr, 3);
	check_name(&l, 0x103f, "a");
	check_name(&l, 0x1040, "L");
	check_name(&l, 0x1050, ".");
	unload(&l);
}

TEST(other_lines_are_passed_over)
{
	struct loaded l;

	load(&l,
	     "\n\nhello\n1000\n1000 \n1000 t\n1000 t \n1000  t x\nxyz t a\n"
	     "12345678901234567 t long\n"
	     "2000 t ok\n2000 tt two\n\t\n 3000 t lead\n4000 t \t[m]\n5000 t last",
	     NULL, 0);
	CHECK_EQ(l.k.nr, 2);
	check_name(&l, 0x2000, "ok");
	check_name(&l, 0x5000, "last");
	unload(&l);
}

TEST(the_top_of_the_address_space)
{
	struct loaded l;

	load(&l, "fffffffffffff000 t a\nffffffffffffffff t b\n", NULL, 0);
	CHECK_EQ(l.k.nr, 1);
	check_name(&l, 0xfffffffffffff800, "a");
	unload(&l);
	load(&l, "fffffffffffff000 t a\t[m]\nfffffffffffff800 t b\n", NULL, 0);
	check_name(&l, 0xfffffffffffffff0, "b");
	unload(&l);
}

/* Time out of proportion would be seen by the 60 s of a case. */
TEST(descending_list_of_many_lines)
{
	size_t nr = 300000, cap = nr * 24, n = 0;
	char *text = xmalloc(cap);
	struct loaded l;

	for (size_t i = nr; i > 0; i--)
		n += (size_t)snprintf(text + n, cap - n, "%zx t s%zu\n", i * 16, i);
	load(&l, text, NULL, 0);
	CHECK_EQ(l.k.nr, nr);
	check_name(&l, 16 * 1000 + 8, "s1000");
	unload(&l);
	free(text);
}

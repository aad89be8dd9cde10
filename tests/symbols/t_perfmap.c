/* SPDX-License-Identifier: MIT */
/* symbols/jit/perfmap and symbols/table/overlap. Expected results are perf 7.2's. */
#include "symbols/jit/perfmap.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/table/overlap.h"
#include "tests/frame/unit.h"

static void parse(struct symtab *tab, const char *text)
{
	symtab_init(tab);
	perfmap_parse(span_of(text, strlen(text)), tab);
}

/* addr is found `off` bytes into `name`; name NULL: not found. */
static void check_at(struct symtab *tab, u64 addr, const char *name, u64 off)
{
	const struct sym *s = symtab_find(tab, addr);

	CHECK_STR(s ? s->name : NULL, name);
	if (s)
		CHECK_EQ(addr - (s->start - s->cut), off);
}

TEST(names_may_hold_spaces)
{
	struct symtab t;

	parse(&t, "10000 20 first one\n10040 20  leading\n10060 20 trailing \n"
		  "0x10080 0x10 with 0x\n 10090 10 space\n100a0  10 two\n100b0\t10\ttabs\n"
		  "100c0 10 last line");
	check_at(&t, 0x10008, "first one", 8);
	check_at(&t, 0x10020, NULL, 0);
	check_at(&t, 0x10040, " leading", 0);
	check_at(&t, 0x1007f, "trailing ", 0x1f);
	check_at(&t, 0x10080, "with 0x", 0);
	check_at(&t, 0x10090, "space", 0);
	check_at(&t, 0x100a0, "two", 0);
	check_at(&t, 0x100b0, "tabs", 0);
	check_at(&t, 0x100cf, "last line", 15);
	symtab_fini(&t);
}

TEST(broken_lines)
{
	struct symtab t;

	/* Names of less than three bytes are no names; letters in a size end it. */
	parse(&t, "\n\n10000 10\n10000 10 \n10000 10 ab\n10010 zz badsize\n"
		  "10020 ffffffffffffffff wraps\n"
		  "10030 10 abc\nffffffffffffffffff 10 too large\n10040 10 ok\r\n");
	check_at(&t, 0x10000, NULL, 0);
	check_at(&t, 0x10010, "z badsize", 0);
	check_at(&t, 0x10011, NULL, 0);
	check_at(&t, 0x10020, NULL, 0);
	check_at(&t, 0x10030, "abc", 0);
	check_at(&t, 0x10040, "ok\r", 0);
	symtab_fini(&t);
	/* perf cuts the last letter off. */
	parse(&t, "10000 10 one\n10010 10 without newline");
	check_at(&t, 0x10010, "without newline", 0);
	symtab_fini(&t);
	parse(&t, "");
	CHECK_EQ(t.nr, 0);
	CHECK(t.finished);
	symtab_fini(&t);
}

TEST(empty_symbols_are_found_at_their_start)
{
	struct symtab t;

	parse(&t, "10040 0 empty\n10050 10 next\n");
	check_at(&t, 0x10040, "empty", 0);
	check_at(&t, 0x10041, NULL, 0);
	check_at(&t, 0x10050, "next", 0);
	symtab_fini(&t);
}

TEST(symbols_are_hidden_as_the_tree_has_it)
{
	struct symtab t;

	/* Two: the first is the root, the second hangs to its right. */
	parse(&t, "10000 20 first\n10010 20 second\n");
	check_at(&t, 0x1001f, "first", 0x1f);
	check_at(&t, 0x10020, "second", 0x10);
	check_at(&t, 0x1002f, "second", 0x1f);
	symtab_fini(&t);
	/* Three: the second becomes the root and is seen whole. */
	parse(&t, "10000 20 first\n10010 20 second\n10040 8 third\n");
	check_at(&t, 0x1000f, "first", 0xf);
	check_at(&t, 0x10010, "second", 0);
	check_at(&t, 0x1002f, "second", 0x1f);
	symtab_fini(&t);
	/* Memory used again: both lines have the same range. */
	parse(&t, "10060 10 old\n10060 10 new\n10080 10 more\n");
	check_at(&t, 0x10060, "new", 0);
	symtab_fini(&t);
}

static u64 state = 88172645463325252ull;

static u64 next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Pieces are in order, disjoint, and each lies in the range that it is of. */
TEST(flattened_ranges_do_not_overlap)
{
	for (int round = 0; round < 200; round++) {
		size_t nr = next_random() % 300, nr_pieces;
		struct overlap_range *r = xcalloc(nr, sizeof(*r));
		struct overlap_piece *p;

		for (size_t i = 0; i < nr; i++) {
			r[i].start = next_random() % 1000;
			r[i].end = r[i].start + next_random() % 50;
			/* The ends of the address space, and ranges that wrap. */
			if (next_random() % 16 == 0)
				r[i].start = UINT64_MAX - next_random() % 3;
			if (next_random() % 16 == 0)
				r[i].start = 0;
		}
		nr_pieces = overlap_flatten(r, nr, &p);
		CHECK(nr_pieces <= nr);
		for (size_t i = 0; i < nr_pieces; i++) {
			const struct overlap_range *of = &r[p[i].index];

			CHECK(p[i].index < nr);
			CHECK(p[i].start < p[i].end);
			CHECK(!i || p[i - 1].end <= p[i].start);
			CHECK(p[i].start >= of->start);
			CHECK(p[i].end <= of->end || of->start == of->end);
		}
		free(p);
		free(r);
	}
}

TEST(many_lines_in_order)
{
	size_t nr = 200000, cap = nr * 32, n = 0;
	char *text = xmalloc(cap);
	struct symtab t;

	for (size_t i = 0; i < nr; i++)
		n += (size_t)snprintf(text + n, cap - n, "%zx 10 name_%zu\n", i * 16, i);
	parse(&t, text);
	CHECK_EQ(t.nr, nr);
	check_at(&t, 16 * 777 + 3, "name_777", 3);
	symtab_fini(&t);
	free(text);
}

struct tree {
	char root[64], tmp[96], map[128];
};

static void make_tree(struct tree *t, const char *name, const char *text)
{
	FILE *f;

	snprintf(t->root, sizeof(t->root), "/tmp/t_perfmap.XXXXXX");
	CHECK(mkdtemp(t->root));
	snprintf(t->tmp, sizeof(t->tmp), "%s/tmp", t->root);
	CHECK(!mkdir(t->tmp, 0700));
	snprintf(t->map, sizeof(t->map), "%s/%s", t->tmp, name);
	f = fopen(t->map, "w");
	CHECK(f);
	fputs(text, f);
	CHECK(!fclose(f));
}

static void drop_tree(struct tree *t)
{
	unlink(t->map);
	rmdir(t->tmp);
	rmdir(t->root);
}

TEST(map_below_symfs)
{
	struct tree dir;
	struct symbols_config cfg = { .symfs = dir.root, .hermetic = true };
	struct dso_desc desc = { .kind = DSO_JIT,
				 .name = "/tmp/perf-123456.map",
				 .recorded = { .pid = 123456 } };
	struct sym_origin o;
	struct symtab t;
	struct perr e = { 0 };

	make_tree(&dir, "perf-123456.map", "1000 10 jitted code\n");
	symtab_init(&t);
	CHECK_EQ(perfmap_load(&cfg, &desc, &t, &o, &e), 0);
	CHECK(o.addr_is_ip);
	CHECK_EQ(o.status, DSO_LOADED);
	CHECK_EQ(o.letter, 'j');
	CHECK_STR(o.path, dir.map);
	check_at(&t, 0x1008, "jitted code", 8);
	free(o.path);
	symtab_fini(&t);
	drop_tree(&dir);
}

TEST(no_map)
{
	struct symbols_config cfg = { .symfs = "/nonexistent", .hermetic = true };
	struct dso_desc desc = { .kind = DSO_JIT, .name = "/tmp/perf-123456.map" };
	struct sym_origin o;
	struct symtab t;
	struct perr e = { 0 };

	symtab_init(&t);
	CHECK_EQ(perfmap_load(&cfg, &desc, &t, &o, &e), PERR_NOTFOUND);
	CHECK_EQ(o.status, DSO_FILE_MISSING);
	CHECK(!o.path);
	cfg.symfs = NULL;
	CHECK_EQ(perfmap_load(&cfg, &desc, &t, &o, &e), PERR_NOTFOUND);
	symtab_fini(&t);
}

/* A pipe where the map should be must not hold us up. */
TEST(map_that_is_a_pipe)
{
	struct tree dir;
	struct symbols_config cfg = { .symfs = dir.root, .hermetic = true };
	struct dso_desc desc = { .kind = DSO_JIT, .name = "/tmp/perf-5.map" };
	struct sym_origin o;
	struct symtab t;
	struct perr e = { 0 };

	make_tree(&dir, "perf-5.map", "");
	unlink(dir.map);
	CHECK(!mkfifo(dir.map, 0600));
	symtab_init(&t);
	CHECK_EQ(perfmap_load(&cfg, &desc, &t, &o, &e), PERR_NOTFOUND);
	CHECK(strstr(e.text, "it is a FIFO"));
	CHECK_EQ(o.status, DSO_BROKEN);
	symtab_fini(&t);
	drop_tree(&dir);
}

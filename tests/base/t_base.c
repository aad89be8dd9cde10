/* SPDX-License-Identifier: MIT */
/* base/: cursors, maps, strings, text output, option tables. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/option.h"
#include "base/out.h"
#include "base/rank_order.h"
#include "tests/frame/unit.h"

static const u8 counting[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

TEST(cursor_reads_both_byte_orders)
{
	struct cursor c = cursor_of(span_of(counting, 15), false);

	CHECK_EQ(cur_u8(&c), 1);
	CHECK_EQ(cur_u16(&c), 0x0302);
	CHECK_EQ(cur_u32(&c), 0x07060504);
	CHECK_EQ(cur_u64(&c), 0x0f0e0d0c0b0a0908);
	CHECK(!c.bad);
	c = cursor_of(span_of(counting, 15), true);
	CHECK_EQ(cur_u8(&c), 1);
	CHECK_EQ(cur_u16(&c), 0x0203);
	CHECK_EQ(cur_u32(&c), 0x04050607);
	CHECK_EQ(cur_u64(&c), 0x08090a0b0c0d0e0f);
	CHECK(!c.bad);
	CHECK_EQ(cur_left(&c), 0);
}

TEST(cursor_past_the_end_is_zero_and_stays_bad)
{
	struct cursor c = cursor_of(span_of(counting, 7), false);

	CHECK_EQ(cur_u64(&c), 0);
	CHECK(c.bad);
	CHECK_EQ(cur_left(&c), 0);
	CHECK_EQ(cur_u8(&c), 0);
	CHECK(c.bad);
}

TEST(cursor_over_nothing)
{
	struct cursor c = cursor_of(span_of(NULL, 0), false);

	CHECK_EQ(cur_left(&c), 0);
	CHECK_EQ(cur_bytes(&c, 0).n, 0);
	CHECK(!c.bad);
	CHECK_EQ(cur_u8(&c), 0);
	CHECK(c.bad);
	CHECK_EQ(span_strlen(span_of(NULL, 0)), 0);
}

TEST(cursor_array_counts_cannot_wrap)
{
	struct cursor c = cursor_of(span_of(counting, 16), false);

	/* 2^61 + 1 times 8 is 8 in 64 bits */
	CHECK_EQ(cur_array(&c, ((u64)1 << 61) + 1, 8).n, 0);
	CHECK(c.bad);
	c = cursor_of(span_of(counting, 16), false);
	CHECK_EQ(cur_array(&c, 2, 8).n, 16);
	CHECK(!c.bad);
	c = cursor_of(span_of(counting, 16), false);
	CHECK_EQ(cur_array(&c, 3, 8).n, 0);
	CHECK(c.bad);
}

TEST(span_strlen_stops_at_the_end)
{
	CHECK_EQ(span_strlen(span_of("ab\0cd", 5)), 2);
	CHECK_EQ(span_strlen(span_of("abcd", 4)), 4);
}

TEST(idmap_grows_and_overwrites)
{
	struct idmap m = { 0 };

	CHECK_EQ(idmap_get(&m, 1, 2), IDMAP_NONE);
	for (u32 i = 0; i < 10000; i++)
		idmap_put(&m, i % 100, i / 100, i);
	idmap_put(&m, 5, 5, 7);
	CHECK_EQ(m.nr, 10000);
	for (u32 i = 0; i < 10000; i++)
		CHECK_EQ(idmap_get(&m, i % 100, i / 100), i == 505 ? 7 : i);
	CHECK_EQ(idmap_get(&m, 100, 0), IDMAP_NONE);
	idmap_clear(&m);
	CHECK_EQ(idmap_get(&m, 1, 2), IDMAP_NONE);
	idmap_put(&m, 1, 2, 3);
	CHECK_EQ(idmap_get(&m, 1, 2), 3);
	idmap_fini(&m);
	CHECK_EQ(idmap_get(&m, 1, 2), IDMAP_NONE);
}

TEST(interned_text_has_one_id_and_one_address)
{
	struct intern t;
	char text[16];
	const char *first;
	u32 id;

	intern_init(&t);
	CHECK_EQ(intern_str(&t, ""), 0);
	CHECK_EQ(intern_n(&t, NULL, 0), 0);
	CHECK_EQ(intern_n(&t, "\0x", 2), 0);
	id = intern_str(&t, "comm");
	first = intern_text(&t, id);
	for (int i = 0; i < 5000; i++) {
		snprintf(text, sizeof(text), "c%d", i);
		intern_str(&t, text);
	}
	CHECK_EQ(intern_n(&t, "commit", 4), id);
	CHECK_EQ(intern_n(&t, "comm\0it", 7), id);
	CHECK(intern_str(&t, "com") != id);
	CHECK(intern_text(&t, id) == first);
	CHECK_STR(first, "comm");
	intern_fini(&t);
}

TEST(vectors_and_arenas_keep_what_they_are_given)
{
	struct arena a = { 0 };
	u32 *v = NULL;
	size_t nr = 0, cap = 0;
	char *s, *big;

	for (u32 i = 0; i < 1000; i++)
		vec_push(v, nr, cap, i);
	for (u32 i = 0; i < 1000; i++)
		CHECK_EQ(v[i], i);
	free(v);

	s = arena_strdup(&a, "kept");
	for (int i = 0; i < 5000; i++)
		CHECK_EQ(*(u64 *)arena_alloc(&a, 40), 0);
	big = arena_alloc(&a, 1 << 20);
	big[(1 << 20) - 1] = 1;
	CHECK_EQ((uintptr_t)arena_alloc(&a, 1) % 8, 0);
	CHECK_STR(s, "kept");
	arena_fini(&a);
}

static const char *text_of(struct out *o)
{
	out_char(o, '\0');
	return o->buf;
}

TEST(out_prints_as_printf_does)
{
	char want[400], text[300];
	struct out o;

	out_init_mem(&o);
	out_str(&o, "");
	out_fill(&o, ' ', 0);
	out_str_width(&o, "right", 8);
	out_str_width(&o, "left", -8);
	out_str_width(&o, "too long", 3);
	out_hex(&o, 0, 0);
	out_hex(&o, UINT64_MAX, 20);
	out_hex(&o, 0xabc, 2);
	out_dec(&o, UINT64_MAX, 0);
	out_dec(&o, 10, 4);
	out_dec0(&o, 42, 6);
	out_fill(&o, '-', 3);
	snprintf(want, sizeof(want), "%8s%-8s%3s%llx%20llx%2x%llu%4d%06d---", "right", "left",
		 "too long", 0ull, ~0ull, 0xabc, ~0ull, 10, 42);
	CHECK_STR(text_of(&o), want);
	out_fini(&o);

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	out_init_mem(&o);
	out_printf(&o, "%s|%d", text, 7);
	snprintf(want, sizeof(want), "%s|7", text);
	CHECK_STR(text_of(&o), want);
	out_fini(&o);
}

TEST(out_tells_a_failed_write)
{
	FILE *full = fopen("/dev/full", "we");
	struct out o;

	if (!full)
		SKIP("no /dev/full");
	out_init(&o, full);
	for (int i = 0; i < 100000; i++)
		out_str(&o, "0123456789");
	CHECK_EQ(out_fini(&o), -1);
	fclose(full);
}

TEST(warnings_are_told_once_with_a_count)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	struct diag d;

	diag_init(&d);
	diag_warn(NULL, "nobody hears");
	for (int i = 0; i < 3; i++)
		diag_warn(&d, "thrice %d", 1);
	diag_warn(&d, "once");
	for (int i = 0; i < 100; i++)
		diag_warn(&d, "kind %d", i);
	diag_print(&d, "prog", f);
	fclose(f);
	CHECK(strstr(text, "prog: warning: thrice 1 (3 times)\nprog: warning: once\n") == text);
	CHECK(strstr(text, "prog: warning: 38 more warnings"));
	free(text);
	diag_fini(&d);
}

TEST(errors_say_where_and_why)
{
	struct perr e;
	char longest[1000];

	CHECK_EQ(perr_at(&e, PERR_FORMAT, 0x40, "size %d", 3), PERR_FORMAT);
	CHECK_EQ(e.off, 0x40);
	perr_prefix(&e, "perf.data");
	CHECK_STR(e.text, "perf.data: size 3");
	errno = ENOENT;
	CHECK_EQ(perr_io(&e, "open"), PERR_IO);
	CHECK_EQ(e.sys_errno, ENOENT);
	CHECK_EQ(e.off, -1);
	CHECK_STR(e.text, "open: No such file or directory");
	memset(longest, 'y', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	perr_set(&e, PERR_LIMIT, "%s", longest);
	CHECK_EQ(strlen(e.text), sizeof(e.text) - 1);
	perr_prefix(&e, longest);
	CHECK(strlen(e.text) < sizeof(e.text));
	CHECK_EQ(perr_set(NULL, PERR_USAGE, "nobody asks"), PERR_USAGE);
}

TEST(numbers_are_whole_and_in_range)
{
	u64 v = 5;

	CHECK_EQ(parse_u64("18446744073709551615", 10, 0, UINT64_MAX, &v), 0);
	CHECK_EQ(v, UINT64_MAX);
	CHECK_EQ(parse_u64("0x1f", 0, 0, 31, &v), 0);
	CHECK_EQ(v, 31);
	CHECK_EQ(parse_u64("32", 0, 0, 31, &v), -1);
	CHECK_EQ(parse_u64("18446744073709551616", 10, 0, UINT64_MAX, &v), -1);
	CHECK_EQ(parse_u64("", 10, 0, 9, &v), -1);
	CHECK_EQ(parse_u64("-1", 10, 0, UINT64_MAX, &v), -1);
	CHECK_EQ(parse_u64(" 1", 10, 0, UINT64_MAX, &v), -1);
	CHECK_EQ(parse_u64("1k", 10, 0, UINT64_MAX, &v), -1);
	CHECK_EQ(parse_u64(NULL, 10, 0, UINT64_MAX, &v), -1);
	CHECK_EQ(v, 31);
}

struct options {
	bool flag, inverse;
	int count;
	const char *name;
	u64 number;
};

static int parse(struct options *got, int *nr_operands, int argc, const char **argv)
{
	const struct opt table[] = {
		{ OPT_GROUP, .help = "Group" },
		{ OPT_FLAG, 'f', "flag", &got->flag, .help = "a flag" },
		{ OPT_FLAG, 0, "no-inverse", &got->inverse, .help = "its own negation" },
		{ OPT_COUNT, 'v', "verbose", &got->count, .help = "more" },
		{ OPT_STRING, 'n', "name", &got->name, "NAME", "a name" },
		{ OPT_U64, 0, "number", &got->number, "N", "a number" },
		{ OPT_END },
	};
	const struct opt_parser p = { "prog", "prog [options]", table, false };

	/* misuse is told on stderr: not here */
	if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout))
		SKIP("no /dev/null");
	return opt_parse(&p, argc, (char **)(uintptr_t)argv, nr_operands);
}

#define PARSE(...)                                                   \
	({                                                           \
		const char *words[] = { "prog", __VA_ARGS__, NULL }; \
		parse(&got, &nr, ARRAY_SIZE(words) - 1, words);      \
	})

TEST(options_in_all_their_spellings)
{
	struct options got = { 0 };
	int nr = -1;

	CHECK_EQ(PARSE("-fvv", "a", "-nNAME", "--number=0x10", "--", "-b"), 0);
	CHECK_EQ(nr, 2);
	CHECK(got.flag);
	CHECK_EQ(got.count, 2);
	CHECK_STR(got.name, "NAME");
	CHECK_EQ(got.number, 16);
	CHECK_EQ(PARSE("--no-flag", "--name", "x", "--verb", "--no-inverse"), 0);
	CHECK(!got.flag);
	CHECK(got.inverse);
	CHECK_STR(got.name, "x");
	CHECK_EQ(got.count, 3);
	CHECK_EQ(PARSE("--inverse"), 0);
	CHECK(!got.inverse);
}

TEST(misused_options_are_refused)
{
	struct options got = { 0 };
	int nr = -1;

	CHECK_EQ(PARSE("--nothing"), -1);
	CHECK_EQ(PARSE("-x"), -1);
	CHECK_EQ(PARSE("--n=1"), -1); /* name or number */
	CHECK_EQ(PARSE("--flag=1"), -1);
	CHECK_EQ(PARSE("--name"), -1);
	CHECK_EQ(PARSE("-n"), -1);
	CHECK_EQ(PARSE("--number=1x"), -1);
	CHECK_EQ(PARSE("-h"), 1);
	CHECK_EQ(PARSE("--help"), 1);
	CHECK_EQ(PARSE("--list-opts"), 1);
	CHECK_EQ(PARSE("--list-opts=all"), 1);
	CHECK_EQ(PARSE("--version"), 1);
	CHECK_EQ(PARSE("--build-options"), 1);
	CHECK_EQ(PARSE("--version=1"), -1);
}

/* Ranks that differ in any bits; equal ones stay in their order. */
TEST(things_are_in_the_order_of_their_ranks)
{
	struct ranked v[300];
	u64 random = 1;

	for (unsigned int shift = 0; shift < 64; shift++) {
		for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
			random = random * 6364136223846793005 + 1442695040888963407;
			v[i] = (struct ranked){ .rank = random >> 60 << shift | shift, .index = i };
		}
		rank_order(v, ARRAY_SIZE(v));
		for (u32 i = 1; i < ARRAY_SIZE(v); i++)
			CHECK(v[i - 1].rank < v[i].rank ||
			      (v[i - 1].rank == v[i].rank && v[i - 1].index < v[i].index));
	}
}

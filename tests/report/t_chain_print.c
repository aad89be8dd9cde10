/* SPDX-License-Identifier: MIT */
/* The expected texts are perf report's of recordings with the same stacks and periods. */
#include "report/prep/chain_print.h"

#include <stdlib.h>
#include <string.h>

#include "tests/frame/unit.h"

/* Ids: letters are functions, '0' is a frame without a symbol, upper case is inlined. */
static void fake_frame(void *arg, u32 id, struct chain_frame *ret)
{
	static const char names[] = "a\0b\0c\0d\0e\0f\0g\0h\0i\0j\0k\0l\0m\0n\0o\0p\0q\0r\0s\0t";

	(void)arg;
	if (id >= 'a' && id <= 't') {
		ret->name = names + 2 * (id - 'a');
		ret->sym_start = ret->ip = id * 0x10;
	} else if (id >= 'A' && id <= 'T') {
		ret->name = names + 2 * (id - 'A');
		ret->sym_start = ret->ip = 1;
		ret->inlined = true;
	} else if (id == '1') {
		ret->ip = 0x1f0;
	}
}

struct stack {
	const char *frames; /* leaf first */
	u64 period;
};

struct want {
	struct chain_option o;
	struct chain_text t;
};

static struct want want(const char *option, u64 total, u64 entry)
{
	struct want w = { .t = { .total = total, .limit_total = total, .entry_period = entry } };
	struct perr e;

	chain_option_init(&w.o);
	CHECK_EQ(chain_option_parse(&w.o, option, &e), 0);
	return w;
}

static void check(const struct want *w, const struct stack *stacks, const char *expected)
{
	struct chain_tree *t = chain_tree_new(&w->o, fake_frame, NULL);
	u32 ids[16][40];
	struct out o;
	size_t i, k;

	for (i = 0; stacks[i].frames; i++) {
		struct chain_row row = { ids[i], strlen(stacks[i].frames), stacks[i].period, 1 };

		for (k = 0; k < row.nr; k++)
			ids[i][k] = (u32)stacks[i].frames[k];
		chain_tree_add(t, &row);
	}
	out_init_mem(&o);
	chain_print(&o, t, &w->t);
	out_char(&o, 0);
	CHECK_STR(o.buf, expected);
	out_fini(&o);
	chain_tree_free(t);
}

static const struct stack fork_at_c[] = {
	{ "dcba", 60 }, { "ecba", 30 }, { "cba", 10 }, { NULL, 0 }
};

TEST(lone_root)
{
	struct want w = want("caller", 200, 100);

	check(&w, fork_at_c,
	      "            |\n"
	      "            ---a\n"
	      "               b\n"
	      "               c\n"
	      "               |          \n"
	      "               |--30.00%--d\n"
	      "               |          \n"
	      "                --15.00%--e\n"
	      "\n");
	w.t.skip_own = true;
	w.o.print_limit = 1;
	check(&w, fork_at_c,
	      "            |\n"
	      "            ---b\n"
	      "               |          \n"
	      "               |--30.00%--d\n"
	      "\n");
}

/* Its weight is not that of the entry: samples without a chain, or a node under the limit. */
TEST(lone_root_with_a_share)
{
	struct want w = want("caller", 200, 101);

	check(&w, fork_at_c,
	      "            |          \n"
	      "             --50.00%--a\n"
	      "                       b\n"
	      "                       c\n"
	      "                       |          \n"
	      "                       |--30.00%--d\n"
	      "                       |          \n"
	      "                        --15.00%--e\n"
	      "\n");
}

TEST(callee_order_has_a_root_per_leaf)
{
	struct want w = want("callee", 100, 100);

	check(&w, fork_at_c,
	      "            |          \n"
	      "            |--60.00%--d\n"
	      "            |          c\n"
	      "            |          b\n"
	      "            |          a\n"
	      "            |          \n"
	      "            |--30.00%--e\n"
	      "            |          c\n"
	      "            |          b\n"
	      "            |          a\n"
	      "            |          \n"
	      "             --10.00%--c\n"
	      "                       b\n"
	      "                       a\n"
	      "\n");
}

/* Shares of the level above; what the limit or the end of stacks takes away follows as a rest. */
TEST(fractal)
{
	struct want w = want("fractal,20,caller", 1000, 100);

	check(&w, fork_at_c,
	      "            |\n"
	      "            ---a\n"
	      "               b\n"
	      "               c\n"
	      "               |          \n"
	      "               |--60.00%--d\n"
	      "               |          \n"
	      "               |--30.00%--e\n"
	      "                --10.00%--[...]\n"
	      "\n");
	w = want("fractal,50,caller,count", 1000, 100);
	check(&w, fork_at_c,
	      "            |\n"
	      "            ---a\n"
	      "               b\n"
	      "               c\n"
	      "               |          \n"
	      "               |--1--d\n"
	      "                --1--[...]\n"
	      "\n");
}

TEST(forks_below_forks)
{
	static const struct stack stacks[] = { { "fdba", 5 }, { "gdba", 4 }, { "eba", 3 },
					       { "hc0", 2 },  { "ic0", 1 },  { NULL, 0 } };
	struct want w = want("caller,period,0", 100, 15);

	check(&w, stacks,
	      "            |          \n"
	      "            |--12--a\n"
	      "            |          b\n"
	      "            |          |          \n"
	      "            |          |--9--d\n"
	      "            |          |          |          \n"
	      "            |          |          |--5--f\n"
	      "            |          |          |          \n"
	      "            |          |           --4--g\n"
	      "            |          |          \n"
	      "            |           --3--e\n"
	      "            |          \n"
	      "             --3--0\n"
	      "                       c\n"
	      "                       |          \n"
	      "                       |--2--h\n"
	      "                       |          \n"
	      "                        --1--i\n"
	      "\n");
}

TEST(print_limit_is_per_level)
{
	struct want w = want("callee,0,2", 100, 100);

	check(&w, fork_at_c,
	      "            |          \n"
	      "            |--60.00%--d\n"
	      "            |          c\n"
	      "            |          b\n"
	      "            |          a\n"
	      "            |          \n"
	      "            |--30.00%--e\n"
	      "            |          c\n"
	      "            |          b\n"
	      "            |          a\n"
	      "\n");
}

TEST(flat)
{
	struct want w = want("flat,20,caller", 100, 100);

	check(&w, fork_at_c,
	      "           60.00%\n"
	      "                a\n"
	      "                b\n"
	      "                c\n"
	      "                d\n"
	      "\n"
	      "           30.00%\n"
	      "                a\n"
	      "                b\n"
	      "                c\n"
	      "                e\n"
	      "\n");
}

/* flat gives a node's whole weight where others go on below it, folded its own */
TEST(flat_and_folded_weights)
{
	struct want w = want("folded,0,caller,period", 100, 100);

	check(&w, fork_at_c, "60 a;b;c;d\n30 a;b;c;e\n10 a;b;c\n");
	w.t.separator = ",";
	w.o.value = CHAIN_COUNT;
	w.o.print_limit = 2;
	check(&w, fork_at_c, "1 a,b,c,d\n1 a,b,c,e\n");
	w = want("flat,0,caller,period", 100, 100);
	check(&w, fork_at_c,
	      "           60\n                a\n                b\n                c\n"
	      "                d\n\n"
	      "           30\n                a\n                b\n                c\n"
	      "                e\n\n"
	      "           100\n                a\n                b\n                c\n\n");
}

TEST(names_of_frames)
{
	static const struct stack stacks[] = { { "0C1ba", 4 }, { NULL, 0 } };
	struct want w = want("folded,callee", 4, 4);

	check(&w, stacks, "100.00% 0;c (inlined);0x1f0;b;a\n");
}

/* An inlined function and the same one called are one frame. */
TEST(inlined_merges_by_name)
{
	static const struct stack stacks[] = { { "Ba", 4 }, { "ba", 4 }, { NULL, 0 } };
	struct want w = want("folded,callee", 8, 8);

	check(&w, stacks, "100.00% b (inlined);a\n");
}

TEST(nothing_to_show)
{
	static const struct stack none[] = { { NULL, 0 } };
	struct want w = want("caller,90", 1000, 100);

	check(&w, none, "");
	check(&w, fork_at_c, "");
	w = want("none", 100, 100);
	check(&w, fork_at_c, "");
}

TEST(colors_by_share)
{
	static const struct stack stacks[] = { { "a", 1 }, { "b", 994 }, { "c", 5 }, { NULL, 0 } };
	struct want w = want("folded,0", 1000, 1000);

	w.t.color = true;
	w.t.total = 1000;
	check(&w, stacks, "\033[31m99.40%\033[m b\n0.50% c\n0.10% a\n");
}

TEST(own_frame)
{
	CHECK(chain_skips_own("sym", NULL));
	CHECK(chain_skips_own("symbol,dso", NULL));
	CHECK(!chain_skips_own("dso,sym", NULL));
	CHECK(!chain_skips_own(NULL, NULL));
	CHECK(!chain_skips_own("sym", "overhead,sym"));
}

/* More forks than a word has bits, and names longer than a line takes. */
TEST(deep_forks)
{
	struct want w = want("caller,0", 100, 100);
	struct chain_tree *t = chain_tree_new(&w.o, fake_frame, NULL);
	u32 ids[200];
	struct out o;

	for (u32 i = 0; i < 200; i++)
		ids[i] = 'a' + i % 20;
	for (u32 i = 0; i < 200; i += 2) {
		struct chain_row row = { ids + i, 200 - i, 1, 1 };

		chain_tree_add(t, &row);
	}
	out_init_mem(&o);
	chain_print(&o, t, &w.t);
	CHECK(o.len > 50000 && o.buf[o.len - 1] == '\n');
	out_fini(&o);
	chain_tree_free(t);
}

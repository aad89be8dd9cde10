/* SPDX-License-Identifier: MIT */
#include "report/order/order_tree.h"

#include "base/mem.h"
#include "tests/frame/unit.h"

#define MANY 5000u

static u64 *values_of(const u64 *v, u32 nr)
{
	u64 *copy = xcalloc(nr, sizeof(*copy));

	memcpy(copy, v, nr * sizeof(*copy));
	return copy;
}

/* Sorts three items by one kind of value; the order as digits. */
static int order_of(enum order_kind kind, const u64 *v)
{
	struct order_tree *o = order_tree_new(3);
	u32 items[3] = { 0, 1, 2 };

	order_tree_add(o, kind, values_of(v, 3));
	order_tree_sort(o, items, 3);
	order_tree_free(o);
	return (int)(items[0] * 100 + items[1] * 10 + items[2]);
}

TEST(words_are_sorted_and_equal_ones_stay)
{
	CHECK_EQ(order_of(ORDER_WORD, (const u64[]){ 2, 1, 2 }), 102);
	CHECK_EQ(order_of(ORDER_WORD, (const u64[]){ UINT64_MAX, 0, 5 }), 120);
	CHECK_EQ(order_of(ORDER_WORD, (const u64[]){ 7, 7, 7 }), 12);
}

/* Of three addresses a third of the circle apart each is before the next one. */
TEST(circular_addresses_go_by_the_tree)
{
	const u64 a = 0, b = 0x6000000000000000, c = 0xc000000000000000;

	CHECK_EQ(order_of(ORDER_ADDR, (const u64[]){ a, b, c }), 201);
	CHECK_EQ(order_of(ORDER_ADDR, (const u64[]){ b, a, c }), 102);
	/* kernel addresses come before those of user space */
	CHECK_EQ(order_of(ORDER_ADDR, (const u64[]){ 0x1000, 0xffffffff80000000, 0x500 }), 120);
}

TEST(tasks_are_compared_within_only)
{
	const u64 one = 1ull << 32, two = 2ull << 32;

	CHECK_EQ(order_of(ORDER_TASK, (const u64[]){ one | 5, one | 3, one | 4 }), 120);
	CHECK_EQ(order_of(ORDER_TASK, (const u64[]){ one | 5, two | 3, two | 2 }), 21);
}

TEST(marked_ones_are_equal)
{
	CHECK_EQ(order_of(ORDER_MARKED, (const u64[]){ 5, 3, 4 }), 201);
	CHECK_EQ(order_of(ORDER_MARKED, (const u64[]){ 6, 3, 4 }), 120);
}

/* Columns that share a word, and one that does not fit into it. */
TEST(the_first_column_decides)
{
	struct order_tree *o = order_tree_new(4);
	u32 items[4] = { 3, 2, 1, 0 };

	order_tree_add(o, ORDER_WORD, values_of((const u64[]){ 1, 1, 0, 1 }, 4));
	order_tree_add(o, ORDER_WORD, values_of((const u64[]){ 4, 3, 9, 4 }, 4));
	order_tree_add(o, ORDER_WORD, values_of((const u64[]){ UINT64_MAX, 8, 0, 7 }, 4));
	CHECK(order_tree_is_plain(o));
	order_tree_sort(o, items, 4);
	CHECK_EQ(items[0] * 1000 + items[1] * 100 + items[2] * 10 + items[3], 2130);
	order_tree_free(o);
}

/* Up, down and mixed, twice each: the end of the tree is followed, left and found again. */
TEST(many_items_are_in_order)
{
	u32 *items = xcalloc(MANY, sizeof(*items));
	u64 *v;

	for (u32 way = 0; way < 4; way++) {
		struct order_tree *o = order_tree_new(MANY);
		bool sorted = true;

		v = xcalloc(MANY, sizeof(*v));
		for (u32 i = 0; i < MANY; i++) {
			items[i] = i;
			v[i] = way == 0 ? i : way == 1 ? MANY - i : i * 2654435761u % 1000;
			if (way == 3 && i > MANY / 2)
				v[i] = 1000 + i;
		}
		order_tree_add(o, ORDER_WORD, values_of(v, MANY));
		for (u32 round = 0; round < 2; round++) {
			order_tree_sort(o, items, MANY);
			for (u32 i = 1; i < MANY; i++)
				sorted &=
					v[items[i - 1]] < v[items[i]] ||
					(v[items[i - 1]] == v[items[i]] && items[i - 1] < items[i]);
		}
		CHECK(sorted);
		order_tree_free(o);
		free(v);
	}
	free(items);
}

/* Of the order that the items have after each of so many times sorted; frees both. */
static u64 hash_of_rounds(struct order_tree *o, u32 *items, u32 nr_rounds)
{
	u64 hash = 0;

	for (u32 round = 0; round < nr_rounds; round++) {
		order_tree_sort(o, items, MANY);
		for (u32 i = 0; i < MANY; i++)
			hash = hash * 31 + items[i];
	}
	order_tree_free(o);
	free(items);
	return hash;
}

/*
 * The order of many items, twice sorted, by a middle column whose comparison is no order. spread:
 * bits of addresses; wide: with a column that decides nothing and does not fit into a word with the
 * others.
 */
static u64 hash_of_order(enum order_kind kind, unsigned int spread, bool wide)
{
	struct order_tree *o = order_tree_new(MANY);
	u64 *first = xcalloc(MANY, sizeof(*first)), *middle = xcalloc(MANY, sizeof(*middle));
	u64 *last = xcalloc(MANY, sizeof(*last));
	u32 *items = xcalloc(MANY, sizeof(*items)), rnd = 4711;

	for (u32 i = 0; i < MANY; i++) {
		rnd = rnd * 1664525u + 1013904223u;
		first[i] = (rnd >> 16) % 7;
		last[i] = (rnd >> 8) % 50;
		rnd = rnd * 1664525u + 1013904223u;
		middle[i] = kind == ORDER_ADDR ? (u64)(rnd >> (32 - spread)) << (64 - spread)
					       : (u64)(1 + (rnd >> 28)) << 32 | (rnd >> 8) % 40;
		items[i] = i;
	}
	order_tree_add(o, ORDER_WORD, first);
	order_tree_add(o, kind, middle);
	order_tree_add(o, ORDER_WORD, last);
	if (wide)
		order_tree_add(o, ORDER_OLDEST, xcalloc(MANY, sizeof(u64)));
	CHECK(!order_tree_is_plain(o));
	return hash_of_rounds(o, items, 2);
}

/* What a tree gives that items are put into one by one, compared column by column. */
TEST(items_side_by_side_change_no_order)
{
	CHECK_EQ(hash_of_order(ORDER_ADDR, 28, true), 0x20cd22c6c37a5228);
	CHECK_EQ(hash_of_order(ORDER_TASK, 0, true), 0xb00e1ec6a0c94218);
}

TEST(columns_in_one_word_change_no_order)
{
	CHECK_EQ(hash_of_order(ORDER_ADDR, 28, false), 0x20cd22c6c37a5228);
	CHECK_EQ(hash_of_order(ORDER_TASK, 0, false), 0xb00e1ec6a0c94218);
	/* 16 addresses, each with one just across the circle */
	CHECK_EQ(hash_of_order(ORDER_ADDR, 4, false), hash_of_order(ORDER_ADDR, 4, true));
	CHECK_EQ(hash_of_order(ORDER_ADDR, 11, false), hash_of_order(ORDER_ADDR, 11, true));
}

/* Addresses that rise, past the end of the circle and on from its beginning, with steps of all
 * sizes: what is put in at the end of the tree, a long or a short way behind the last one. */
static u64 hash_of_laps(unsigned int shift, u32 nr_firsts, bool wide)
{
	struct order_tree *o = order_tree_new(MANY);
	u64 *first = xcalloc(MANY, sizeof(*first)), *middle = xcalloc(MANY, sizeof(*middle));
	u64 *last = xcalloc(MANY, sizeof(*last)), at = 0;
	u32 *items = xcalloc(MANY, sizeof(*items)), rnd = 815;

	for (u32 i = 0; i < MANY; i++) {
		rnd = rnd * 1664525u + 1013904223u;
		at += (u64)(rnd >> 20) << (shift + (i / 100 % 3) * 2);
		first[i] = i * nr_firsts / MANY;
		middle[i] = i % 50 == 49 ? at + (1ull << 63) : at;
		last[i] = rnd >> 8 & 1;
		items[i] = i;
	}
	order_tree_add(o, ORDER_WORD, first);
	order_tree_add(o, ORDER_ADDR, middle);
	order_tree_add(o, ORDER_WORD, last);
	if (wide)
		order_tree_add(o, ORDER_OLDEST, xcalloc(MANY, sizeof(u64)));
	CHECK(!order_tree_is_plain(o));
	return hash_of_rounds(o, items, 1);
}

TEST(the_end_of_the_tree_is_known_without_comparing_all)
{
	for (unsigned int shift = 30; shift < 52; shift += 3)
		for (u32 nr_firsts = 2; nr_firsts < 50; nr_firsts *= 5)
			CHECK_EQ(hash_of_laps(shift, nr_firsts, false),
				 hash_of_laps(shift, nr_firsts, true));
}

/* Sorted alone, the first items are those of the tree, however it was filled. */
TEST(sure_items_are_in_the_order_of_the_tree)
{
	size_t nr_sure = 0;

	for (u32 round = 0; round < 64; round++) {
		struct order_tree *o = order_tree_new(MANY);
		u64 *figures = xcalloc(MANY, sizeof(u64)), *addrs = xcalloc(MANY, sizeof(u64)),
		    random = round + 1;
		u32 *all = xcalloc(MANY, sizeof(u32)), *alone = xcalloc(MANY, sizeof(u32)), nr;

		for (u32 i = 0; i < MANY; i++) {
			random = random * 6364136223846793005 + 1442695040888963407;
			/* the higher the figure, the more items have it */
			figures[i] = (random >> 40) % (1 + i) / (1 + round % 4);
			addrs[i] = round & 8 ? random : random >> 8;
			all[i] = i;
			alone[i] = MANY - 1 - i;
		}
		order_tree_add(o, ORDER_WORD, figures);
		order_tree_add(o, ORDER_ADDR, addrs);
		order_tree_sort(o, all, MANY);
		nr = order_tree_sort_surely(o, alone, MANY);
		CHECK(nr <= MANY);
		for (u32 i = 0; i < nr; i++)
			CHECK_EQ(alone[i], all[i]);
		nr_sure += nr;
		free(all);
		free(alone);
		order_tree_free(o);
	}
	CHECK(nr_sure > MANY && nr_sure < 64 * MANY);
}

/* Equal items end what is sure, and so do those whose comparison depends on others. */
TEST(unsure_items_end_what_is_sure)
{
	struct order_tree *o = order_tree_new(6);
	u32 items[6] = { 5, 4, 3, 2, 1, 0 };

	order_tree_add(o, ORDER_WORD, values_of((const u64[]){ 3, 1, 2, 2, 4, 4 }, 6));
	CHECK_EQ(order_tree_sort_surely(o, items, 6), 1);
	CHECK_EQ(items[0], 1);
	order_tree_add(o, ORDER_ADDR,
		       values_of((const u64[]){ 9, 9, 8, 7, 0, 0x7000000000000000 }, 6));
	CHECK_EQ(order_tree_sort_surely(o, items, 6), 6);
	CHECK(items[1] == 3 && items[2] == 2 && items[3] == 0);
	order_tree_free(o);

	o = order_tree_new(4);
	order_tree_add(o, ORDER_WORD, values_of((const u64[]){ 1, 2, 2, 2 }, 4));
	order_tree_add(o, ORDER_ADDR,
		       values_of((const u64[]){ 0, 0, 0x6000000000000000, 0xc000000000000000 }, 4));
	CHECK_EQ(order_tree_sort_surely(o, items, 4), 1);
	order_tree_free(o);
}

/* SPDX-License-Identifier: MIT */
/* Walks stacks whose entries are written down here, and compares with their frames written out. */
#include "count/stack_iter.h"

#include "base/hash.h"
#include "base/mem.h"
#include "count/counts_priv.h"
#include "count/stack_entry.h"
#include "tests/frame/unit.h"

/* Counts that hold nothing but one stack of n entries, which has id 1. */
struct one_stack {
	struct counts c;
	struct counts_priv priv;
};

static void one_stack_init(struct one_stack *s, const u32 *entries, size_t n)
{
	*s = (struct one_stack){ .c = { .priv = &s->priv }, .priv.by_symbol = true };
	blobs_init(&s->priv.stacks);
	CHECK_EQ(blobs_put(&s->priv.stacks, entries, n * sizeof(*entries),
			   hash_bytes(entries, n * sizeof(*entries))),
		 1);
}

static void one_stack_fini(struct one_stack *s)
{
	blobs_fini(&s->priv.stacks);
	count_tails_fini(&s->priv.tails);
}

/* Both ways through the stack give these frames. */
static void check_walks(const struct one_stack *s, const u32 *frames, size_t n)
{
	struct stack_iter it;
	struct stack_run run;
	size_t i = 0;
	u32 id;

	stack_iter_init(&it, &s->c, 1);
	while (stack_iter_next(&it, &id)) {
		CHECK(i < n);
		CHECK_EQ(id, frames[i++]);
	}
	CHECK_EQ(i, n);
	CHECK(!stack_iter_next(&it, &id));
	i = 0;
	stack_iter_init(&it, &s->c, 1);
	while (stack_iter_next_run(&it, &run)) {
		CHECK(run.nr > 0);
		CHECK(run.times > 0);
		for (u32 k = 0; k < run.nr * run.times; k++) {
			CHECK(i < n);
			CHECK_EQ(run.ids[k % run.nr], frames[i++]);
		}
	}
	CHECK_EQ(i, n);
	CHECK(!stack_iter_next_run(&it, &run));
}

/* A stack that repeats frames only at its end is the same when it was counted by address. */
static void check_frames(struct one_stack *s, const u32 *frames, size_t n, bool by_address)
{
	check_walks(s, frames, n);
	s->priv.by_symbol = !by_address;
	check_walks(s, frames, n);
}

#define CHECK_STACK(by_address, entries, ...)                                          \
	do {                                                                           \
		static const u32 frames_[] = { __VA_ARGS__ };                          \
		struct one_stack s_;                                                   \
                                                                                       \
		one_stack_init(&s_, entries, sizeof(entries) / sizeof(u32));           \
		check_frames(&s_, frames_, sizeof(frames_) / sizeof(u32), by_address); \
		one_stack_fini(&s_);                                                   \
	} while (0)

TEST(frames_without_repetition)
{
	static const u32 one[] = { 7 }, three[] = { 1, 2, 1 };

	CHECK_STACK(true, one, 7);
	CHECK_STACK(true, three, 1, 2, 1);
}

TEST(a_recursion_anywhere)
{
	const u32 in_between[] = { 1, 2, chain_repeat_entry(1, 3), 3 };
	const u32 first[] = { 5, chain_repeat_entry(1, 1), 6, 7, chain_repeat_entry(1, 2) };
	const u32 twice[] = { 8, 5, chain_repeat_entry(1, 1), 6, chain_repeat_entry(1, 1) };

	CHECK_STACK(false, in_between, 1, 2, 2, 2, 2, 3);
	CHECK_STACK(false, first, 5, 5, 6, 7, 7, 7);
	CHECK_STACK(false, twice, 8, 5, 5, 6, 6);
}

TEST(a_circle_at_the_end)
{
	const u32 after_others[] = { 9, 1, 2, 3, chain_repeat_entry(3, 6) };
	const u32 all[] = { 1, 2, chain_repeat_entry(2, 2) };

	CHECK_STACK(true, after_others, 9, 1, 2, 3, 1, 2, 3, 1, 2, 3);
	CHECK_STACK(true, all, 1, 2, 1, 2);
}

TEST(a_circle_is_one_run_behind_the_other_frames)
{
	const u32 entries[] = { 9, 1, 2, 3, chain_repeat_entry(3, 6) };
	struct stack_run a, b;
	struct stack_iter it;
	struct one_stack s;

	one_stack_init(&s, entries, 5);
	stack_iter_init(&it, &s.c, 1);
	CHECK(stack_iter_next_run(&it, &a));
	CHECK(stack_iter_next_run(&it, &b));
	CHECK(!stack_iter_next_run(&it, &b));
	CHECK_EQ(a.nr, 1);
	CHECK_EQ(a.times, 1);
	CHECK_EQ(b.nr, 3);
	CHECK_EQ(b.times, 3);
	CHECK(b.ids == a.ids + a.nr);
	one_stack_fini(&s);
}

TEST(a_long_recursion_is_one_run)
{
	const u32 entries[] = { 4, chain_repeat_entry(1, 20000000) };
	struct stack_run run;
	struct stack_iter it;
	struct one_stack s;

	one_stack_init(&s, entries, 2);
	stack_iter_init(&it, &s.c, 1);
	CHECK(stack_iter_next_run(&it, &run));
	CHECK_EQ(run.nr, 1);
	CHECK_EQ(run.times, 20000001);
	CHECK(!stack_iter_next_run(&it, &run));
	one_stack_fini(&s);
}

TEST(a_tail_comes_last_and_can_be_taken_off)
{
	static const u32 whole[] = { 1, 1, 30, 20, 10 }, without[] = { 1, 1 };
	struct stack_iter it;
	struct one_stack s;
	u32 tail, id;
	size_t i = 0;

	s = (struct one_stack){ 0 };
	tail = count_tails_put(&s.priv.tails, 10, 0, 0);
	tail = count_tails_put(&s.priv.tails, 20, tail, 0);
	tail = count_tails_put(&s.priv.tails, 30, tail, 0);
	{
		const u32 entries[] = { 1, chain_repeat_entry(1, 1), COUNT_TAIL | tail };
		struct count_tails tails = s.priv.tails;

		one_stack_init(&s, entries, 3);
		s.priv.tails = tails;
	}
	check_frames(&s, whole, 5, false);
	stack_iter_init(&it, &s.c, 1);
	CHECK_EQ(stack_iter_take_tail(&it), tail);
	CHECK_EQ(stack_iter_take_tail(&it), 0);
	while (stack_iter_next(&it, &id))
		CHECK_EQ(id, without[i++]);
	CHECK_EQ(i, 2);
	one_stack_fini(&s);
}

TEST(stacks_without_frames)
{
	static const u32 entries[] = { 7 };
	struct stack_iter it;
	struct stack_run run;
	struct one_stack s;
	u32 id;

	one_stack_init(&s, entries, 1);
	stack_iter_init(&it, &s.c, 0); /* the empty stack */
	CHECK(!stack_iter_next(&it, &id));
	stack_iter_init(&it, &s.c, 2); /* no such stack */
	CHECK(!stack_iter_next_run(&it, &run));
	CHECK_EQ(stack_iter_take_tail(&it), 0);
	CHECK_EQ(stack_iter_memory(&s.c, 2).n, 0);
	CHECK_EQ(stack_iter_memory(&s.c, 1).n, 4);
	stack_iter_init_ids(&it, NULL, 0);
	CHECK(!stack_iter_next(&it, &id));
	stack_iter_init_ids(&it, entries, 1);
	CHECK(stack_iter_next(&it, &id));
	CHECK_EQ(id, 7);
	CHECK(!stack_iter_next(&it, &id));
	one_stack_fini(&s);
}

/* SPDX-License-Identifier: MIT */
#include "count/count_tails.h"

#include "base/mem.h"
#include "count/stack_entry.h"
#include "tests/frame/unit.h"

TEST(a_path_is_there_once)
{
	struct count_tails t = { 0 };
	u32 root, a, b;

	CHECK_EQ(count_tails_depth(&t, 0), 0);
	root = count_tails_put(&t, 7, 0, 70);
	a = count_tails_put(&t, 8, root, 80);
	b = count_tails_put(&t, 9, root, 90);
	CHECK(root && a && b && a != b);
	CHECK_EQ(count_tails_put(&t, 7, 0, 70), root);
	CHECK_EQ(count_tails_put(&t, 8, root, 80), a);
	CHECK_EQ(t.nr, 4);
	CHECK_EQ(count_tails_depth(&t, root), 1);
	CHECK_EQ(count_tails_depth(&t, b), 2);
	CHECK_EQ(t.items[a].frame, 8);
	CHECK_EQ(t.items[a].outer, root);
	/* the same frame, called by another */
	CHECK(count_tails_put(&t, 8, a, 80) != a);
	count_tails_fini(&t);
}

/* Two tables that number their frames in their own ways. */
TEST(tables_come_together)
{
	static const u32 marks[] = { 100, 101, 102, 103 };
	static const u32 of_second[] = { 3, 2, 1, 0 };
	struct count_tails t = { 0 }, second = { 0 };
	u32 ours[3], theirs[3], *numbers;

	for (u32 i = 0; i < 3; i++) {
		u32 frame = i + 1;

		ours[i] = count_tails_put(&t, frame, i ? ours[i - 1] : 0, marks[frame]);
		theirs[i] =
			count_tails_put(&second, 3 - frame, i ? theirs[i - 1] : 0, marks[frame]);
		/* where they lie in tables of stacks does not depend on the table */
		CHECK_EQ(t.items[ours[i]].hash, second.items[theirs[i]].hash);
	}
	/* one that the first does not have */
	count_tails_put(&second, 3, theirs[0], marks[0]);
	numbers = count_tails_merge(&t, &second, of_second);
	CHECK_EQ(numbers[0], 0);
	for (u32 i = 0; i < 3; i++)
		CHECK_EQ(numbers[theirs[i]], ours[i]);
	CHECK_EQ(t.nr, 5);
	CHECK_EQ(t.items[4].frame, 0);
	CHECK_EQ(t.items[4].outer, ours[0]);
	free(numbers);
	numbers = count_tails_merge(&t, &(struct count_tails){ 0 }, NULL);
	CHECK_EQ(numbers[0], 0);
	free(numbers);
	count_tails_fini(&second);
	count_tails_fini(&t);
}

TEST(entries_of_stacks)
{
	CHECK(count_is_tail(COUNT_TAIL | 5));
	CHECK_EQ(count_tail_number(COUNT_TAIL | 5), 5);
	CHECK(!count_is_tail(5));
	/* a repeat of many frames in turn has that bit as well */
	CHECK(!count_is_tail(chain_repeat_entry(CHAIN_TURN_MAX, 64)));
}

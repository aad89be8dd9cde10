/* SPDX-License-Identifier: MIT */
/* Allocations and frees: what is counted as not freed, and what a call of malloc() makes of it. */
#include "events/leak/leak_calls.h"

#include "base/mem.h"
#include "tests/frame/unit.h"

static void alloc(struct leak_table *t, u32 pid, u64 ptr, u64 size, u64 time)
{
	leak_table_alloc(t, pid, &(struct leak_entry){ .ptr = ptr, .size = size, .time = time });
}

static struct leak_sum sum_of(struct leak_table *t, u64 now)
{
	struct leak_sum *sums = leak_table_sums(t, 1, now), ret = sums[0];

	free(sums);
	return ret;
}

TEST(what_is_not_freed_is_counted)
{
	struct leak_table t;
	struct leak_sum s;

	leak_table_init(&t, 100, 0);
	alloc(&t, 1, 0x10, 8, 5);
	alloc(&t, 1, 0x20, 16, 7);
	alloc(&t, 1, 0x30, 32, 9);
	leak_table_free(&t, 1, 0x20, 10);
	/* no free, and one of what was allocated before the recording */
	leak_table_free(&t, 1, 0, 10);
	leak_table_free(&t, 1, 0x40, 10);
	/* the same address of another process, and of the kernel, is another object */
	leak_table_free(&t, 2, 0x10, 10);
	leak_table_free(&t, LEAK_KERNEL, 0x10, 10);
	s = sum_of(&t, 11);
	CHECK_EQ(s.objects, 2);
	CHECK_EQ(s.bytes, 40);
	CHECK_EQ(s.oldest, 6);
	CHECK_EQ(s.maybe_objects, 0);
	CHECK_EQ(t.nr_frees, 1);
	CHECK_EQ(t.nr_unknown, 3);
	leak_table_fini(&t);
}

TEST(a_failed_allocation_is_none_and_a_second_one_replaces_the_first)
{
	struct leak_table t;
	struct leak_sum s;

	leak_table_init(&t, 100, 0);
	alloc(&t, 1, 0, 8, 5);
	alloc(&t, 1, 0x10, 8, 5);
	alloc(&t, 1, 0x10, 16, 8);
	s = sum_of(&t, 10);
	CHECK_EQ(s.objects, 1);
	CHECK_EQ(s.bytes, 16);
	CHECK_EQ(s.oldest, 2);
	CHECK_EQ(t.nr_failed, 1);
	CHECK_EQ(t.nr_replaced, 1);
	CHECK_EQ(t.nr_allocs, 3);
	leak_table_free(&t, 1, 0x10, 7);
	CHECK_EQ(t.nr_negative, 1);
	leak_table_fini(&t);
}

TEST(the_young_are_no_leaks)
{
	struct leak_table t;

	leak_table_init(&t, 100, 10);
	alloc(&t, 1, 0x10, 8, 100);
	alloc(&t, 1, 0x20, 8, 101);
	/* allocated after the time as of which it is asked */
	alloc(&t, 1, 0x30, 8, 200);
	CHECK_EQ(sum_of(&t, 110).objects, 1);
	CHECK_EQ(t.nr_young, 2);
	/* as with -I, where they are counted again and again */
	(void)sum_of(&t, 110);
	CHECK_EQ(t.nr_young, 2);
	leak_table_fini(&t);
}

TEST(what_was_allocated_before_a_loss_is_perhaps_freed)
{
	struct leak_table t;
	struct leak_sum s;

	leak_table_init(&t, 100, 0);
	alloc(&t, 1, 0x10, 8, 5);
	alloc(&t, 1, 0x20, 16, 6);
	leak_table_lost(&t, 7);
	alloc(&t, 1, 0x30, 32, 7);
	/* its free was not lost */
	leak_table_free(&t, 1, 0x20, 8);
	s = sum_of(&t, 10);
	CHECK_EQ(s.maybe_objects, 1);
	CHECK_EQ(s.maybe_bytes, 8);
	CHECK_EQ(s.maybe_oldest, 5);
	CHECK_EQ(s.objects, 1);
	CHECK_EQ(s.bytes, 32);
	CHECK_EQ(s.oldest, 3);
	leak_table_fini(&t);
}

TEST(a_process_that_ends_keeps_what_it_had)
{
	struct leak_table t;
	struct leak_sum s;

	leak_table_init(&t, 100, 0);
	alloc(&t, 1, 0x10, 8, 5);
	leak_table_end_process(&t, 1, 9);
	leak_table_end_process(&t, 77, 9);
	/* the next process of this id has other objects */
	leak_table_free(&t, 1, 0x10, 20);
	CHECK_EQ(t.nr_unknown, 1);
	alloc(&t, 1, 0x10, 16, 21);
	CHECK_EQ(t.nr_replaced, 0);
	s = sum_of(&t, 100);
	CHECK_EQ(s.objects, 2);
	CHECK_EQ(s.ended, 1);
	CHECK_EQ(s.oldest, 79);
	leak_table_free(&t, 1, 0x10, 22);
	s = sum_of(&t, 100);
	CHECK_EQ(s.bytes, 8);
	CHECK_EQ(s.oldest, 4);
	leak_table_fini(&t);
}

TEST(a_full_table_counts_what_it_does_not_follow)
{
	struct leak_table t;
	struct leak_sum s;

	leak_table_init(&t, 4, 0);
	for (u64 i = 1; i <= 6; i++)
		alloc(&t, 1, i, i, i);
	CHECK_EQ(t.nr_dropped, 2);
	CHECK_EQ(t.dropped_bytes, 11);
	/* what ended processes had makes room, and is still counted */
	leak_table_end_process(&t, 1, 9);
	for (u64 i = 1; i <= 4; i++)
		alloc(&t, 2, i, 100, 20);
	CHECK_EQ(t.nr_dropped, 2);
	s = sum_of(&t, 30);
	CHECK_EQ(s.objects, 8);
	CHECK_EQ(s.bytes, 410);
	CHECK_EQ(s.ended, 4);
	CHECK_EQ(s.oldest, 10);
	for (u64 i = 1; i <= 4; i++)
		leak_table_free(&t, 2, i, 31);
	CHECK_EQ(t.nr, 0);
	CHECK_EQ(sum_of(&t, 40).objects, 4);
	leak_table_fini(&t);
}

/* Random allocations and frees against a plain array, so that removal in the hash table is tried in
 * all positions. */
TEST(the_table_is_like_an_array)
{
	enum { NR = 5000 };
	struct leak_table t;
	u64 *size = xcalloc(NR + 1, sizeof(*size)), nr = 0, bytes = 0;

	leak_table_init(&t, NR, 0);
	for (u64 i = 0; i < 60000; i++) {
		u64 dice = hash_u64(i + 1), ptr = 1 + dice % NR;

		nr -= size[ptr] != 0;
		bytes -= size[ptr];
		size[ptr] = dice >> 40 & 1 ? 1 + (dice >> 48) : 0;
		nr += size[ptr] != 0;
		bytes += size[ptr];
		if (size[ptr])
			alloc(&t, 3, ptr, size[ptr], i);
		else
			leak_table_free(&t, 3, ptr, i);
	}
	CHECK_EQ(sum_of(&t, 0).objects, nr);
	CHECK_EQ(sum_of(&t, 0).bytes, bytes);
	CHECK_EQ(t.nr, nr);
	free(size);
	leak_table_fini(&t);
}

/* ---- calls ---- */

static void enter(struct leak_calls *c, enum leak_function f, u64 a, u64 b)
{
	leak_calls_enter(c, f, &(struct leak_call_event){ .pid = 1, .tid = 1, .args = { a, b } });
}

static void leave(struct leak_calls *c, enum leak_function f, u64 result)
{
	leak_calls_leave(c, f, &(struct leak_call_event){ .pid = 1, .tid = 1, .result = result });
}

TEST(events_of_calls_are_known_by_their_names)
{
	bool is_return;

	CHECK_EQ(leak_function_find("uprobe:libc.so.6:malloc", &is_return), LEAK_MALLOC);
	CHECK(!is_return);
	CHECK_EQ(leak_function_find("uretprobe:libc.so.6:calloc", &is_return), LEAK_CALLOC);
	CHECK(is_return);
	CHECK_EQ(leak_function_find("probe_libc:realloc__return", &is_return), LEAK_REALLOC);
	CHECK(is_return);
	CHECK_EQ(leak_function_find("probe_libc:free", &is_return), LEAK_FREE);
	CHECK_EQ(leak_function_find("malloc", &is_return), NR_LEAK_FUNCTIONS);
	CHECK_EQ(leak_function_find("kmem:kmalloc", &is_return), NR_LEAK_FUNCTIONS);
	CHECK_EQ(leak_function_find("uprobe:a.so:", &is_return), NR_LEAK_FUNCTIONS);
}

TEST(realloc_frees_the_old_object)
{
	struct leak_table t;
	struct leak_calls c;

	leak_table_init(&t, 100, 0);
	leak_calls_init(&c, &t);
	enter(&c, LEAK_MALLOC, 10, 0);
	leave(&c, LEAK_MALLOC, 0x10);
	enter(&c, LEAK_REALLOC, 0x10, 20);
	leave(&c, LEAK_REALLOC, 0x20);
	CHECK_EQ(sum_of(&t, 0).objects, 1);
	CHECK_EQ(sum_of(&t, 0).bytes, 20);
	/* it fails: the old object is still there */
	enter(&c, LEAK_REALLOC, 0x20, 30);
	leave(&c, LEAK_REALLOC, 0);
	CHECK_EQ(sum_of(&t, 0).bytes, 20);
	CHECK_EQ(t.nr_failed, 1);
	/* in place */
	enter(&c, LEAK_REALLOC, 0x20, 40);
	leave(&c, LEAK_REALLOC, 0x20);
	CHECK_EQ(sum_of(&t, 0).bytes, 40);
	CHECK_EQ(t.nr_replaced, 0);
	/* to nothing: a free */
	enter(&c, LEAK_REALLOC, 0x20, 0);
	leave(&c, LEAK_REALLOC, 0);
	CHECK_EQ(sum_of(&t, 0).objects, 0);
	CHECK_EQ(t.nr_unknown, 0);
	CHECK_EQ(t.nr_failed, 1);
	leak_calls_fini(&c);
	leak_table_fini(&t);
}

TEST(a_function_that_calls_another_one_allocates_once)
{
	struct leak_table t;
	struct leak_calls c;

	leak_table_init(&t, 100, 0);
	leak_calls_init(&c, &t);
	enter(&c, LEAK_CALLOC, 3, 7);
	leave(&c, LEAK_CALLOC, 0x10);
	/* realloc() that calls malloc() and free() */
	enter(&c, LEAK_REALLOC, 0x10, 50);
	enter(&c, LEAK_MALLOC, 50, 0);
	leave(&c, LEAK_MALLOC, 0x20);
	enter(&c, LEAK_FREE, 0x10, 0);
	leave(&c, LEAK_REALLOC, 0x20);
	CHECK_EQ(t.nr_allocs, 2);
	CHECK_EQ(t.nr_frees, 1);
	CHECK_EQ(t.nr_unknown + t.nr_replaced, 0);
	CHECK_EQ(sum_of(&t, 0).bytes, 50);
	leak_calls_fini(&c);
	leak_table_fini(&t);
}

TEST(calls_with_a_missing_entry_or_return)
{
	struct leak_table t;
	struct leak_calls c;

	leak_table_init(&t, 100, 0);
	leak_calls_init(&c, &t);
	leave(&c, LEAK_MALLOC, 0x10);
	CHECK_EQ(c.nr_no_entry, 1);
	CHECK_EQ(sum_of(&t, 0).objects, 1);
	/* malloc() calls nothing: what comes next is no part of it */
	enter(&c, LEAK_MALLOC, 8, 0);
	enter(&c, LEAK_FREE, 0x10, 0);
	CHECK_EQ(c.nr_no_return, 1);
	CHECK_EQ(sum_of(&t, 0).objects, 0);
	/* after a loss, an entry may belong to an earlier call */
	enter(&c, LEAK_MALLOC, 8, 0);
	leak_calls_lost(&c);
	leave(&c, LEAK_MALLOC, 0x20);
	CHECK_EQ(c.nr_no_entry, 2);
	/* a product that is too large for a size */
	enter(&c, LEAK_CALLOC, UINT64_MAX, 2);
	leave(&c, LEAK_CALLOC, 0);
	CHECK_EQ(t.nr_failed, 1);
	leak_calls_end_thread(&c, 1);
	CHECK_EQ(c.nr_no_return, 1);
	leak_calls_fini(&c);
	leak_table_fini(&t);
}

TEST(without_memory_new_objects_and_groups_are_counted_and_old_ones_still_freed)
{
	struct leak_table t;
	struct leak_sum s;

	leak_table_init(&t, 100, 0);
	alloc(&t, 1, 0x10, 8, 5);
	alloc(&t, 1, 0x20, 16, 5);
	t.full = true;
	alloc(&t, 1, 0x30, 32, 6);
	/* in place of one whose free is missing: of a group that is known, and of one that is not
	 */
	alloc(&t, 1, 0x10, 64, 7);
	t.full = false;
	leak_table_alloc(&t, 1,
			 &(struct leak_entry){
				 .ptr = 0x20, .size = 128, .time = 7, .group = LEAK_NO_GROUP });
	CHECK_EQ(t.nr_dropped, 3);
	CHECK_EQ(t.dropped_bytes, 32 + 64 + 128);
	CHECK_EQ(t.nr_replaced, 2);
	leak_table_free(&t, 1, 0x10, 8);
	CHECK_EQ(t.nr_unknown, 1);
	s = sum_of(&t, 9);
	CHECK_EQ(s.objects, 0);
	leak_table_fini(&t);
}

static void alloc_in(struct leak_table *t, u32 pid, u64 ptr, u32 group)
{
	leak_table_alloc(t, pid, &(struct leak_entry){ .ptr = ptr, .size = ptr, .group = group });
}

TEST(groups_without_objects_give_their_numbers_away)
{
	bool used[6] = { false };
	/* 1 and 4 are not used */
	static const u32 numbers[6] = { 0, 0, 1, 2, 0, 3 };
	struct leak_table t;
	struct leak_sum *s;

	leak_table_init(&t, 4, 0);
	alloc_in(&t, 1, 0x10, 2);
	alloc_in(&t, 1, 0x20, 5);
	alloc_in(&t, 2, 0x30, 1);
	alloc_in(&t, 2, 0x40, 3);
	/* those of process 1 make room, and are sums from now on */
	leak_table_end_process(&t, 1, 9);
	alloc_in(&t, 2, 0x50, 0);
	alloc_in(&t, 2, 0x60, 3);
	leak_table_free(&t, 2, 0x30, 9);
	leak_table_find_groups(&t, used, 6);
	CHECK(used[0] && used[2] && used[3] && used[5]);
	CHECK(!used[1] && !used[4]);
	leak_table_number_groups(&t, numbers, 6);
	s = leak_table_sums(&t, 4, 20);
	CHECK_EQ(s[0].bytes, 0x50);
	CHECK_EQ(s[1].bytes, 0x10);
	CHECK_EQ(s[2].bytes, 0xa0);
	CHECK_EQ(s[3].bytes, 0x20);
	free(s);
	leak_table_free(&t, 2, 0x50, 21);
	CHECK_EQ(t.nr_unknown, 0);
	leak_table_fini(&t);
}

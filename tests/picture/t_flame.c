/* SPDX-License-Identifier: MIT */
/* Call trees, compared with what the texts of folded lines say. */
#include "picture/flame.h"

#include <stdio.h>

#include "tests/frame/unit.h"

#define NR_STACKS 300
#define MAX_DEPTH 6

struct stack {
	u32 names[MAX_DEPTH];
	size_t n;
	u64 weights[FLAME_SIDES];
};

static u32 random_below(u32 *state, u32 n)
{
	*state = *state * 1664525 + 1013904223;
	return (*state >> 16) % n;
}

/* Names 1 to 5 of all test trees; "a b" and "a" would be torn apart in sorted lines. */
static void add_names(struct flame *f)
{
	static const char *const texts[] = { "main", "a", "b", "a b", "c" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		CHECK_EQ(flame_add_name(f, texts[i], NULL, FLAME_USER), i + 1);
}

static void make_stacks(struct stack *stacks, u32 seed)
{
	for (size_t i = 0; i < NR_STACKS; i++) {
		struct stack *s = &stacks[i];

		s->n = 1 + random_below(&seed, MAX_DEPTH);
		for (size_t k = 0; k < s->n; k++)
			s->names[k] = 1 + random_below(&seed, 5);
		s->weights[0] = random_below(&seed, 9);
		s->weights[1] = random_below(&seed, 9);
	}
}

static void make_flame(struct flame *f, const struct stack *stacks)
{
	flame_init(f, 2);
	add_names(f);
	for (size_t i = 0; i < NR_STACKS; i++) {
		flame_add_stack(f, stacks[i].names, stacks[i].n);
		flame_count(f, 0, stacks[i].weights[0]);
		flame_count(f, 1, stacks[i].weights[1]);
	}
	flame_finish(f);
}

static bool begins_with(const struct stack *s, const u32 *path, size_t n, bool reverse)
{
	size_t k = 0;

	while (k < n && k < s->n && s->names[reverse ? s->n - 1 - k : k] == path[k])
		k++;
	return k == n;
}

/* Sums of the stacks that begin with a path; those that are the path as well. */
static void sum_stacks(const struct stack *stacks, const u32 *path, size_t n, bool reverse,
		       unsigned int side, u64 *self, u64 *total)
{
	*self = *total = 0;
	for (size_t i = 0; i < NR_STACKS; i++) {
		if (!begins_with(&stacks[i], path, n, reverse))
			continue;
		*total += stacks[i].weights[side];
		*self += stacks[i].n == n ? stacks[i].weights[side] : 0;
	}
}

/* The shape of the arrays: end, and depths that grow by one step. */
static void check_shape(const struct flame *f)
{
	CHECK_EQ(f->depth[0], 0);
	CHECK_EQ(f->end[0], f->nr);
	for (size_t n = 1; n < f->nr; n++) {
		size_t end = n + 1;

		CHECK(f->depth[n] >= 1 && f->depth[n] <= f->depth[n - 1] + 1);
		while (end < f->nr && f->depth[end] > f->depth[n])
			end++;
		CHECK_EQ(f->end[n], end);
	}
}

/* Every node's weights, and that no two nodes have the same path. */
static void check_nodes(const struct flame *f, const struct stack *stacks, bool reverse)
{
	u32 path[MAX_DEPTH + 1];
	u64 self, total, sum[2] = { 0 }, all[2] = { 0 };

	check_shape(f);
	for (size_t n = 1; n < f->nr; n++) {
		path[f->depth[n] - 1] = f->name[n];
		for (unsigned int side = 0; side < 2; side++) {
			sum_stacks(stacks, path, f->depth[n], reverse, side, &self, &total);
			CHECK_EQ(f->self[side][n], self);
			CHECK_EQ(f->total[side][n], total);
			sum[side] += self;
		}
	}
	for (unsigned int side = 0; side < 2; side++) {
		for (size_t i = 0; i < NR_STACKS; i++)
			all[side] += stacks[i].weights[side];
		CHECK_EQ(sum[side], all[side]);
		CHECK_EQ(flame_total(f, side), all[side]);
	}
}

static u64 weight_of(const struct flame *f, size_t n)
{
	return f->total[0][n] + f->total[1][n];
}

/* Each sibling comes after the one before it. */
static void check_order(const struct flame *f, enum flame_order order)
{
	for (size_t n = 1; n < f->nr; n++) {
		size_t next = f->end[n];
		int names;

		if (next == f->nr || f->depth[next] != f->depth[n])
			continue;
		names = strcmp(f->names[f->name[n]].text, f->names[f->name[next]].text);
		CHECK(order == FLAME_BY_WEIGHT || names < 0);
		CHECK(order == FLAME_BY_NAME || weight_of(f, n) >= weight_of(f, next));
		CHECK(weight_of(f, n) != weight_of(f, next) || names < 0);
	}
}

TEST(sorted_and_reversed_trees_have_the_sums_of_their_stacks)
{
	struct stack *stacks = xcalloc(NR_STACKS, sizeof(*stacks));

	for (u32 seed = 1; seed <= 4; seed++) {
		struct flame f, made;

		make_stacks(stacks, seed);
		make_flame(&f, stacks);
		check_shape(&f);
		for (int order = FLAME_BY_NAME; order <= FLAME_BY_WEIGHT; order++) {
			flame_sorted(&f, (enum flame_order)order, &made);
			check_nodes(&made, stacks, false);
			check_order(&made, (enum flame_order)order);
			flame_fini(&made);
			flame_reversed(&f, (enum flame_order)order, &made);
			check_nodes(&made, stacks, true);
			check_order(&made, (enum flame_order)order);
			flame_fini(&made);
		}
		flame_fini(&f);
	}
	free(stacks);
}

/* The tree as "name:depth:self/total " for each node. */
static const char *text_of(const struct flame *f)
{
	static char text[512];
	size_t len = 0;

	for (size_t n = 1; n < f->nr; n++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s:%u:%llu/%llu ",
					f->names[f->name[n]].text, f->depth[n],
					(unsigned long long)f->self[0][n],
					(unsigned long long)f->total[0][n]);
	return text;
}

/* main;a 2, main;b 1, main;a 4: in this order, as in a flame chart. */
static void make_chart(struct flame *f)
{
	static const u32 main_a[] = { 1, 2 }, main_b[] = { 1, 3 };

	flame_init(f, 1);
	add_names(f);
	flame_add_stack(f, main_a, 2);
	flame_count(f, 0, 2);
	flame_add_stack(f, main_b, 2);
	flame_count(f, 0, 1);
	flame_add_stack(f, main_a, 2);
	flame_count(f, 0, 4);
	flame_finish(f);
}

TEST(stacks_in_order_of_time_are_not_merged)
{
	struct flame f, sorted;

	make_chart(&f);
	CHECK_STR(text_of(&f), "main:1:0/7 a:2:2/2 b:2:1/1 a:2:4/4 ");
	flame_sorted(&f, FLAME_BY_NAME, &sorted);
	CHECK_STR(text_of(&sorted), "main:1:0/7 a:2:6/6 b:2:1/1 ");
	flame_fini(&sorted);
	flame_fini(&f);
}

TEST(small_nodes_are_left_out_with_all_below_them)
{
	struct flame f, pruned;

	make_chart(&f);
	CHECK_EQ(flame_pruned(&f, 2, &pruned), 1);
	CHECK_STR(text_of(&pruned), "main:1:0/7 a:2:2/2 a:2:4/4 ");
	check_shape(&pruned);
	CHECK_EQ(flame_total(&pruned, 0), 7);
	flame_fini(&pruned);
	CHECK_EQ(flame_pruned(&f, 8, &pruned), 4);
	CHECK_EQ(pruned.nr, 1);
	CHECK_EQ(flame_total(&pruned, 0), 7);
	flame_fini(&pruned);
	flame_fini(&f);
}

TEST(pushed_and_popped)
{
	struct flame f;

	flame_init(&f, 1);
	add_names(&f);
	flame_push(&f, 1);
	flame_push(&f, 2);
	flame_count(&f, 0, 5);
	flame_pop(&f);
	flame_push(&f, 2);
	flame_count(&f, 0, 1);
	flame_pop(&f);
	flame_count(&f, 0, 3);
	flame_finish(&f);
	CHECK_STR(text_of(&f), "main:1:3/9 a:2:5/5 a:2:1/1 ");
	check_shape(&f);
	flame_fini(&f);
}

TEST(an_empty_tree)
{
	struct flame f, made;

	flame_init(&f, 2);
	flame_finish(&f);
	CHECK_EQ(f.nr, 1);
	CHECK_EQ(f.end[0], 1);
	CHECK_EQ(flame_total(&f, 1), 0);
	flame_reversed(&f, FLAME_BY_WEIGHT, &made);
	CHECK_EQ(made.nr, 1);
	flame_fini(&made);
	flame_fini(&f);
}

TEST(sums_that_do_not_fit_are_the_largest_number)
{
	static const u32 stack[] = { 1, 2 };
	struct flame f;

	flame_init(&f, 1);
	add_names(&f);
	for (u32 n = 1; n <= 2; n++) {
		flame_add_stack(&f, stack, n);
		flame_count(&f, 0, UINT64_MAX - 1);
	}
	flame_finish(&f);
	CHECK_EQ(f.total[0][2], UINT64_MAX - 1);
	CHECK_EQ(f.total[0][1], UINT64_MAX);
	CHECK_EQ(flame_total(&f, 0), UINT64_MAX);
	flame_fini(&f);
}

/* SPDX-License-Identifier: MIT */
#include "unwind/join/join.h"

#include "base/mem.h"
#include "tests/frame/unit.h"

#define MAX_DEPTH 40

/* A thread whose stack grows and shrinks; copies reach `reach` frames up from the leaf. */
struct machine {
	u64 ips[MAX_DEPTH], sps[MAX_DEPTH]; /* root first */
	size_t depth;
	u64 seed;
};

static u32 next_random(struct machine *m)
{
	m->seed = m->seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(m->seed >> 33);
}

static void step(struct machine *m)
{
	size_t pops = next_random(m) % 4, pushes = next_random(m) % 4;

	while (pops-- && m->depth > 1)
		m->depth--;
	while (pushes-- && m->depth < MAX_DEPTH) {
		u64 sp = m->depth ? m->sps[m->depth - 1] : 1 << 20;

		m->ips[m->depth] = 0x1000 + next_random(m) % 64;
		m->sps[m->depth++] = sp - 16 - 16 * (next_random(m) % 4);
	}
}

#define MAX_IP 0x2000

/* A stack of n frames; ips are the functions too, and their own numbers. */
static struct join_stack stack(u64 task, u64 time, const u64 *ips, const u64 *sps, size_t n,
			       u64 last_cfa)
{
	static struct unwind_tag tags[MAX_IP];
	static u32 pool[1 << 16];
	static size_t used;
	u32 *numbers;

	/* the oldest are no longer in use */
	if (used + n > ARRAY_SIZE(pool))
		used = 0;
	numbers = pool + used;
	used += n;
	for (size_t i = 0; i < n; i++) {
		CHECK(ips[i] < MAX_IP);
		numbers[i] = (u32)ips[i];
		tags[ips[i]].function = ips[i];
	}
	return (struct join_stack){ .task = task,
				    .time = time,
				    .rank = time,
				    .numbers = numbers,
				    .tags = tags,
				    .sps = sps,
				    .ips = ips,
				    .nr = n,
				    .last_cfa = last_cfa,
				    .at_root = !last_cfa,
				    .asks = last_cfa };
}

/* What these stacks tell, in one batch. */
static struct join_table *table_of(const struct join_stack *const *stacks, size_t n)
{
	struct join_model *m = join_model_new(true);
	struct join_batch *b = join_batch_new();

	for (size_t i = 0; i < n; i++)
		join_batch_add(b, stacks[i]);
	join_model_add(m, b);
	join_batch_free(b);
	return join_model_finish(m);
}

static void find_last(const struct join_table *t, const struct join_stack *s,
		      struct join_path *path)
{
	const struct join_frame f = { s->ips[s->nr - 1], s->last_cfa };

	join_find(t, s->task, s->time, &f, 100, path);
}

TEST(callers_come_from_stacks_before_and_after)
{
	u64 whole[] = { 1, 2, 3, 4 }, whole_sps[] = { 10, 20, 30, 40 };
	u64 deep[] = { 7, 8, 2 }, deep_sps[] = { 4, 8, 20 };
	struct join_stack a = stack(9, 100, deep, deep_sps, 3, 30);
	struct join_stack b = stack(9, 200, whole, whole_sps, 4, 0);
	struct join_stack c = stack(9, 300, deep, deep_sps, 3, 30);
	const struct join_stack *all[] = { &a, &b, &c };
	struct join_path path = { 0 };
	struct join_table *t = table_of(all, 3);

	for (u32 i = 0; i < 2; i++) {
		find_last(t, i ? &a : &c, &path);
		CHECK_EQ(path.nr, 2);
		CHECK_EQ(path.ips[0], 3);
		CHECK_EQ(path.ips[1], 4);
		CHECK(path.at_root);
		join_path_of(t, join_answer(t, 0, i, i ? 300 : 100), 100, &path);
		CHECK_EQ(path.nr, 2);
		CHECK(path.at_root);
	}
	/* another function, another place, another thread */
	join_find(t, 9, 100, &(struct join_frame){ 3, 30 }, 100, &path);
	CHECK_EQ(path.nr, 0);
	join_find(t, 9, 100, &(struct join_frame){ 2, 34 }, 100, &path);
	CHECK_EQ(path.nr, 0);
	join_find(t, 8, 100, &(struct join_frame){ 2, 30 }, 100, &path);
	CHECK_EQ(path.nr, 0);
	join_find(t, 9, 100, &(struct join_frame){ 2, 30 }, 1, &path);
	CHECK_EQ(path.nr, 1);
	CHECK(!path.at_root);
	join_path_fini(&path);
	join_table_free(t);
}

TEST(a_stack_between_contradicts)
{
	u64 whole[] = { 1, 2, 3, 4 }, whole_sps[] = { 10, 20, 30, 40 };
	u64 above[] = { 5, 3, 4 }, above_sps[] = { 26, 30, 40 };
	u64 deep[] = { 7, 8, 2 }, deep_sps[] = { 4, 8, 20 };
	struct join_stack a = stack(9, 100, whole, whole_sps, 4, 0);
	struct join_stack b = stack(9, 200, above, above_sps, 3, 0);
	struct join_stack c = stack(9, 300, deep, deep_sps, 3, 30);
	const struct join_stack *all[] = { &a, &b, &c };
	struct join_path path = { 0 };
	struct join_table *t = table_of(all, 3);

	find_last(t, &c, &path);
	CHECK_EQ(path.nr, 0);
	CHECK(!path.at_root);
	join_path_fini(&path);
	join_table_free(t);
}

TEST(another_caller_contradicts)
{
	u64 whole[] = { 1, 2, 3, 4 }, whole_sps[] = { 10, 20, 30, 40 };
	u64 other[] = { 1, 2, 5, 4 }, between[] = { 1, 2, 6, 3, 4 };
	u64 between_sps[] = { 10, 20, 30, 35, 40 };
	u64 deep[] = { 7, 8, 2 }, deep_sps[] = { 4, 8, 20 };
	struct join_stack a = stack(9, 100, whole, whole_sps, 4, 0);
	struct join_stack b = stack(9, 200, deep, deep_sps, 3, 30);
	struct join_stack c = stack(9, 300, other, whole_sps, 4, 0);
	struct join_stack d = stack(9, 400, deep, deep_sps, 3, 30);
	struct join_stack e = stack(9, 500, between, between_sps, 5, 0);
	struct join_stack f = stack(9, 600, deep, deep_sps, 3, 30);
	const struct join_stack *all[] = { &a, &b, &c, &d, &e, &f };
	const u64 want[] = { 3, 5, 6 };
	struct join_path path = { 0 };
	struct join_table *t = table_of(all, 6);

	for (size_t i = 0; i < 3; i++) {
		find_last(t, all[2 * i + 1], &path);
		CHECK_EQ(path.nr, i == 2 ? 3 : 2);
		CHECK_EQ(path.ips[0], want[i]);
		CHECK_EQ(path.ips[path.nr - 1], 4);
		CHECK(path.at_root);
	}
	join_path_fini(&path);
	join_table_free(t);
}

TEST(hops_go_on_where_a_copy_ends)
{
	u64 outer[] = { 8, 5, 6 }, outer_sps[] = { 45, 50, 60 };
	u64 middle[] = { 9, 3, 4, 5 }, middle_sps[] = { 25, 30, 40, 50 };
	u64 deep[] = { 1, 2, 3 }, deep_sps[] = { 10, 20, 30 };
	struct join_stack a = stack(1, 10, deep, deep_sps, 3, 40);
	struct join_stack b = stack(1, 20, middle, middle_sps, 4, 60);
	struct join_stack c = stack(1, 30, outer, outer_sps, 3, 0);
	const struct join_stack *all[] = { &a, &b, &c };
	struct join_path path = { 0 };
	struct join_table *t = table_of(all, 3);

	find_last(t, &a, &path);
	CHECK_EQ(path.nr, 3);
	CHECK_EQ(path.ips[0], 4);
	CHECK_EQ(path.ips[1], 5);
	CHECK_EQ(path.ips[2], 6);
	CHECK(path.at_root);
	join_path_fini(&path);
	join_table_free(t);
}

TEST(callers_below_their_callees_tell_nothing)
{
	u64 a[] = { 1, 2, 3 }, sps[] = { 10, 30, 20 };
	u64 deep[] = { 7, 1 }, deep_sps[] = { 4, 10 };
	struct join_stack s = stack(1, 10, a, sps, 3, 0);
	struct join_stack d = stack(1, 20, deep, deep_sps, 2, 30);
	const struct join_stack *all[] = { &s, &d };
	struct join_path path = { 0 };
	struct join_table *t = table_of(all, 2);

	find_last(t, &d, &path);
	CHECK_EQ(path.nr, 0);
	CHECK(!path.at_root);
	join_path_fini(&path);
	join_table_free(t);
}

/* A handler on a stack of its own, which lies above: it asks for who is alive before and after. */
TEST(a_stack_apart_asks_all_the_same)
{
	u64 whole[] = { 1, 2, 3, 4 }, whole_sps[] = { 10, 20, 30, 40 };
	u64 apart[] = { 7, 8, 9, 2 }, apart_sps[] = { 70, 80, 90, 20 };
	struct join_stack a = stack(9, 100, whole, whole_sps, 4, 0);
	struct join_stack b = stack(9, 200, apart, apart_sps, 4, 30);
	struct join_stack c = stack(9, 300, whole, whole_sps, 4, 0);
	struct join_stack d = stack(9, 400, apart, apart_sps, 4, 30);
	const struct join_stack *all[] = { &a, &b, &c, &d };
	struct join_path path = { 0 };
	struct join_table *t = table_of(all, 4);

	find_last(t, &b, &path);
	CHECK_EQ(path.nr, 2);
	CHECK_EQ(path.ips[0], 3);
	CHECK(path.at_root);
	/* never seen again: it may have returned before */
	find_last(t, &d, &path);
	CHECK_EQ(path.nr, 0);
	CHECK_EQ(join_answer(t, 0, 1, 400), JOIN_NO_CALL);
	join_path_fini(&path);
	join_table_free(t);
}

/* The stack leaf first, at most reach frames of it. */
static struct join_stack copy_of(const struct machine *m, size_t reach, u64 *ips, u64 *sps)
{
	size_t nr = reach < m->depth ? reach : m->depth;

	for (size_t i = 0; i < nr; i++) {
		ips[i] = m->ips[m->depth - 1 - i];
		sps[i] = m->sps[m->depth - 1 - i];
	}
	return stack(0, 0, ips, sps, nr, nr == m->depth ? 0 : m->sps[m->depth - 1 - nr]);
}

/* Random walks: whatever batches the stacks are in, the same is found, and nearly always the truth.
 */
TEST(spread_over_batches_it_stays_the_same)
{
	struct {
		u64 ips[MAX_DEPTH], sps[MAX_DEPTH], true_ips[MAX_DEPTH];
		size_t depth;
		struct join_stack s;
		u32 batch, question;
	} * all;
	enum { N = 3000, TASKS = 3, BATCH = 100 };
	struct machine m[TASKS] = { { .seed = 1 }, { .seed = 2 }, { .seed = 3 } };
	struct join_batch *one = join_batch_new(), *many = join_batch_new();
	struct join_model *ma = join_model_new(true), *mb = join_model_new(false);
	struct join_path a = { 0 }, b = { 0 };
	struct join_table *ta, *tb;
	size_t found = 0, right = 0, rooted = 0;

	all = xcalloc(N, sizeof(*all));
	for (size_t i = 0; i < N; i++) {
		struct machine *who = &m[i % 7 % TASKS];

		if (i && i % BATCH == 0)
			join_model_add(mb, many);
		step(who);
		all[i].s = copy_of(who, 3 + next_random(who) % 12, all[i].ips, all[i].sps);
		all[i].depth = who->depth;
		memcpy(all[i].true_ips, who->ips, sizeof(who->ips));
		all[i].s.task = (u64)(who - m);
		all[i].s.time = i;
		all[i].s.rank = i;
		join_batch_add(one, &all[i].s);
		all[i].batch = (u32)i / BATCH;
		all[i].question = join_batch_add(many, &all[i].s);
	}
	join_model_add(ma, one);
	join_model_add(mb, many);
	CHECK(join_model_bytes(mb) > 0);
	join_batch_free(one);
	join_batch_free(many);
	ta = join_model_finish(ma);
	tb = join_model_finish(mb);
	for (size_t i = 0; i < N; i++) {
		const struct join_stack *s = &all[i].s;

		if (s->at_root)
			continue;
		find_last(ta, s, &a);
		join_path_of(tb, join_answer(tb, all[i].batch, all[i].question, i), 100, &b);
		CHECK_EQ(a.nr, b.nr);
		CHECK_EQ(a.at_root, b.at_root);
		CHECK(!a.nr || !memcmp(a.ips, b.ips, a.nr * sizeof(*a.ips)));
		for (size_t k = 0; k < a.nr && s->nr + k < all[i].depth; k++)
			right += a.ips[k] == all[i].true_ips[all[i].depth - 1 - s->nr - k];
		found += a.nr;
		rooted += a.at_root;
	}
	CHECK(found > N);
	CHECK(right * 100 >= found * 99);
	CHECK(rooted > N / 8);
	join_path_fini(&a);
	join_path_fini(&b);
	join_table_free(ta);
	join_table_free(tb);
	free(all);
}

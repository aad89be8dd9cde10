/* SPDX-License-Identifier: MIT */
#include "unwind/join.h"

#include "base/mem.h"
#include "tests/unit.h"

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

/* The stack leaf first, at most reach frames of it. */
static struct join_stack copy_of(const struct machine *m, size_t reach, u64 *ips, u64 *sps)
{
	size_t nr = reach < m->depth ? reach : m->depth;

	for (size_t i = 0; i < nr; i++) {
		ips[i] = m->ips[m->depth - 1 - i];
		sps[i] = m->sps[m->depth - 1 - i];
	}
	return (struct join_stack){
		.functions = ips, .cfas = sps, .ips = ips, .nr = nr, .at_root = nr == m->depth
	};
}

TEST(callers_come_from_the_nearest_stack)
{
	struct join_notes *n = join_notes_new();
	u64 early_ips[] = { 1, 2, 3, 4 }, late_ips[] = { 7, 2, 5, 4 };
	u64 sps[] = { 10, 20, 30, 40 };
	struct join_stack s = { .task = 9,
				.time = 100,
				.functions = early_ips,
				.cfas = sps,
				.ips = early_ips,
				.nr = 4 };
	struct join_path path = { 0 };
	struct join_table *t;

	s.at_root = true;
	join_note(n, &s);
	s.time = 200;
	s.ips = s.functions = late_ips;
	join_note(n, &s);
	t = join_table_new(&n, 1);
	join_notes_free(n);

	join_find(t, 9, 120, 2, 20, 100, &path);
	CHECK_EQ(path.nr, 2);
	CHECK_EQ(path.ips[0], 3);
	CHECK_EQ(path.ips[1], 4);
	CHECK(path.at_root);
	CHECK_EQ(path.distance, 20);
	/* a tie goes to the earlier one */
	join_find(t, 9, 150, 2, 20, 100, &path);
	CHECK_EQ(path.ips[0], 3);
	join_find(t, 9, 151, 2, 20, 100, &path);
	CHECK_EQ(path.ips[0], 5);
	CHECK_EQ(path.ips[1], 4);
	join_find(t, 9, 151, 2, 20, 1, &path);
	CHECK_EQ(path.nr, 1);
	CHECK(!path.at_root);
	/* another place, another return address, another thread */
	join_find(t, 9, 120, 2, 24, 100, &path);
	CHECK_EQ(path.nr, 0);
	join_find(t, 9, 120, 3, 20, 100, &path);
	CHECK_EQ(path.nr, 0);
	join_find(t, 8, 120, 2, 20, 100, &path);
	CHECK_EQ(path.nr, 0);
	join_path_fini(&path);
	join_table_free(t);
}

TEST(hops_go_on_where_a_copy_ends)
{
	struct join_notes *n = join_notes_new();
	u64 deep[] = { 1, 2, 3 }, middle[] = { 9, 3, 4, 5 }, outer[] = { 8, 5, 6 };
	u64 deep_sps[] = { 10, 20, 30 }, middle_sps[] = { 25, 30, 40, 50 },
	    outer_sps[] = { 45, 50, 60 };
	struct join_path path = { 0 };
	struct join_table *t;

	join_note(n, &(struct join_stack){ 1, 10, 0, deep, deep_sps, deep, 3, false });
	join_note(n, &(struct join_stack){ 1, 20, 1, middle, middle_sps, middle, 4, false });
	join_note(n, &(struct join_stack){ 1, 30, 2, outer, outer_sps, outer, 3, true });
	t = join_table_new(&n, 1);
	join_notes_free(n);
	join_find(t, 1, 10, 3, 30, 100, &path);
	CHECK_EQ(path.nr, 3);
	CHECK_EQ(path.ips[0], 4);
	CHECK_EQ(path.ips[1], 5);
	CHECK_EQ(path.ips[2], 6);
	CHECK(path.at_root);
	CHECK_EQ(path.distance, 20);
	join_path_fini(&path);
	join_table_free(t);
}

TEST(a_loop_of_callers_ends)
{
	struct join_notes *n = join_notes_new();
	u64 a[] = { 1, 2, 3 }, b[] = { 1, 3, 2 };
	u64 a_sps[] = { 10, 20, 30 }, b_sps[] = { 10, 30, 20 };
	struct join_path path = { 0 };
	struct join_table *t;

	join_note(n, &(struct join_stack){ 1, 10, 0, a, a_sps, a, 3, false });
	join_note(n, &(struct join_stack){ 1, 20, 1, b, b_sps, b, 3, false });
	t = join_table_new(&n, 1);
	join_notes_free(n);
	join_find(t, 1, 10, 2, 20, 500, &path);
	CHECK_EQ(path.nr, 500);
	CHECK(!path.at_root);
	join_path_fini(&path);
	join_table_free(t);
}

/*
 * Random walks: whatever notes the stacks are in, the same is found, and what is found begins with
 * the caller that the nearest copy which has the frame gives.
 */
TEST(spread_over_notes_it_stays_the_same)
{
	struct {
		u64 ips[MAX_DEPTH], sps[MAX_DEPTH];
		struct join_stack s;
	} * all;
	enum { N = 3000, TASKS = 3, BATCH = 100 };
	struct machine m[TASKS] = { { .seed = 1 }, { .seed = 2 }, { .seed = 3 } };
	struct join_notes *one = join_notes_new(), *many[3];
	struct join_path a = { 0 }, b = { 0 };
	struct join_table *ta, *tb;
	size_t found = 0, rooted = 0;

	all = xcalloc(N, sizeof(*all));
	for (size_t i = 0; i < 3; i++)
		many[i] = join_notes_new();
	for (size_t i = 0; i < N; i++) {
		struct machine *who = &m[i % 7 % TASKS];

		if (i % BATCH == 0)
			join_notes_break(many[i / BATCH * 2 % 3]);
		step(who);
		all[i].s = copy_of(who, 3 + next_random(who) % 12, all[i].ips, all[i].sps);
		all[i].s.task = (u64)(who - m);
		all[i].s.time = i / 2;
		all[i].s.rank = i;
		join_note(one, &all[i].s);
		join_note(many[i / BATCH * 2 % 3], &all[i].s);
	}
	ta = join_table_new(&one, 1);
	tb = join_table_new(many, 3);
	join_notes_free(one);
	for (size_t i = 0; i < 3; i++)
		join_notes_free(many[i]);
	for (size_t i = 0; i < N; i++) {
		const struct join_stack *s = &all[i].s;

		if (s->nr < 2 || s->at_root)
			continue;
		join_find(ta, s->task, s->time, s->ips[s->nr - 1], s->cfas[s->nr - 1], 100, &a);
		join_find(tb, s->task, s->time, s->ips[s->nr - 1], s->cfas[s->nr - 1], 100, &b);
		CHECK_EQ(a.nr, b.nr);
		CHECK_EQ(a.at_root, b.at_root);
		CHECK_EQ(a.distance, b.distance);
		CHECK(!a.nr || !memcmp(a.ips, b.ips, a.nr * sizeof(*a.ips)));
		found += a.nr > 0;
		rooted += a.at_root;
	}
	CHECK(found > N / 4);
	CHECK(rooted > N / 8);
	join_path_fini(&a);
	join_path_fini(&b);
	join_table_free(ta);
	join_table_free(tb);
	free(all);
}

/* SPDX-License-Identifier: MIT */
/* count/map_sieve: never says of an address in a map that there is none. */
#include "count/tables/map_sieve.h"

#include "base/mem.h"
#include "tests/frame/unit.h"

#define MOST 8

struct space {
	struct map_maker maker;
	struct mapset *set;
	struct map maps[MOST];
	struct map_sieves *sieves;
	const struct map_sieve *sieve;
};

static struct map *no_pieces(struct map_maker *mm, const struct map *m)
{
	(void)mm;
	(void)m;
	return NULL; /* no two of these maps overlap */
}

static void space_init(struct space *s, const u64 (*ranges)[2], size_t nr)
{
	*s = (struct space){ .maker = { .copy = no_pieces, .next_set_id = 1 } };
	s->set = mapset_new(&s->maker);
	for (size_t i = 0; i < nr; i++) {
		s->maps[i] = (struct map){ .start = ranges[i][0], .end = ranges[i][1] };
		mapset_insert(&s->set, &s->maker, &s->maps[i]);
	}
	s->sieves = xcalloc(1, sizeof(*s->sieves));
	CHECK(!map_sieves_get(s->sieves, s->set, MAP_SIEVE_PAYS - 1));
	s->sieve = map_sieves_get(s->sieves, s->set, 1);
	CHECK(s->sieve);
}

static void space_fini(struct space *s)
{
	mapset_put(s->set);
	free(s->sieves);
}

/* Edges of all maps, their neighbours, and what is far from any. */
static void check_edges(const struct space *s)
{
	static const s64 steps[] = { -0x10000, -1, 0, 1, 0xffff, 0x10000 };

	for (size_t i = 0; i < s->set->nr; i++) {
		for (size_t k = 0; k < 2 * ARRAY_SIZE(steps); k++) {
			const struct map *m = s->set->maps[i];
			u64 ip = (k % 2 ? m->start : m->end) + (u64)steps[k / 2];

			if (mapset_find(s->set, ip))
				CHECK(map_sieve_may_hold(s->sieve, ip));
		}
	}
}

TEST(what_lies_between_the_program_and_its_libraries_is_held_back)
{
	static const u64 ranges[][2] = {
		{ 0x400000, 0x421000 },
		{ 0x7f3643401000, 0x7f3643402000 },
		{ 0x7f3647200000, 0x7f364db5a000 },
		{ 0x7f3651510000, 0x7f3651512000 },
	};
	static const u64 nowhere[] = { 0,
				       1,
				       0x3fffff,
				       0x421000,
				       0x37a17470,
				       0x10000000f,
				       0x7f3643400fff,
				       0x7f3651512000,
				       0x7ffd00000000 };
	struct space s;

	space_init(&s, ranges, ARRAY_SIZE(ranges));
	CHECK_EQ(s.sieve->low.start, 0x400000);
	CHECK_EQ(s.sieve->low.len, 0x21000);
	CHECK_EQ(s.sieve->high.start, 0x7f3643401000);
	CHECK_EQ(s.sieve->high.len, 0x7f3651512000 - 0x7f3643401000);
	for (size_t i = 0; i < ARRAY_SIZE(nowhere); i++)
		CHECK(!map_sieve_may_hold(s.sieve, nowhere[i]));
	check_edges(&s);
	space_fini(&s);
}

TEST(few_maps_and_none)
{
	static const u64 one[][2] = { { 0x1000, 0x3000 } };
	static const u64 touching[][2] = { { 0x1000, 0x3000 }, { 0x3000, 0x5000 } };
	struct space s;

	space_init(&s, one, 1);
	CHECK(!map_sieve_may_hold(s.sieve, 0xfff));
	CHECK(map_sieve_may_hold(s.sieve, 0x1000));
	CHECK(map_sieve_may_hold(s.sieve, 0x2fff));
	CHECK(!map_sieve_may_hold(s.sieve, 0x3000));
	space_fini(&s);
	space_init(&s, touching, 2);
	check_edges(&s);
	CHECK(!map_sieve_may_hold(s.sieve, 0x5000));
	space_fini(&s);
	space_init(&s, NULL, 0);
	CHECK(!map_sieve_may_hold(s.sieve, 0));
	CHECK(!map_sieve_may_hold(s.sieve, UINT64_MAX));
	space_fini(&s);
}

/* A set in the place of another one, and of one that was too large. */
TEST(one_place_for_several_sets)
{
	static const u64 huge[][2] = { { 0x100000000000, 0x600000000000 } };
	static const u64 small[][2] = { { 0x400000, 0x410000 }, { 0x10400000, 0x10410000 } };
	struct space s, t;

	space_init(&s, huge, 1);
	space_init(&t, small, ARRAY_SIZE(small));
	t.set->id = s.set->id + MAP_SIEVES;
	CHECK(!map_sieves_get(s.sieves, t.set, 0));
	CHECK(map_sieves_get(s.sieves, t.set, 1000) == s.sieve);
	for (u64 ip = 0x400000; ip < 0x10420000; ip += 0x10000)
		CHECK_EQ(map_sieve_may_hold(s.sieve, ip), map_sieve_may_hold(t.sieve, ip));
	CHECK(map_sieve_may_hold(s.sieve, 0x400000));
	CHECK(!map_sieve_may_hold(s.sieve, 0x410000));
	space_fini(&s);
	space_fini(&t);
}

/* Too large for the bits, and at the ends of the address space. */
TEST(maps_of_any_size)
{
	static const u64 ranges[][2] = {
		{ 0, 0x2000 },
		{ 0x10000, 0x10001 },
		{ 0x100000000000, 0x600000000000 },
		{ 0xffffffff00000000, UINT64_MAX },
	};
	struct space s;

	space_init(&s, ranges, ARRAY_SIZE(ranges));
	check_edges(&s);
	CHECK(map_sieve_may_hold(s.sieve, 0));
	CHECK(map_sieve_may_hold(s.sieve, UINT64_MAX - 1));
	CHECK(map_sieve_may_hold(s.sieve, 0x300000000000));
	space_fini(&s);
}

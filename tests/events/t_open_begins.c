/* SPDX-License-Identifier: MIT */
/* The table of open begins against a list that is searched from its end. */
#include "events/open_begins.h"

#include "base/hash.h"
#include "base/mem.h"
#include "tests/frame/unit.h"

#define MOST 400

/* What the table should hold: the begins in the order in which they were added. */
struct model {
	struct {
		u64 key, nr;
	} v[MOST + 1];
	size_t n;
};

static void make_key(const struct open_begins *t, u64 k, u64 ret[MAX_PARTS])
{
	/* keys that differ in one part only */
	for (size_t i = 0; i < MAX_PARTS; i++)
		ret[i] = i == k % t->nr_parts ? k : 7;
}

static size_t newest_of(const struct model *m, u64 key)
{
	for (size_t i = m->n; i--;)
		if (m->v[i].key == key)
			return i;
	return SIZE_MAX;
}

static void drop(struct model *m, size_t i)
{
	memmove(&m->v[i], &m->v[i + 1], (m->n - i - 1) * sizeof(m->v[0]));
	m->n--;
}

static void check_same(struct open_begins *t, const struct model *m)
{
	CHECK_EQ(t->nr, m->n);
	if (m->n)
		CHECK_EQ(open_begins_oldest(t)->at.time, m->v[0].nr);
	else
		CHECK(!open_begins_oldest(t));
	for (u64 k = 0; k < 60; k++) {
		u64 key[MAX_PARTS];
		struct open_begin *b;
		size_t i = newest_of(m, k);

		make_key(t, k, key);
		b = open_begins_get(t, key);
		CHECK_EQ(b != NULL, i != SIZE_MAX);
		if (b)
			CHECK_EQ(b->at.time, m->v[i].nr);
	}
}

static void check_turns(u64 seed, size_t most)
{
	struct model m = { 0 };
	struct open_begins t;

	open_begins_init(&t);
	t.nr_parts = 1 + seed % MAX_PARTS;
	for (u64 nr = 0; nr < 5000; nr++) {
		u64 dice = hash_pair(seed, nr), k = dice / 8 % 60, key[MAX_PARTS];
		size_t i = newest_of(&m, k);
		struct open_begin *b;

		make_key(&t, k, key);
		switch (dice % 8) {
		case 0: /* the oldest */
			if (m.n) {
				open_begins_remove(&t, open_begins_oldest(&t));
				drop(&m, 0);
			}
			break;
		case 1:
		case 2: /* the newest of a key */
			if (i != SIZE_MAX) {
				open_begins_remove(&t, open_begins_get(&t, key));
				drop(&m, i);
			}
			break;
		default:
			if (m.n >= most)
				break;
			b = open_begins_put(&t, key);
			b->at.time = nr;
			m.v[m.n].key = k;
			m.v[m.n++].nr = nr;
			break;
		}
		if (nr % 16 == 0 || m.n < 4)
			check_same(&t, &m);
	}
	open_begins_fini(&t);
}

TEST(few_begins)
{
	for (u64 seed = 0; seed < 20; seed++)
		check_turns(seed, 5);
}

TEST(many_begins_lie_on_each_other)
{
	for (u64 seed = 100; seed < 110; seed++)
		check_turns(seed, MOST);
}

TEST(keys_that_come_once_take_no_memory)
{
	struct open_begins t;
	u64 key[MAX_PARTS] = { 0 };
	size_t bytes = 0;

	open_begins_init(&t);
	for (key[1] = 0; key[1] < 20000; key[1]++) {
		open_begins_remove(&t, open_begins_put(&t, key));
		CHECK(!open_begins_get(&t, key));
		if (key[1] == 1000)
			bytes = open_begins_bytes(&t);
	}
	CHECK_EQ(t.nr, 0);
	CHECK_EQ(open_begins_bytes(&t), bytes);
	open_begins_fini(&t);
}

TEST(table_grows)
{
	struct open_begins t;
	u64 key[MAX_PARTS] = { 0 };

	open_begins_init(&t);
	for (key[1] = 0; key[1] < 20000; key[1]++)
		open_begins_put(&t, key)->at.time = key[1];
	for (key[1] = 0; key[1] < 20000; key[1] += 2)
		open_begins_remove(&t, open_begins_get(&t, key));
	for (key[1] = 0; key[1] < 20000; key[1]++) {
		struct open_begin *b = open_begins_get(&t, key);

		CHECK_EQ(b != NULL, key[1] & 1);
		if (b)
			CHECK_EQ(b->at.time, key[1]);
	}
	CHECK_EQ(t.nr, 10000);
	CHECK(open_begins_bytes(&t) < 20000 * 300);
	open_begins_fini(&t);
}

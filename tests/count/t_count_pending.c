/* SPDX-License-Identifier: MIT */
#include "count/tables/count_pending.h"
#include "tests/frame/unit.h"

#define MANY 1300 /* more than two blocks */

static void add_many(struct count_pending *p)
{
	for (u32 i = 0; i < MANY; i++) {
		const struct pending_sample s = { .question = i, .sums = { 1, 10 + i, i } };
		const u32 key[] = { i, 2 * i, 3 * i };

		count_pending_add(p, &s, key, 3);
	}
}

TEST(samples_come_back_in_order_with_their_keys)
{
	struct pending_cursor c = { 0 };
	struct count_pending p;
	struct pending_sample *s;
	u32 *key;

	count_pending_init(&p);
	CHECK(!count_pending_next(&p, &c, &key));
	add_many(&p);
	CHECK_EQ(p.nr, MANY);
	CHECK(count_pending_bytes(&p) >= MANY * (sizeof(*s) + 3 * sizeof(*key)));
	for (u32 i = 0; i < MANY; i++) {
		s = count_pending_next(&p, &c, &key);
		CHECK(s && s->question == i && s->sums.period == 10 + i);
		CHECK(key[0] == i && key[1] == 2 * i && key[2] == 3 * i);
		key[1] = 7;
	}
	CHECK(!count_pending_next(&p, &c, &key));
	CHECK(!count_pending_next(&p, &c, &key));
	c = (struct pending_cursor){ 0 };
	s = count_pending_next(&p, &c, &key);
	CHECK(s && !s->question && key[1] == 7);
	count_pending_fini(&p);
	CHECK_EQ(count_pending_bytes(&p), 0);
}

TEST(one_way_does_not_disturb_another)
{
	struct pending_cursor ahead = { 0 }, behind = { 0 };
	struct count_pending p;
	struct pending_sample *s;
	u32 *key;

	count_pending_init(&p);
	add_many(&p);
	for (u32 i = 0; i < 16; i++)
		count_pending_next(&p, &ahead, &key);
	for (u32 i = 0; i < MANY; i++) {
		s = count_pending_next(&p, &ahead, &key);
		CHECK(i + 16 < MANY ? s && s->question == i + 16 : !s);
		s = count_pending_next(&p, &behind, &key);
		CHECK(s && s->question == i);
	}
	count_pending_fini(&p);
}

TEST(chains_of_addresses_are_copied)
{
	u64 ips[] = { 0x1000, 0x2000, 0x3000 };
	u8 modes[] = { 1, 2, 2 };
	const struct chain_ips chain = { .ips = ips, .modes = modes, .nr = 3 };
	u64 callers[] = { 0x4000, 0x5000 };
	const struct join_path path = { .ips = callers, .nr = 2, .at_root = true };
	struct pending_sample s = { 0 };
	struct chain_ips ret = { 0 };
	struct count_pending p;

	count_pending_init(&p);
	count_pending_keep_chain(&p, &chain, &s);
	ips[1] = 0;
	modes[1] = 0;
	CHECK_EQ(count_pending_chain(&s, &path, 100, &ret), 3);
	CHECK_EQ(ret.nr, 5);
	CHECK_EQ(ret.ips[1], 0x2000);
	CHECK_EQ(ret.modes[1], 2);
	CHECK_EQ(ret.ips[4], 0x5000);
	chain_ips_fini(&ret);
	count_pending_fini(&p);
}

/* SPDX-License-Identifier: MIT */
/* Chains by number: equal ones are one, and those that are held stay. */
#include "events/stacks/chain_texts.h"

#include "tests/frame/unit.h"

/* Chain number i, of its own addresses. */
static struct span chain_of(u64 words[16], u64 i)
{
	for (size_t k = 0; k < 16; k++)
		words[k] = i * 1000 + k;
	return span_of(words, 16 * sizeof(*words));
}

/* Adds chains from *next on until `chain` is not valid any more, or until there is no room. */
static bool fill(struct chain_texts *c, u64 *next)
{
	u32 filling = c->filling;
	u64 words[16];

	while (c->filling == filling)
		if (chain_texts_put(c, chain_of(words, (*next)++)) == CHAIN_NONE)
			return false;
	return true;
}

TEST(equal_chains_have_one_number)
{
	struct chain_texts c;
	u64 words[16];
	u32 a, b;

	chain_texts_init(&c, 1 << 20);
	a = chain_texts_put(&c, chain_of(words, 1));
	b = chain_texts_put(&c, chain_of(words, 2));
	CHECK(a != b && a != CHAIN_NONE && b != CHAIN_NONE);
	CHECK_EQ(chain_texts_put(&c, chain_of(words, 1)), a);
	CHECK_EQ(chain_texts_get(&c, a).n, 16 * 8);
	CHECK_MEM(chain_texts_get(&c, a).p, words, 16 * 8);
	CHECK_EQ(chain_texts_get(&c, chain_texts_put(&c, span_of("", 0))).n, 0);
	chain_texts_fini(&c);
}

TEST(a_text_belongs_to_a_chain_in_maps)
{
	struct chain_texts c;
	u64 words[16];
	u32 a, b;

	chain_texts_init(&c, 1 << 20);
	a = chain_texts_put(&c, chain_of(words, 1));
	b = chain_texts_put(&c, chain_of(words, 2));
	chain_texts_set(&c, a, 7, 70);
	CHECK_EQ(chain_texts_find(&c, a, 7), 70);
	CHECK_EQ(chain_texts_find(&c, a, 8), IDMAP_NONE);
	CHECK_EQ(chain_texts_find(&c, b, 7), IDMAP_NONE);
	chain_texts_fini(&c);
}

TEST(held_chains_stay_when_halves_are_full)
{
	struct chain_texts c;
	u64 words[16], next = 100;
	u32 a, b;

	chain_texts_init(&c, 1 << 20);
	a = chain_texts_put(&c, chain_of(words, 1));
	chain_texts_hold(&c, a);
	chain_texts_set(&c, a, 7, 70);
	CHECK(fill(&c, &next));
	b = chain_texts_put(&c, chain_of(words, 2));
	/* the half of `a` would be emptied now */
	CHECK(!fill(&c, &next));
	CHECK_MEM(chain_texts_get(&c, a).p, chain_of(words, 1).p, 16 * 8);
	CHECK_EQ(chain_texts_find(&c, a, 7), 70);
	chain_texts_drop(&c, a);
	CHECK(fill(&c, &next));
	/* its number is that of another chain, whose text is not known */
	CHECK_EQ(chain_texts_find(&c, a, 7), IDMAP_NONE);
	CHECK_MEM(chain_texts_get(&c, b).p, chain_of(words, 2).p, 16 * 8);
	CHECK(chain_texts_bytes(&c) < 2 << 20);
	chain_texts_fini(&c);
}

TEST(held_chains_stay_when_texts_are_forgotten)
{
	struct chain_texts c;
	u64 words[16];
	u32 a;

	chain_texts_init(&c, 1 << 20);
	a = chain_texts_put(&c, chain_of(words, 1));
	chain_texts_hold(&c, a);
	chain_texts_set(&c, a, 7, 70);
	chain_texts_forget(&c);
	CHECK_EQ(chain_texts_find(&c, a, 7), IDMAP_NONE);
	CHECK_MEM(chain_texts_get(&c, a).p, words, 16 * 8);
	chain_texts_drop(&c, a);
	chain_texts_forget(&c);
	CHECK_EQ(chain_texts_get(&c, a).n, 0);
	chain_texts_fini(&c);
}

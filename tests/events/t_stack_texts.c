/* SPDX-License-Identifier: MIT */
/* Which texts of call stacks stay. */
#include "events/stacks/stack_texts.h"

#include "tests/frame/unit.h"

static u32 put(struct stack_texts *t, u32 i)
{
	char text[300];

	snprintf(text, sizeof(text), "%0200u\nmain\n", i);
	return intern_str(&t->texts, text);
}

TEST(stacks_that_nothing_refers_to_are_forgotten)
{
	struct stack_texts t = { 0 };
	u32 first, last = 0, kept = 0;
	struct out o;

	intern_init(&t.texts);
	chain_texts_init(&t.chains, 1 << 20);
	out_init_mem(&o);
	first = put(&t, 1);
	CHECK(!stack_texts_are_many(&t));
	for (u32 i = 2; !stack_texts_are_many(&t); i++) {
		last = put(&t, i);
		kept = i == 5000 ? last : kept;
	}
	/* as a hash of frames that has been seen */
	idmap_put(&t.known, 1, 2, kept);
	stack_texts_begin_forget(&t);
	CHECK_EQ(stack_texts_keep(&t, 0), 0);
	first = stack_texts_keep(&t, first);
	kept = stack_texts_keep(&t, kept);
	CHECK_EQ(stack_texts_keep(&t, last), 3);
	stack_texts_end_forget(&t);
	CHECK(first == 1 && kept == 2);
	CHECK_EQ(idmap_get(&t.known, 1, 2), IDMAP_NONE);
	CHECK(!stack_texts_are_many(&t));
	CHECK(stack_texts_bytes(&t) < 100000);
	stack_texts_put_top(&t, &o, kept);
	CHECK_EQ(o.len, 200);
	CHECK(!memcmp(o.buf + 196, "5000", 4));
	(void)out_fini(&o);
	intern_fini(&t.texts);
	chain_texts_fini(&t.chains);
}

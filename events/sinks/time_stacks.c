/* SPDX-License-Identifier: MIT */
#include "events/sinks/time_stacks.h"

#include "base/mem.h"

enum { KEY_COMM, KEY_STACK, KEY_WORDS };

void time_stacks_init(struct time_stacks *t, struct session *s, u32 max_stack, u32 max_user)
{
	*t = (struct time_stacks){ 0 };
	stack_texts_init(&t->texts, s, max_stack, max_user);
	tuple_table_init(&t->keys, KEY_WORDS, 0);
}

void time_stacks_fini(struct time_stacks *t)
{
	stack_texts_fini(&t->texts);
	tuple_table_fini(&t->keys);
	free(t->ns);
	*t = (struct time_stacks){ 0 };
}

void time_stacks_add(struct time_stacks *t, const struct pair *pair, u32 stack)
{
	const char *comm = pair->begin.comm;
	const u64 key[KEY_WORDS] = { [KEY_COMM] = (u64)(uintptr_t)comm, [KEY_STACK] = stack };
	struct recent_key *r = &t->recent[(key[KEY_COMM] ^ stack) * 0x9e3779b97f4a7c15ull >> 56];

	if (!r->nr_plus_1 || r->comm != comm || r->stack != stack) {
		*r = (struct recent_key){ comm, stack, tuple_table_id(&t->keys, key) + 1 };
		if (r->nr_plus_1 > t->nr)
			vec_push(t->ns, t->nr, t->cap, 0);
	}
	t->ns[r->nr_plus_1 - 1] += pair->ns;
}

void time_stacks_put(const struct time_stacks *t, struct out *o)
{
	for (size_t i = 0; i < t->nr; i++) {
		const u64 *key = tuple_table_get(&t->keys, (u32)i);
		const char *comm = (const char *)(uintptr_t)key[KEY_COMM];

		for (; comm && *comm; comm++)
			out_mem(o, *comm == ';' ? ":" : *comm == '\n' ? " " : comm, 1);
		if (key[KEY_STACK]) {
			out_char(o, ';');
			stack_texts_put_folded(&t->texts, o, (u32)key[KEY_STACK]);
		}
		out_char(o, ' ');
		out_dec(o, t->ns[i], 0);
		out_char(o, '\n');
	}
}

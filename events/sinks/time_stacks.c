/* SPDX-License-Identifier: MIT */
#include "events/sinks/time_stacks.h"

#include "base/mem.h"

enum { KEY_COMM, KEY_STACK, KEY_WORDS };

void time_stacks_init(struct time_stacks *t, struct session *s, u32 max_stack, u32 max_user)
{
	*t = (struct time_stacks){ .s = s };
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

/* The stack of an event that is kept; 0: it has none. */
static u32 stack_of(struct time_stacks *t, const struct occurrence *at)
{
	struct replay_event ev = { .ev = (struct pd_event *)at->ev };
	struct sample_view v = { .ev = &ev, .task = { .comm = at->comm } };
	struct mapset *settled;
	struct perr e;
	u32 stack;

	if (!at->kept)
		return 0;
	ev.rec = at->kept->rec;
	if (pd_read_sample(at->ev, &ev.rec, t->s->pd->swap, &ev.sample, &e))
		return 0;
	machine_settle_kernel_now(t->s->machine);
	settled = machine_settled_maps(t->s->machine, at->kept->kernel_maps);
	v.task.kernel_maps = settled ? settled : at->kept->kernel_maps;
	v.task.user_maps = at->kept->user_maps;
	stack = stack_texts_of(&t->texts, &v);
	mapset_put(settled);
	return stack;
}

void time_stacks_add(struct time_stacks *t, const struct pair *pair, const struct sample_view *v)
{
	u64 key[KEY_WORDS] = { [KEY_COMM] = (u64)(uintptr_t)pair->begin.comm };
	u32 stack = stack_of(t, &pair->begin), id;
	struct occurrence end;

	if (!stack) {
		occurrence_init(&end, v, true);
		stack = stack_of(t, &end);
		occurrence_fini(&end);
	}
	key[KEY_STACK] = stack;
	id = tuple_table_id(&t->keys, key);
	if (id == t->nr)
		vec_push(t->ns, t->nr, t->cap, 0);
	t->ns[id] += pair->ns;
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

/* SPDX-License-Identifier: MIT */
#include "count/stack_iter.h"

#include "count/counts_priv.h"
#include "count/stack_entry.h"

struct span stack_iter_memory(const struct counts *c, u64 stack)
{
	return blobs_get(&c->priv->stacks, stack);
}

struct stack_ids stack_ids_of(const struct counts *c, u64 stack)
{
	struct span s = stack_iter_memory(c, stack);
	const u32 *ids = (const u32 *)(const void *)s.p;
	struct stack_ids ret = { .ids = ids, .nr = (u32)(s.n / sizeof(u32)) };

	if (!ret.nr || !(ids[ret.nr - 1] & CHAIN_REPEAT))
		return ret;
	ret.turn = chain_repeat_turn(ids[--ret.nr]);
	ret.more = chain_repeat_frames(ids[ret.nr]);
	return ret;
}

void stack_iter_init_ids(struct stack_iter *it, const u32 *ids, size_t n)
{
	*it = (struct stack_iter){ .p = ids, .end = ids + n };
}

void stack_iter_init(struct stack_iter *it, const struct counts *c, u64 stack)
{
	struct span s = stack_iter_memory(c, stack);

	stack_iter_init_ids(it, (const u32 *)(const void *)s.p, s.n / sizeof(u32));
	it->tails = c->priv->tails.items;
	it->repeats_anywhere = c->priv->by_symbol;
	if (it->p < it->end && count_is_tail(it->end[-1]))
		it->tail = count_tail_number(*--it->end);
}

u32 stack_iter_take_tail(struct stack_iter *it)
{
	u32 tail = it->tail;

	it->tail = 0;
	return tail;
}

/* The outermost frame of those that are left of the tail has number 0 as its tail. */
bool stack_iter_next_of_tail(struct stack_iter *it, struct stack_run *ret)
{
	const struct count_tail *t = &it->tails[it->tail];

	*ret = (struct stack_run){ &t->frame, 1, 1 };
	it->tail = t->outer;
	return true;
}

/* The next CHAIN_REPEAT entry, or it->end. */
static const u32 *next_repeat(const struct stack_iter *it)
{
	const u32 *p = it->p;

	if (!it->repeats_anywhere)
		return it->end[-1] & CHAIN_REPEAT ? it->end - 1 : it->end;
	while (p < it->end && !(*p & CHAIN_REPEAT))
		p++;
	return p;
}

void stack_iter_next_repeated(struct stack_iter *it, struct stack_run *ret)
{
	const u32 *ids = it->p, *p = next_repeat(it);
	u32 turn = 0;

	if (p < it->end)
		turn = chain_repeat_turn(*p);
	if ((size_t)(p - ids) > turn) {
		*ret = (struct stack_run){ ids, (u32)(p - ids) - turn, 1 };
		it->p = p - turn;
		return;
	}
	*ret = (struct stack_run){ ids, turn, 1 + chain_repeat_frames(*p) / turn };
	it->p = p + 1;
}

bool stack_iter_next(struct stack_iter *it, u32 *ret_frame)
{
	if (it->at == it->run.nr) {
		if (it->run.times > 1)
			it->run.times--;
		else if (!stack_iter_next_run(it, &it->run))
			return false;
		it->at = 0;
	}
	*ret_frame = it->run.ids[it->at++];
	return true;
}

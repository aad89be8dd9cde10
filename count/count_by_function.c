/* SPDX-License-Identifier: MIT */
/* Counting functions: see count/counter_kind.h. */
#include "base/mem.h"
#include "count/counter.h"

static struct count_spaces spaces_of(const struct counter_sample *cs)
{
	return (struct count_spaces){ cs->task->user_maps, cs->task->kernel_maps };
}

static void list_chain(struct counter *c, struct counter_sample *cs)
{
	const struct count_naming naming = { &c->frames, spaces_of(cs), &cs->next_rank };

	count_pack_list(c->sieves, &naming, &cs->chain, cs->ev, cs->s,
			chain_limit(cs->ev, c->cfg->max_stack, c->cfg->max_user_stack));
}

static void settle_chain(struct counter *c, struct counter_sample *cs)
{
	const struct count_spaces spaces = spaces_of(cs);

	count_pack_prefetch(&c->frames, &spaces, &cs->chain);
}

static void name_sample(struct counter *c, struct counter_sample *cs)
{
	const struct count_spaces spaces = spaces_of(cs);

	cs->ip_frame = COUNT_FRAME_LOW;
	if (!cs->chain.nr && c->cfg->columns >> COUNT_IP & 1)
		cs->ip_frame =
			counter_frame(c, cs->task, cs->s->cpumode, cs->s->ip, &cs->next_rank);
	if (!(c->cfg->columns >> COUNT_STACK & 1))
		return;
	vec_reserve(cs->ids, cs->cap_ids, 2 * cs->chain.nr);
	cs->nr_ids = count_pack(&c->frames, &spaces, &cs->chain, &cs->next_rank, cs->ids,
				&cs->stack_hash);
	blobs_prefetch(&c->stacks, (u32)(cs->stack_hash >> 32));
}

static u64 put_stack(struct counter *c, const struct counter_sample *cs, u64 *rank)
{
	(void)rank;
	return blobs_put(&c->stacks, cs->ids, cs->nr_ids * sizeof(*cs->ids), cs->stack_hash);
}

static void keep_stack(struct counter *c, const struct counter_sample *cs, struct pending_sample *p)
{
	/* in the stacks' own room, with one more id for a tail: joined, it is adopted as it lies */
	p->chain = blobs_room(&c->stacks, (cs->nr_ids + 1) * sizeof(*cs->ids));
	memcpy(p->chain, cs->ids, cs->nr_ids * sizeof(*cs->ids));
	p->nr = (u32)cs->nr_ids;
	p->check = (u32)(cs->stack_hash >> 32);
}

const struct counter_kind count_by_function = {
	.list_chain = list_chain,
	.settle_chain = settle_chain,
	.name = name_sample,
	.put_stack = put_stack,
	.keep_stack = keep_stack,
};

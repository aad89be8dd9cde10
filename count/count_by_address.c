/* SPDX-License-Identifier: MIT */
/* Counting addresses: see count/counter_kind.h. */
#include "base/hash.h"
#include "base/mem.h"
#include "count/counter.h"

static struct count_spaces spaces_of(const struct counter_sample *cs)
{
	return (struct count_spaces){ cs->task->user_maps, cs->task->kernel_maps };
}

static void list_chain(struct counter *c, struct counter_sample *cs)
{
	chain_list(&cs->chain, cs->ev, cs->s,
		   chain_limit(cs->ev, c->cfg->max_stack, c->cfg->max_user_stack));
}

/* The map of the innermost user frame; 0: none. */
static u32 user_map_of(const struct chain_ips *ch)
{
	const struct map *m = NULL;
	size_t i;

	for (i = 0; i < ch->nr && ch->modes[i] != PD_CPUMODE_USER; i++)
		;
	if (i < ch->nr && ch->user_maps)
		m = mapset_find(ch->user_maps, ch->ips[i]);
	return m ? m->id : 0;
}

static void hash_chain(struct counter_sample *cs)
{
	const struct chain_ips *ch = &cs->chain;

	/*
	 * Of the addresses, not of the ids: the same in every counter. Processes without address
	 * space randomisation have the same addresses in different maps.
	 */
	cs->stack_hash = hash_pair(hash_bytes(ch->ips, ch->nr * sizeof(*ch->ips)), user_map_of(ch));
	if (ch->circle)
		cs->stack_hash = hash_pair(cs->stack_hash, ch->circle);
}

static void settle_chain(struct counter *c, struct counter_sample *cs)
{
	const struct count_spaces spaces = spaces_of(cs);
	struct chain_ips *ch = &cs->chain;

	/* the callers of a stack that waits to be joined are not known yet */
	if (ch->unwound && !cs->is_pending)
		chain_find_circle(ch);
	hash_chain(cs);
	blobs_prefetch(&c->stacks, (u32)(cs->stack_hash >> 32));
	count_frames_prefetch_places(&c->frames, &spaces, ch->ips, ch->modes, ch->nr);
}

static void fetch(const struct counter *c, const struct counter_sample *cs)
{
	const struct count_spaces spaces = spaces_of(cs);
	const struct chain_ips *ch = &cs->chain;

	count_frames_prefetch_missing(&c->frames, &spaces, ch->ips, ch->modes, ch->nr);
}

static u64 put_stack(struct counter *c, const struct counter_sample *cs, u64 *rank)
{
	const struct count_spaces spaces = spaces_of(cs);
	const struct chain_ips *ch = &cs->chain;

	vec_reserve(c->ids, c->cap_ids, ch->nr + 1);
	count_frames_get(&c->frames, &spaces, ch->ips, ch->modes, ch->nr, rank, c->ids);
	c->ids[ch->nr] = ch->circle;
	return blobs_put(&c->stacks, c->ids, (ch->nr + !!ch->circle) * sizeof(*c->ids),
			 cs->stack_hash);
}

static void complete(struct counter *c, struct counter_sample *cs, u64 *rank)
{
	(void)c;
	(void)rank;
	hash_chain(cs);
}

static void keep_stack(struct counter *c, const struct counter_sample *cs, struct pending_sample *p)
{
	count_pending_keep_chain(&c->pending, &cs->chain, p);
}

const struct counter_kind count_by_address = {
	.list_chain = list_chain,
	.settle_chain = settle_chain,
	.fetch = fetch,
	.put_stack = put_stack,
	.complete = complete,
	.keep_stack = keep_stack,
};

/* Which ids the frames have is part of the hash: addresses differ from process to process. */
static void name_chain(struct counter *c, struct counter_sample *cs, u64 *rank)
{
	const struct count_spaces spaces = spaces_of(cs);
	const struct chain_ips *ch = &cs->chain;
	u64 hash = ch->circle;

	vec_reserve(cs->ids, cs->cap_ids, ch->nr + 1);
	count_frames_get(&c->frames, &spaces, ch->ips, ch->modes, ch->nr, rank, cs->ids);
	for (size_t i = 0; i < ch->nr; i++)
		hash = hash_pair(hash, c->frames.marks[cs->ids[i]]);
	cs->stack_hash = hash_u64(hash);
	cs->nr_ids = ch->nr;
	if (ch->circle)
		cs->ids[cs->nr_ids++] = ch->circle;
}

static void settle_file_chain(struct counter *c, struct counter_sample *cs)
{
	const struct count_spaces spaces = spaces_of(cs);
	struct chain_ips *ch = &cs->chain;

	if (ch->unwound && !cs->is_pending)
		chain_find_circle(ch);
	count_frames_prefetch_places(&c->frames, &spaces, ch->ips, ch->modes, ch->nr);
}

/* Whether the sample's own address is the first of its chain, as it mostly is. */
static bool is_in_chain(const struct counter_sample *cs)
{
	return cs->chain.nr && cs->chain.ips[0] == cs->s->ip &&
	       cs->chain.modes[0] == cs->s->cpumode;
}

static void name_sample(struct counter *c, struct counter_sample *cs)
{
	bool has_chain = c->cfg->columns >> COUNT_STACK & 1 && !cs->is_pending;
	bool has_ip = c->cfg->columns >> COUNT_IP & 1;
	bool in_chain = has_ip && has_chain && is_in_chain(cs);

	if (has_ip && !in_chain)
		cs->ip_frame =
			counter_frame(c, cs->task, cs->s->cpumode, cs->s->ip, &cs->next_rank);
	if (!has_chain)
		return;
	name_chain(c, cs, &cs->next_rank);
	if (in_chain)
		cs->ip_frame = cs->ids[0];
	blobs_prefetch(&c->stacks, (u32)(cs->stack_hash >> 32));
}

static u64 put_named(struct counter *c, const struct counter_sample *cs, u64 *rank)
{
	(void)rank;
	return blobs_put(&c->stacks, cs->ids, cs->nr_ids * sizeof(*cs->ids), cs->stack_hash);
}

const struct counter_kind count_by_file_address = {
	.list_chain = list_chain,
	.settle_chain = settle_file_chain,
	.name = name_sample,
	.put_stack = put_named,
	.complete = name_chain,
	.keep_stack = keep_stack,
};

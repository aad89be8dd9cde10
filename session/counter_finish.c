/* SPDX-License-Identifier: MIT */
/* Samples whose stacks waited for others: joined, and counted at last. */
#include "base/hash.h"
#include "base/mem.h"
#include "session/counter.h"

/* What a stack became: many samples have the same, and end in the same call. */
struct finished {
	u64 stack;
	u32 added; /* frames */
	u8 end;
};

struct finishing {
	struct counter *c;
	const struct join_table *joins;
	struct join_path path;
	struct idmap known; /* (chain and run, room left) -> index in done */
	struct finished *done;
	size_t nr, cap;
};

/* Where a column's value is in a key; 0, which is the event's place, when it is not in it. */
static unsigned int key_place(u32 columns, enum count_column col)
{
	if (!(columns >> col & 1))
		return 0;
	return 1 + (unsigned int)__builtin_popcount(columns & ((1u << col) - 1));
}

static u8 end_of(const struct join_path *path)
{
	if (!path->nr && !path->at_root)
		return STACK_END(UNWIND_TRUNCATED);
	return (path->at_root ? STACK_ROOT : STACK_END(UNWIND_TRUNCATED)) | STACK_JOINED;
}

/* By symbol: joins the ids of a stack to those of its callers. */
static struct finished join_packed(struct finishing *f, const struct pending_sample *p, u32 run,
				   u64 *rank)
{
	const struct count_spaces spaces = { p->user_maps, p->kernel_maps };
	struct span chain = byte_runs_get(&f->c->pending.chains, p->chain);
	const u32 *ids = (const u32 *)(const void *)chain.p;
	struct counter_sample *cs = &f->c->own;
	size_t nr = chain.n / sizeof(*ids), added;

	join_path_of(f->joins, run, user_stacks_max_frames(f->c->user), &f->path);
	added = f->path.nr < p->left ? f->path.nr : p->left;
	vec_reserve(cs->ids, cs->cap_ids, nr + 2 * added + 2);
	nr = count_pack_more(&f->c->frames, &spaces, ids, nr, f->path.ips, added, rank, cs->ids,
			     &cs->stack_hash);
	return (struct finished){
		.stack = byte_runs_put(&f->c->stacks, cs->ids, nr * sizeof(*ids), cs->stack_hash),
		.added = (u32)added,
		.end = end_of(&f->path),
	};
}

/* The answer to a sample's question. */
static u32 run_of(const struct finishing *f, const struct pending_sample *p)
{
	return join_answer(f->joins, p->batch, p->question, p->sums.first >> RANK_BITS);
}

static struct finished finish_packed(struct finishing *f, const struct pending_sample *p, u64 *rank)
{
	u32 run = run_of(f, p), i;
	u64 both = (u64)p->chain << 32 | run;

	i = idmap_get(&f->known, both, p->left);
	if (i == IDMAP_NONE) {
		i = (u32)f->nr;
		idmap_put(&f->known, both, p->left, i);
		vec_push(f->done, f->nr, f->cap, join_packed(f, p, run, rank));
	}
	return f->done[i];
}

/* By address. */
static struct finished finish_chain(struct finishing *f, size_t i, struct count_task *task,
				    u64 *rank)
{
	struct counter *c = f->c;
	struct counter_sample *cs = &c->own;
	const u32 max = user_stacks_max_frames(c->user);
	struct finished done;
	size_t before;

	join_path_of(f->joins, run_of(f, &c->pending.items[i]), max, &f->path);
	before = count_pending_chain(&c->pending, i, &f->path, max, &cs->chain);
	done = (struct finished){ .added = (u32)(cs->chain.nr - before), .end = cs->chain.end };
	cs->task = task;
	chain_find_circle(&cs->chain);
	counter_hash_chain(cs);
	done.stack = counter_put_stack(c, cs, rank);
	return done;
}

void counter_finish(struct counter *c, const struct join_table *joins)
{
	const unsigned int stack_at = key_place(c->cfg->columns, COUNT_STACK);
	const unsigned int end_at = key_place(c->cfg->columns, COUNT_END);
	struct finishing f = { .c = c, .joins = joins };
	struct count_pending *p = &c->pending;
	size_t width = p->nr ? p->nr_keys / p->nr : 0;

	for (size_t i = 0; i < p->nr; i++) {
		struct count_task task = {
			.user_maps = (struct mapset *)(uintptr_t)p->items[i].user_maps,
			.kernel_maps = (struct mapset *)(uintptr_t)p->items[i].kernel_maps,
		};
		u64 rank = p->items[i].sums.first, *key = p->keys + i * width;
		struct finished done = c->cfg->by_symbol ? finish_packed(&f, &p->items[i], &rank)
							 : finish_chain(&f, i, &task, &rank);

		if (done.end & STACK_JOINED) {
			c->unwound.joined++;
			c->unwound.joined_frames += done.added;
		}
		if (stack_at)
			key[stack_at] = done.stack;
		if (end_at)
			key[end_at] = done.end;
		count_rows_add(&c->rows, key, counter_hash_row(c, key), &p->items[i].sums);
	}
	join_path_fini(&f.path);
	idmap_fini(&f.known);
	free(f.done);
	count_pending_fini(p);
	count_pending_init(p);
}

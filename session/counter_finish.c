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

/* The frame that calls a run; key: see count_frames_get_named, 0: not looked up yet. */
struct caller {
	u32 key, frame;
};

struct finishing {
	struct counter *c;
	const struct join_table *joins;
	struct join_path path;  /* by address */
	struct caller *callers; /* by symbol, by run */
	u32 *added;             /* of the stack at hand: frames */
	size_t cap_added;
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

static u8 end_of(size_t added, bool at_root)
{
	if (!added && !at_root)
		return STACK_END(UNWIND_TRUNCATED);
	return (at_root ? STACK_ROOT : STACK_END(UNWIND_TRUNCATED)) | STACK_JOINED;
}

/* The frame at ip, which calls a run. */
static u32 caller_of(struct finishing *f, const struct count_spaces *spaces, u32 run, u64 ip,
		     u64 *rank)
{
	struct caller *t = &f->callers[run];

	if (t->key != COUNT_ANY_SET && t->key != spaces->user->id) {
		count_frames_make_room(&f->c->frames, 1);
		t->frame = count_frames_get_named(&f->c->frames, spaces, ip, PD_CPUMODE_USER, rank,
						  &t->key);
	}
	return t->frame;
}

/* The callers of a run, to f->added; returns how many, at most max. */
static size_t add_callers(struct finishing *f, const struct count_spaces *spaces, u32 run,
			  size_t max, u64 *rank, bool *ret_at_root)
{
	size_t n = 0;
	u32 callee;
	u64 ip;

	*ret_at_root = false;
	if (run == JOIN_NO_RUN)
		return 0;
	for (callee = run; join_step(f->joins, &run, &ip); callee = run) {
		if (n == max)
			return n;
		vec_reserve(f->added, f->cap_added, n + 1);
		f->added[n++] = caller_of(f, spaces, callee, ip, rank);
	}
	*ret_at_root = join_is_root(f->joins, run);
	return n;
}

/* By symbol: joins the ids of a stack to those of its callers. */
static struct finished join_packed(struct finishing *f, const struct pending_sample *p, u32 run,
				   u64 *rank)
{
	const struct count_spaces spaces = { p->user_maps, p->kernel_maps };
	struct span chain = byte_runs_get(&f->c->pending.chains, p->chain);
	const u32 *ids = (const u32 *)(const void *)chain.p;
	struct counter_sample *cs = &f->c->own;
	size_t nr = chain.n / sizeof(*ids), found, added;
	bool at_root;

	found = add_callers(f, &spaces, run, user_stacks_max_frames(f->c->user), rank, &at_root);
	added = found < p->left ? found : p->left;
	vec_reserve(cs->ids, cs->cap_ids, nr + 2 * added + 2);
	nr = count_pack_more(&f->c->frames, ids, nr, f->added, added, cs->ids, &cs->stack_hash);
	return (struct finished){
		.stack = byte_runs_put(&f->c->stacks, cs->ids, nr * sizeof(*ids), cs->stack_hash),
		.added = (u32)added,
		.end = end_of(found, at_root),
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

	if (p->nr && c->cfg->by_symbol)
		f.callers = xcalloc(join_nr_runs(joins) + 1, sizeof(*f.callers));
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
	free(f.callers);
	free(f.added);
	idmap_fini(&f.known);
	free(f.done);
	count_pending_fini(p);
	count_pending_init(p);
}

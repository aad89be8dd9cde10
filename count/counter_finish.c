/* SPDX-License-Identifier: MIT */
/* Samples whose stacks waited for others: joined, and counted at last. */
#include "base/hash.h"
#include "base/mem.h"
#include "count/count_columns.h"
#include "count/stack_entry.h"

/* What a stack became. */
struct finished {
	u64 stack;
	u32 added; /* frames */
	u8 end;
};

/* By symbol, what calls a run. Frames may be good for one set of maps alone. */
struct callers {
	u32 key;      /* see count_frames_get_named; 0: not looked up yet */
	u32 tail;     /* in the counter */
	bool at_root; /* it reaches the thread's first frame */
};

struct pending_finisher {
	struct counter *c;
	const struct join_table *joins;
	struct join_path path;   /* by address */
	struct callers *callers; /* by symbol, by run */
	u32 *runs;               /* on the way to one whose callers are known */
	size_t cap_runs;
	u32 *added; /* frames of a tail that is too long */
	size_t cap_added;
};

/* Where a column's value is in a key; 0, which is the event's place, when it is not in it. */
static unsigned int key_place(u32 columns, enum count_column col)
{
	if (!(columns >> col & 1))
		return 0;
	return 1 + count_key_words(columns & ((1u << col) - 1));
}

static u8 end_of(size_t added, bool at_root)
{
	if (!added && !at_root)
		return STACK_END(UNWIND_TRUNCATED);
	return (at_root ? STACK_ROOT : STACK_END(UNWIND_TRUNCATED)) | STACK_JOINED;
}

static bool is_known(const struct callers *k, const struct count_spaces *spaces)
{
	return k->key == COUNT_ANY_SET || k->key == spaces->user->id;
}

/* The callers of a run that is called from ip by one whose own callers are known. */
static struct callers callers_from(struct pending_finisher *f, const struct count_spaces *spaces,
				   u64 ip, const struct callers *outer, u64 *rank)
{
	struct count_frames *frames = &f->c->frames;
	struct callers ret = *outer;
	u32 frame, key;

	count_frames_make_room(frames, 1);
	frame = count_frames_get_named(frames, spaces, ip, rank, &key);
	ret.tail = count_tails_put(&f->c->tails, frame, outer->tail, frames->marks[frame]);
	if (key != COUNT_ANY_SET)
		ret.key = key;
	return ret;
}

/* The callers of a run; those on the way to the outermost are known then, too. */
static struct callers callers_of(struct pending_finisher *f, const struct count_spaces *spaces,
				 u32 run, u64 *rank)
{
	struct callers last = { .key = COUNT_ANY_SET };
	size_t nr = 0;
	u32 outer;
	u64 ip;

	if (run == JOIN_NO_CALL)
		return last;
	for (; !is_known(&f->callers[run], spaces); run = outer) {
		vec_push(f->runs, nr, f->cap_runs, run);
		outer = run;
		if (join_step(f->joins, &outer, &ip))
			continue;
		nr--;
		last.at_root = join_is_root(f->joins, run);
		f->callers[run] = last;
		break;
	}
	last = f->callers[run];
	while (nr--) {
		run = f->runs[nr];
		outer = run;
		join_step(f->joins, &outer, &ip);
		last = f->callers[run] = callers_from(f, spaces, ip, &last, rank);
	}
	return last;
}

/* The first n frames of a tail, to f->added. */
static void list_tail(struct pending_finisher *f, u32 tail, size_t n)
{
	vec_reserve(f->added, f->cap_added, n);
	for (size_t i = 0; i < n; i++) {
		f->added[i] = f->c->tails.items[tail].frame;
		tail = f->c->tails.items[tail].outer;
	}
}

/* By symbol: joins the ids of a stack to those of its callers. */
static struct finished join_packed(struct pending_finisher *f, const struct pending_sample *p,
				   const struct callers *callers)
{
	u32 found = count_tails_depth(&f->c->tails, callers->tail);
	u32 added = found < p->left ? found : p->left;
	struct counter_sample *cs = &f->c->own;
	struct blob run = { .p = p->chain, .check = p->check };
	struct finished ret = {
		.added = added,
		.end = end_of(found,
			      callers->at_root && found <= machine_stacks_max_frames(f->c->user)),
	};
	u32 *ids = p->chain, nr = p->nr;
	u64 hash = (u64)p->check << 32;

	if (added < found) {
		vec_reserve(cs->ids, cs->cap_ids, nr + 2 * added + 2);
		list_tail(f, callers->tail, added);
		nr = (u32)count_pack_more(&f->c->frames, ids, nr, f->added, added, cs->ids, &hash);
		ret.stack = blobs_put(&f->c->stacks, cs->ids, nr * sizeof(*ids), hash);
		return ret;
	}
	if (found) {
		ids[nr++] = COUNT_TAIL | callers->tail;
		hash = hash_u64(hash | f->c->tails.items[callers->tail].hash);
		run.check = (u32)(hash >> 32);
	}
	run.n = nr * (u32)sizeof(*ids);
	ret.stack = blobs_adopt(&f->c->stacks, &run);
	return ret;
}

/* The answer to a sample's question. */
static u32 run_of(const struct pending_finisher *f, const struct pending_sample *p)
{
	return join_answer(f->joins, p->batch, p->question, p->sums.first >> RANK_BITS);
}

static struct finished finish_packed(struct pending_finisher *f, const struct pending_sample *p,
				     u64 *rank)
{
	const struct count_spaces spaces = { p->user_maps, p->kernel_maps };
	struct callers callers = callers_of(f, &spaces, run_of(f, p), rank);

	return join_packed(f, p, &callers);
}

/* By address. */
static struct finished finish_chain(struct pending_finisher *f, const struct pending_sample *p,
				    u64 *rank)
{
	struct counter *c = f->c;
	struct counter_sample *cs = &c->own;
	struct count_task task = {
		.user_maps = (struct mapset *)(uintptr_t)p->user_maps,
		.kernel_maps = (struct mapset *)(uintptr_t)p->kernel_maps,
	};
	const u32 max = machine_stacks_max_frames(c->user);
	struct finished done;
	size_t before;

	join_path_of(f->joins, run_of(f, p), max, &f->path);
	before = count_pending_chain(p, &f->path, max, &cs->chain);
	done = (struct finished){ .added = (u32)(cs->chain.nr - before), .end = cs->chain.end };
	cs->task = &task;
	chain_find_circle(&cs->chain);
	c->kind->complete(c, cs, rank);
	done.stack = c->kind->put_stack(c, cs, rank);
	cs->task = NULL;
	return done;
}

/* Each of these waits for the one before: they are spread over the samples that come before. */
#define AHEAD 8

/* Samples of which something is fetched from memory ahead. */
struct ahead {
	struct pending_cursor near, far;
};

static void prefetch_packed(const struct pending_finisher *f, struct ahead *a)
{
	const struct count_pending *p = &f->c->pending;
	const struct pending_sample *s;
	u32 *key;
	u32 run;

	s = count_pending_next(p, &a->far, &key);
	if (s) {
		join_prefetch(f->joins, s->batch, s->question);
		__builtin_prefetch(s->chain);
	}
	s = count_pending_next(p, &a->near, &key);
	if (s) {
		run = join_likely_answer(f->joins, s->batch, s->question);
		if (run != JOIN_NO_CALL)
			__builtin_prefetch(&f->callers[run]);
	}
}

static struct ahead start_ahead(const struct count_pending *p)
{
	struct ahead a = { 0 };
	u32 *key;

	for (int i = 0; i < AHEAD; i++) {
		count_pending_next(p, &a.near, &key);
		count_pending_next(p, &a.far, &key);
		count_pending_next(p, &a.far, &key);
	}
	return a;
}

void counter_finish(struct counter *c, const struct join_table *joins)
{
	const unsigned int stack_at = key_place(c->keyed, COUNT_STACK);
	const unsigned int end_at = key_place(c->keyed, COUNT_END);
	struct pending_finisher f = { .c = c, .joins = joins };
	struct count_pending *p = &c->pending;
	struct pending_cursor at = { 0 };
	struct ahead ahead = start_ahead(p);
	struct pending_sample *s;
	u32 *key;

	if (p->nr && c->cfg->by_symbol)
		f.callers = xcalloc(join_nr_calls(joins) + 1, sizeof(*f.callers));
	while ((s = count_pending_next(p, &at, &key))) {
		u64 rank = s->sums.first;
		struct finished done;

		if (c->cfg->by_symbol) {
			prefetch_packed(&f, &ahead);
			done = finish_packed(&f, s, &rank);
		} else {
			done = finish_chain(&f, s, &rank);
		}
		if (done.end & STACK_JOINED) {
			c->unwound.joined++;
			c->unwound.joined_frames += done.added;
		}
		if (stack_at)
			key[stack_at] = (u32)done.stack;
		if (end_at)
			key[end_at] = done.end;
		count_rows_add(&c->rows, key, count_columns_hash_key(c, key), &s->sums);
	}
	join_path_fini(&f.path);
	free(f.callers);
	free(f.runs);
	free(f.added);
	count_pending_fini(p);
	count_pending_init(p);
}

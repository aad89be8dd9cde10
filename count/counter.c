/* SPDX-License-Identifier: MIT */
#include "count/counter.h"

#include "base/hash.h"
#include "base/mem.h"
#include "count/batch_order.h"
#include "count/count_columns.h"

/* Of warnings about damaged samples; more would not be printed. */
#define MAX_BROKEN_TEXTS 1000

void counter_init(struct counter *c, const struct counts_config *cfg, bool late_kernel,
		  bool leaf_of_branches, struct machine_stacks *user)
{
	*c = (struct counter){ .cfg = cfg };
	c->kind = cfg->by_symbol         ? &count_by_function
		  : cfg->by_file_address ? &count_by_file_address
					 : &count_by_address;
	count_frames_init(&c->frames, late_kernel, cfg->by_symbol);
	c->frames.by_file = cfg->by_file_address;
	c->frames.keep_inlines = cfg->keep_inlines;
	blobs_init(&c->stacks);
	blobs_init(&c->blobs);
	c->keyed = cfg->columns & ~cfg->first_only;
	count_rows_init(&c->rows, 1 + count_key_words(c->keyed), count_key_words(cfg->first_only));
	c->leaf_of_branches = leaf_of_branches;
	c->user = user;
	/* a sample with a row for each of its branches is not put aside */
	c->joins = user && !cfg->no_join && !cfg->branch_rows;
	count_pending_init(&c->pending);
	if (cfg->by_symbol)
		c->sieves = xcalloc(1, sizeof(*c->sieves));
	counter_sample_init(c, &c->own);
}

void counter_fini(struct counter *c)
{
	count_frames_fini(&c->frames);
	blobs_fini(&c->stacks);
	count_tails_fini(&c->tails);
	blobs_fini(&c->blobs);
	count_rows_fini(&c->rows);
	free(c->events);
	for (size_t i = 0; i < c->nr_broken; i++)
		free(c->broken[i].text);
	free(c->broken);
	counter_sample_fini(&c->own);
	machine_stacks_free(c->user);
	count_pending_fini(&c->pending);
	free(c->sieves);
	free(c->ids);
	*c = (struct counter){ 0 };
}

void counter_freeze(struct counter *c)
{
	blobs_freeze(&c->stacks);
	blobs_freeze(&c->blobs);
	count_rows_freeze(&c->rows);
}

static struct count_totals *totals_of(struct counter *c, size_t idx)
{
	if (idx >= c->nr_events) {
		c->events = xrealloc(c->events, (idx + 1) * sizeof(*c->events));
		memset(c->events + c->nr_events, 0, (idx + 1 - c->nr_events) * sizeof(*c->events));
		c->nr_events = idx + 1;
	}
	return &c->events[idx];
}

static void widen_times(struct counter *c, u64 first, u64 last)
{
	if (!c->first_time || first < c->first_time)
		c->first_time = first;
	if (last > c->last_time)
		c->last_time = last;
}

void counter_add_filtered(struct counter *c, const struct pd_event *ev, const struct pd_sample *s,
			  u32 parallelism)
{
	struct count_totals *t = totals_of(c, ev->idx);

	t->filtered++;
	t->filtered_period += s->period;
	t->filtered_latency += count_latency(1, s->period, parallelism);
	t->alone += parallelism == 1;
}

void counter_add_broken(struct counter *c, const struct pd_record *r, const struct perr *e,
			u64 rank)
{
	c->nr_broken_samples++;
	if (c->nr_broken == MAX_BROKEN_TEXTS)
		return;
	vec_push(c->broken, c->nr_broken, c->cap_broken,
		 ((struct count_broken){ .rank = rank, .off = r->off, .text = xstrdup(e->text) }));
}

static void note_chain(struct count_totals *t, u64 entries)
{
	if (entries > t->longest_chain)
		t->longest_chain = entries;
}

void counter_add_totals(struct counter *c, const struct counter *other)
{
	for (size_t i = 0; i < other->nr_events; i++) {
		struct count_totals *t = totals_of(c, i);

		t->samples += other->events[i].samples;
		t->period += other->events[i].period;
		t->filtered += other->events[i].filtered;
		t->filtered_period += other->events[i].filtered_period;
		note_chain(t, other->events[i].longest_chain);
		t->latency += other->events[i].latency;
		t->filtered_latency += other->events[i].filtered_latency;
		t->alone += other->events[i].alone;
	}
	c->unwound.stacks += other->unwound.stacks;
	c->unwound.frames += other->unwound.frames;
	c->unwound.guessed += other->unwound.guessed;
	c->unwound.joined += other->unwound.joined;
	c->unwound.joined_frames += other->unwound.joined_frames;
	if (other->first_time)
		widen_times(c, other->first_time, other->last_time);
}

/* One row for each branch; its weight is one, as the branches are counted here, not the samples. */
static void add_branches(struct counter *c, u32 *key, u32 *end, const struct pd_sample *s,
			 const struct count_task *task, u64 first, u64 *rank)
{
	struct count_sums sums = { .samples = 1, .period = 1 };
	size_t i, n = s->branches.n / 24;
	u32 cols = c->cfg->columns;

	for (i = 0; i < n; i++) {
		u64 from = span_u64(s->branches, i * 3, s->swap);
		u64 to = span_u64(s->branches, i * 3 + 1, s->swap);
		u64 flags = span_u64(s->branches, i * 3 + 2, s->swap);
		u32 *k = end;

		if (cols >> COUNT_BRANCH_FROM & 1)
			k = count_key_put(k, COUNT_BRANCH_FROM,
					  count_columns_frame_of_any(c, task, from, rank));
		if (cols >> COUNT_BRANCH_TO & 1)
			k = count_key_put(k, COUNT_BRANCH_TO,
					  count_columns_frame_of_any(c, task, to, rank));
		if (cols >> COUNT_BRANCH_FLAGS & 1)
			count_key_put(k, COUNT_BRANCH_FLAGS, pd_branch_flags(flags, s->swap));
		sums.first = first + i;
		count_rows_add(&c->rows, key, count_columns_hash_key(c, key), &sums);
	}
}

void counter_sample_init(const struct counter *c, struct counter_sample *cs)
{
	*cs = (struct counter_sample){ .chain.leaf_of_branches = c->leaf_of_branches,
				       .chain.finds_circle = !c->cfg->by_symbol,
				       .chain.user = c->user };
}

void counter_sample_fini(struct counter_sample *cs)
{
	chain_ips_fini(&cs->chain);
	free(cs->ids);
}

/* Takes note of a stack that was unwound, and whether it is to be joined. */
static void note_unwound(struct counter *c, struct counter_sample *cs)
{
	const struct unwind_frames *u = cs->chain.unwound;
	const struct pd_sample *sample = cs->s;

	c->unwound.stacks++;
	c->unwound.frames += u->nr;
	c->unwound.guessed += u->guessed;
	if (!c->joins || !u->nr || sample->time == UINT64_MAX || sample->tid == UINT32_MAX)
		return;
	cs->is_pending = chain_is_joinable(&cs->chain, sample);
	c->has_truncated |= cs->is_pending;
	cs->question =
		join_batch_add(c->batch, &(struct join_stack){ .task = chain_join_task(sample),
							       .rank = cs->rank,
							       .time = sample->time,
							       .numbers = u->numbers,
							       .tags = machine_stacks_tags(c->user),
							       .sps = u->sps,
							       .ips = u->ips,
							       .nr = u->nr,
							       .last_cfa = u->last_cfa,
							       .at_root = u->end == UNWIND_ROOT,
							       .asks = cs->is_pending });
}

/* The same of a stack that prec has unwound. */
static void note_told(struct counter *c, const struct counter_sample *cs)
{
	c->unwound.stacks++;
	c->unwound.joined += (cs->chain.end & STACK_JOINED) != 0;
}

void counter_unwind_ahead(struct counter *c, const struct counter_sample *samples, size_t n)
{
	const struct pd_sample *wanted[COUNTER_AHEAD];
	const struct mapset *maps[COUNTER_AHEAD];
	size_t nr = 0;

	if (!c->user || !(c->cfg->columns >> COUNT_STACK & 1))
		return;
	for (size_t i = 0; i < n; i++) {
		if (samples[i].ev->attr.branch_sample_type & PD_BRANCH_CALL_STACK ||
		    !machine_stacks_wants(samples[i].ev, samples[i].s))
			continue;
		wanted[nr] = samples[i].s;
		maps[nr++] = samples[i].task->user_maps;
	}
	machine_stacks_unwind_ahead(c->user, wanted, maps, nr);
}

static void prepare_chain(struct counter *c, struct counter_sample *cs)
{
	cs->chain.user_maps = cs->task->user_maps;
	c->kind->list_chain(c, cs);
	if (cs->chain.unwound)
		note_unwound(c, cs);
	else if (cs->ev->is_unwound && cs->chain.end != STACK_RECORDED)
		note_told(c, cs);
	c->kind->settle_chain(c, cs);
}

static void hash_sample(const struct counter *c, struct counter_sample *cs)
{
	if (c->cfg->branch_rows)
		return;
	cs->row_hash = count_columns_hash_sample(c, cs);
	count_rows_prefetch(&c->rows, cs->row_hash);
}

void counter_prepare(struct counter *c, struct counter_sample *cs, const struct pd_event *ev,
		     const struct pd_sample *s, const struct count_task *task, u64 rank)
{
	cs->ev = ev;
	cs->s = s;
	cs->task = task;
	cs->rank = rank;
	cs->next_rank = rank << RANK_BITS;
	cs->is_pending = false;
	if (c->cfg->columns >> COUNT_RAW & 1)
		cs->blob_hash = hash_bytes(s->raw.p, s->raw.n);
	if (c->cfg->columns >> COUNT_STACK & 1)
		prepare_chain(c, cs);
	if (!c->kind->name)
		hash_sample(c, cs);
}

void counter_name(struct counter *c, struct counter_sample *cs)
{
	if (!c->kind->name)
		return;
	c->kind->name(c, cs);
	if (!cs->is_pending)
		hash_sample(c, cs);
}

void counter_fetch(const struct counter *c, const struct counter_sample *cs)
{
	bool has_stack = c->cfg->columns >> COUNT_STACK & 1;

	if (c->kind->fetch && has_stack)
		c->kind->fetch(c, cs);
	if (cs->is_pending)
		return;
	if (has_stack)
		blobs_prefetch_blob(&c->stacks, (u32)(cs->stack_hash >> 32));
	if (!c->cfg->branch_rows)
		count_rows_prefetch_row(&c->rows, cs->row_hash);
}

void counter_fetch_bytes(const struct counter *c, const struct counter_sample *cs)
{
	if (!cs->is_pending && c->cfg->columns >> COUNT_STACK & 1)
		blobs_prefetch_bytes(&c->stacks, (u32)(cs->stack_hash >> 32));
}

/* Puts a sample aside whose key lacks its stack. */
static void put_aside(struct counter *c, const struct counter_sample *cs, const u32 *key, size_t n,
		      const struct count_sums *sums)
{
	const u32 max = machine_stacks_max_frames(c->user);
	struct pending_sample p = { .user_maps = cs->task->user_maps,
				    .kernel_maps = cs->task->kernel_maps,
				    .sums = *sums,
				    .batch = c->batch_number,
				    .question = cs->question,
				    .left = chain_room(&cs->chain, max) };

	c->kind->keep_stack(c, cs, &p);
	count_pending_add(&c->pending, &p, key, n);
}

void counter_count(struct counter *c, struct counter_sample *cs)
{
	struct count_totals *t = totals_of(c, cs->ev->idx);
	struct count_sums sums = { .samples = 1, .period = cs->s->period };
	u32 key[COUNT_MAX_KEY], *end = key, cols = c->keyed;
	u64 rank = cs->rank << RANK_BITS;
	enum count_column col;

	/* where branches are counted, one without any is no sample */
	if (c->cfg->only_joins)
		return;
	t->samples += !c->cfg->branch_rows || cs->s->branches.n >= 24;
	t->period += cs->s->period;
	note_chain(t, cs->s->callchain.n / 8);
	t->latency += count_latency(1, cs->s->period, cs->task->parallelism);
	t->alone += cs->task->parallelism == 1;
	if (cs->s->time != UINT64_MAX)
		widen_times(c, cs->s->time, cs->s->time);
	sums.first = rank;
	*end++ = cs->ev->idx;
	for (; cols & ((1u << COUNT_BRANCH_FROM) - 1); cols &= cols - 1) {
		col = (enum count_column)__builtin_ctz(cols);
		end = count_key_put(end, col,
				    cs->is_pending && col == COUNT_STACK
					    ? 0
					    : count_column_value(c, col, cs, &rank));
	}
	for (cols = c->cfg->first_only; cols; cols &= cols - 1) {
		col = (enum count_column)__builtin_ctz(cols);
		end = count_key_put(end, col, count_columns[col].get(c, cs));
	}
	if (cs->is_pending) {
		put_aside(c, cs, key, (size_t)(end - key), &sums);
		return;
	}
	if (c->cfg->branch_rows) {
		add_branches(c, key, end, cs->s, cs->task, sums.first, &rank);
		return;
	}
	count_rows_add(&c->rows, key, cs->row_hash, &sums);
}

void counter_add(struct counter *c, const struct pd_event *ev, const struct pd_sample *s,
		 const struct count_task *task, u64 rank)
{
	counter_prepare(c, &c->own, ev, s, task, rank);
	counter_name(c, &c->own);
	counter_count(c, &c->own);
}

void counter_begin_batch(struct counter *c, struct batch_order *o, u32 number)
{
	if (!c->joins)
		return;
	c->batch = batch_order_begin(o);
	c->batch_number = number;
}

void counter_end_batch(struct counter *c, struct batch_order *o)
{
	if (!c->joins)
		return;
	batch_order_end(o, c->batch_number, c->batch);
	c->batch = NULL;
}

size_t counter_bytes(const struct counter *c)
{
	return c->stacks.bytes + c->blobs.bytes + count_rows_bytes(&c->rows) +
	       count_frames_bytes(&c->frames) + count_pending_bytes(&c->pending) +
	       count_tails_bytes(&c->tails);
}

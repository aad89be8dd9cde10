/* SPDX-License-Identifier: MIT */
#include "count/counter.h"

#include "base/hash.h"
#include "base/mem.h"

/* Of warnings about damaged samples; more would not be printed. */
#define MAX_BROKEN_TEXTS 1000

void counter_init(struct counter *c, const struct counts_config *cfg, bool late_kernel,
		  bool leaf_of_branches, struct machine_stacks *user)
{
	*c = (struct counter){ .cfg = cfg };
	count_frames_init(&c->frames, late_kernel, cfg->by_symbol);
	c->frames.keep_inlines = cfg->keep_inlines;
	blobs_init(&c->stacks);
	blobs_init(&c->blobs);
	count_rows_init(&c->rows, 1 + (unsigned int)__builtin_popcount(cfg->columns));
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

void counter_add_filtered(struct counter *c, const struct pd_event *ev, const struct pd_sample *s)
{
	struct count_totals *t = totals_of(c, ev->idx);

	t->filtered++;
	t->filtered_period += s->period;
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

void counter_add_totals(struct counter *c, const struct counter *other)
{
	for (size_t i = 0; i < other->nr_events; i++) {
		struct count_totals *t = totals_of(c, i);

		t->samples += other->events[i].samples;
		t->period += other->events[i].period;
		t->filtered += other->events[i].filtered;
		t->filtered_period += other->events[i].filtered_period;
	}
	c->unwound.stacks += other->unwound.stacks;
	c->unwound.frames += other->unwound.frames;
	c->unwound.guessed += other->unwound.guessed;
	c->unwound.joined += other->unwound.joined;
	c->unwound.joined_frames += other->unwound.joined_frames;
	if (other->first_time)
		widen_times(c, other->first_time, other->last_time);
}

static u32 mix(u32 hash, u64 v)
{
	u64 h = (hash ^ v) * 0x9e3779b97f4a7c15ull;

	return (u32)(h >> 32) ^ (u32)h;
}

/*
 * Addresses stand for frames in the hash of a row, and hashes for stacks and blobs: so it is known,
 * and its place in the table fetched, before their ids are.
 */
u32 counter_hash_row(const struct counter *c, const u64 *key)
{
	u32 h = mix(0, *key++);

	for (u32 cols = c->cfg->columns; cols; cols &= cols - 1, key++) {
		int col = __builtin_ctz(cols);

		if (COUNT_FRAME_COLUMNS >> col & 1)
			h = mix(h, c->cfg->by_symbol ? count_frame_mark(&c->frames.items[*key])
						     : c->frames.items[*key].ip);
		else if (col == COUNT_STACK)
			h = mix(h, c->stacks.items[*key].check);
		else if (col == COUNT_RAW)
			h = mix(h, c->blobs.items[*key].check);
		else
			h = mix(h, *key);
	}
	return h;
}

static u32 frame_of(struct counter *c, const struct count_task *task, u8 mode, u64 ip, u64 *rank)
{
	struct count_spaces spaces = { task->user_maps, task->kernel_maps };
	u32 id;

	count_frames_get(&c->frames, &spaces, &ip, &mode, 1, rank, &id);
	return id;
}

/* The frame of an address that may be of either space, as a branch's ends are. */
static u32 frame_of_any(struct counter *c, const struct count_task *task, u64 ip, u64 *rank)
{
	u8 mode = mapset_find(task->user_maps, ip) ? PD_CPUMODE_USER : PD_CPUMODE_KERNEL;

	return frame_of(c, task, mode, ip, rank);
}

static u32 frame_of_data(struct counter *c, const struct count_task *task, u8 mode, u64 addr,
			 u64 *rank)
{
	struct count_spaces spaces = { task->user_maps, task->kernel_maps };
	const struct mapset *space = count_space(&spaces, mode);

	/* the kernel may touch user memory, and the other way round */
	if (!space || !mapset_find(space, addr))
		mode = (s64)addr < 0 ? PD_CPUMODE_KERNEL : PD_CPUMODE_USER;
	return frame_of(c, task, mode, addr, rank);
}

u64 counter_put_stack(struct counter *c, const struct counter_sample *cs, u64 *rank)
{
	struct count_spaces spaces = { cs->task->user_maps, cs->task->kernel_maps };
	const struct chain_ips *ch = &cs->chain;

	if (c->cfg->by_symbol)
		return blobs_put(&c->stacks, cs->ids, cs->nr_ids * sizeof(*cs->ids),
				 cs->stack_hash);
	vec_reserve(c->ids, c->cap_ids, ch->nr + 1);
	count_frames_get(&c->frames, &spaces, ch->ips, ch->modes, ch->nr, rank, c->ids);
	c->ids[ch->nr] = ch->circle;
	return blobs_put(&c->stacks, c->ids, (ch->nr + !!ch->circle) * sizeof(*c->ids),
			 cs->stack_hash);
}

void counter_hash_chain(struct counter_sample *cs)
{
	const struct chain_ips *ch = &cs->chain;

	/* of the addresses, not of the ids: the same in every counter */
	cs->stack_hash = hash_bytes(ch->ips, ch->nr * sizeof(*ch->ips));
	if (ch->circle)
		cs->stack_hash = hash_pair(cs->stack_hash, ch->circle);
}

/* The value of a column for which nothing needs to be looked up. */
static u64 plain_value(const struct counter *c, enum count_column col,
		       const struct counter_sample *cs)
{
	const struct pd_sample *s = cs->s;

	switch (col) {
	case COUNT_COMM: return cs->task->comm;
	case COUNT_PID: return cs->task->pid;
	case COUNT_TID: return cs->task->tid;
	case COUNT_CPU: return s->cpu;
	case COUNT_CPUMODE: return s->cpumode;
	case COUNT_TIME:
		return s->time == UINT64_MAX ? 0 : s->time - s->time % c->cfg->time_quantum_ns;
	case COUNT_CGROUP: return s->cgroup;
	case COUNT_CGROUP_NS: return cs->task->cgroup_ns;
	case COUNT_WEIGHT: return s->weight;
	case COUNT_INS_LAT: return s->ins_lat;
	case COUNT_WEIGHT3: return s->weight3;
	case COUNT_TRANSACTION: return s->transaction;
	case COUNT_DATA_SRC: return s->data_src;
	case COUNT_PHYS_ADDR: return s->phys_addr;
	case COUNT_DATA_PAGE_SIZE: return s->data_page_size;
	case COUNT_CODE_PAGE_SIZE: return s->code_page_size;
	case COUNT_END: return cs->chain.end;
	default: return 0;
	}
}

/* What stands for a column's value in the hash of the row; see counter_hash_row. */
static u64 hashed_value(const struct counter *c, enum count_column col,
			const struct counter_sample *cs)
{
	switch (col) {
	case COUNT_IP:
		return c->cfg->by_symbol ? count_frame_mark(&c->frames.items[cs->ip_frame])
					 : cs->s->ip;
	case COUNT_ADDR: return cs->s->addr;
	case COUNT_STACK: return cs->chain.nr ? (u32)(cs->stack_hash >> 32) : 0;
	case COUNT_RAW: return cs->s->raw.n ? (u32)(cs->blob_hash >> 32) : 0;
	default: return plain_value(c, col, cs);
	}
}

static u64 value_of(struct counter *c, enum count_column col, const struct counter_sample *cs,
		    u64 *rank)
{
	const struct pd_sample *s = cs->s;

	switch (col) {
	case COUNT_IP:
		return c->cfg->by_symbol ? cs->ip_frame
					 : frame_of(c, cs->task, s->cpumode, s->ip, rank);
	case COUNT_STACK: return counter_put_stack(c, cs, rank);
	case COUNT_ADDR: return frame_of_data(c, cs->task, s->cpumode, s->addr, rank);
	case COUNT_RAW: return blobs_put(&c->blobs, s->raw.p, s->raw.n, cs->blob_hash);
	default: return plain_value(c, col, cs);
	}
}

/* One row for each branch; its weight is one, as the branches are counted here, not the samples. */
static void add_branches(struct counter *c, u64 *key, int from, const struct pd_sample *s,
			 const struct count_task *task, u64 first, u64 *rank)
{
	struct count_sums sums = { .samples = 1, .period = 1 };
	size_t i, n = s->branches.n / 24;
	u32 cols = c->cfg->columns;

	for (i = 0; i < n; i++) {
		u64 *k = key + from;

		if (cols >> COUNT_BRANCH_FROM & 1)
			*k++ = frame_of_any(c, task, span_u64(s->branches, i * 3, s->swap), rank);
		if (cols >> COUNT_BRANCH_TO & 1)
			*k++ = frame_of_any(c, task, span_u64(s->branches, i * 3 + 1, s->swap),
					    rank);
		if (cols >> COUNT_BRANCH_FLAGS & 1)
			*k++ = pd_branch_flags(span_u64(s->branches, i * 3 + 2, s->swap), s->swap);
		sums.first = first + i;
		count_rows_add(&c->rows, key, counter_hash_row(c, key), &sums);
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
	const struct count_spaces spaces = { cs->task->user_maps, cs->task->kernel_maps };
	struct chain_ips *ch = &cs->chain;

	ch->user_maps = spaces.user;
	if (c->cfg->by_symbol) {
		const struct count_naming naming = { &c->frames, spaces, &cs->next_rank };

		count_pack_list(c->sieves, &naming, ch, cs->ev, cs->s, c->cfg->max_stack);
		if (ch->unwound)
			note_unwound(c, cs);
		count_pack_prefetch(&c->frames, &spaces, ch);
		return;
	}
	chain_list(ch, cs->ev, cs->s, c->cfg->max_stack);
	if (ch->unwound)
		note_unwound(c, cs);
	/* the callers of one that waits are not known yet */
	if (ch->unwound && !cs->is_pending)
		chain_find_circle(ch);
	counter_hash_chain(cs);
	blobs_prefetch(&c->stacks, (u32)(cs->stack_hash >> 32));
	count_frames_prefetch_places(&c->frames, &spaces, ch->ips, ch->modes, ch->nr);
}

static void hash_sample(const struct counter *c, struct counter_sample *cs)
{
	if (c->cfg->branch_rows)
		return;
	cs->row_hash = mix(0, cs->ev->idx);
	for (u32 cols = c->cfg->columns; cols; cols &= cols - 1)
		cs->row_hash = mix(cs->row_hash,
				   hashed_value(c, (enum count_column)__builtin_ctz(cols), cs));
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
	/* hashes of functions are known with their ids only */
	if (!c->cfg->by_symbol)
		hash_sample(c, cs);
}

/* By symbol: ids of the frames, and what follows from them. */
void counter_name(struct counter *c, struct counter_sample *cs)
{
	const struct count_spaces spaces = { cs->task->user_maps, cs->task->kernel_maps };

	if (!c->cfg->by_symbol)
		return;
	cs->ip_frame = COUNT_FRAME_LOW;
	if (!cs->chain.nr && c->cfg->columns >> COUNT_IP & 1)
		cs->ip_frame = frame_of(c, cs->task, cs->s->cpumode, cs->s->ip, &cs->next_rank);
	if (c->cfg->columns >> COUNT_STACK & 1) {
		vec_reserve(cs->ids, cs->cap_ids, 2 * cs->chain.nr);
		cs->nr_ids = count_pack(&c->frames, &spaces, &cs->chain, &cs->next_rank, cs->ids,
					&cs->stack_hash);
		blobs_prefetch(&c->stacks, (u32)(cs->stack_hash >> 32));
	}
	if (!cs->is_pending)
		hash_sample(c, cs);
}

/* Puts a sample aside whose key lacks its stack. */
static void put_aside(struct counter *c, const struct counter_sample *cs, const u64 *key, int n,
		      const struct count_sums *sums)
{
	const u32 max = machine_stacks_max_frames(c->user);
	struct pending_sample p = { .user_maps = cs->task->user_maps,
				    .kernel_maps = cs->task->kernel_maps,
				    .sums = *sums,
				    .batch = c->batch_number,
				    .question = cs->question,
				    .left = chain_room(&cs->chain, max) };

	if (c->cfg->by_symbol) {
		/* where it will lie for good */
		p.chain = blobs_room(&c->stacks, (cs->nr_ids + 1) * sizeof(*cs->ids));
		memcpy(p.chain, cs->ids, cs->nr_ids * sizeof(*cs->ids));
		p.nr = (u32)cs->nr_ids;
		p.check = (u32)(cs->stack_hash >> 32);
	} else {
		count_pending_keep_chain(&c->pending, &cs->chain, &p);
	}
	count_pending_add(&c->pending, &p, key, (size_t)n);
}

void counter_count(struct counter *c, struct counter_sample *cs)
{
	struct count_totals *t = totals_of(c, cs->ev->idx);
	struct count_sums sums = { .samples = 1, .period = cs->s->period };
	u64 key[1 + COUNT_COLUMNS], rank = cs->rank << RANK_BITS;
	u32 cols = c->cfg->columns;
	int n = 0, col;

	/* where branches are counted, one without any is no sample */
	if (c->cfg->only_joins)
		return;
	t->samples += !c->cfg->branch_rows || cs->s->branches.n >= 24;
	t->period += cs->s->period;
	if (cs->s->time != UINT64_MAX)
		widen_times(c, cs->s->time, cs->s->time);
	sums.first = rank;
	key[n++] = cs->ev->idx;
	for (; cols & ((1u << COUNT_BRANCH_FROM) - 1); cols &= cols - 1) {
		col = __builtin_ctz(cols);
		key[n++] = cs->is_pending && col == COUNT_STACK
				   ? 0
				   : value_of(c, (enum count_column)col, cs, &rank);
	}
	if (cs->is_pending) {
		put_aside(c, cs, key, n, &sums);
		return;
	}
	if (c->cfg->branch_rows) {
		add_branches(c, key, n, cs->s, cs->task, sums.first, &rank);
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

size_t counter_bytes(const struct counter *c)
{
	return c->stacks.bytes + c->blobs.bytes + count_rows_bytes(&c->rows) +
	       count_frames_bytes(&c->frames) + count_pending_bytes(&c->pending) +
	       count_tails_bytes(&c->tails);
}

/* SPDX-License-Identifier: MIT */
#include "record/live/chainer.h"

#include "base/mem.h"
#include "machine/machine.h"
#include "machine/machine_regs.h"
#include "record/live/last_chains.h"

#define MAX_KERNEL UINT32_MAX /* all entries that the kernel recorded */
#define MAX_USER UNWIND_MAX_FRAMES
#define REUSE_USER 8u /* frames that are unwound at OVERLOAD_REUSE */
#define FEW_USER 16u  /* at OVERLOAD_FEW */

struct chainer {
	struct machine_stacks *stacks;
	const struct join_table *joins;
	struct deep_stack *deep; /* NULL: copies are all there is */
	struct lean_tasks *lean; /* NULL: records about processes are written as they come */
	struct machine_regs_layout layout;
	const char *arch;
	struct join_path path;
	enum overload_level level;
	struct last_chains last; /* of the threads, at OVERLOAD_REUSE */
	struct chain_ips chain;
	bool (*keep)(void *ctx, const struct chain_job *j); /* NULL: none is left to another */
	void *keep_ctx;
	struct chainer_counts *counts; /* by event */
	size_t nr_counts, cap_counts;
};

struct chainer *chainer_new(struct machine *mc, const struct join_table *joins)
{
	struct chainer *c = xcalloc(1, sizeof(*c));

	c->stacks = machine_stacks_new(mc, MAX_USER);
	c->joins = joins;
	c->arch = mc->arch;
	c->chain.user = c->stacks;
	return c;
}

void chainer_free(struct chainer *c)
{
	if (!c)
		return;
	machine_stacks_free(c->stacks);
	join_path_fini(&c->path);
	last_chains_fini(&c->last);
	chain_ips_fini(&c->chain);
	free(c->counts);
	free(c);
}

void chainer_rest(struct chainer *c)
{
	machine_stacks_rest(c->stacks);
}

static struct chainer_counts *counts_of(struct chainer *c, u32 idx)
{
	while (c->nr_counts <= idx)
		vec_push(c->counts, c->nr_counts, c->cap_counts, (struct chainer_counts){ 0 });
	return &c->counts[idx];
}

void chainer_counts_add(struct chainer_counts *to, const struct chainer_counts *n)
{
	to->stacks += n->stacks;
	to->frames += n->frames;
	to->guessed += n->guessed;
	to->joined += n->joined;
	to->cut += n->cut;
	to->reused += n->reused;
	to->few += n->few;
	for (size_t i = 0; i < UNWIND_NR_ENDS; i++)
		to->ends[i] += n->ends[i];
}

void chainer_begin_file(struct chainer *c)
{
	c->nr_counts = 0;
}

struct chainer_counts chainer_counts_of(const struct chainer *c, u32 idx)
{
	return idx < c->nr_counts ? c->counts[idx] : (struct chainer_counts){ 0 };
}

static void count(struct chainer_counts *n, const struct chain_ips *c, bool cut)
{
	u8 end = c->end & (u8)~STACK_JOINED;

	n->stacks++;
	n->frames += c->unwound->nr;
	n->guessed += c->unwound->guessed;
	n->joined += (c->end & STACK_JOINED) != 0;
	n->cut += cut;
	if (end != STACK_RECORDED)
		n->ends[end - STACK_END(0)]++;
}

void chainer_set_deep(struct chainer *c, struct deep_stack *deep)
{
	c->deep = deep;
}

void chainer_set_lean(struct chainer *c, struct lean_tasks *lean)
{
	c->lean = lean;
}

/*
 * Continues a truncated stack from the memory of its process. Only what reaches the start of the
 * thread is taken: wrong memory does not.
 */
static void go_deeper(struct chainer *c, const struct chain_job *j)
{
	struct chain_ips *chain = &c->chain;
	struct pd_sample s = j->sample;
	struct unwind_job job;
	u64 sp;

	if (!machine_regs_to_job(&j->sample, c->arch, &c->layout, &job))
		return;
	sp = job.regs[unwind_sp_reg(job.arch)];
	for (unsigned int try = 0; try < DEEP_STACK_TRIES; try++) {
		s.user_stack = deep_stack_extend(c->deep, s.pid, sp, j->sample.user_stack, try);
		if (!s.user_stack.n)
			break;
		chain_list(chain, j->ev, &s, MAX_KERNEL);
		if (chain->end == STACK_ROOT) {
			chain->end |= STACK_JOINED;
			return;
		}
		if (chain->end != STACK_END(UNWIND_TRUNCATED))
			break;
	}
	chain_list(chain, j->ev, &j->sample, MAX_KERNEL);
}

void chainer_set_keep(struct chainer *c, bool (*keep)(void *ctx, const struct chain_job *j),
		      void *ctx)
{
	c->keep = keep;
	c->keep_ctx = ctx;
}

void chainer_set_level(struct chainer *c, enum overload_level level)
{
	static const u32 frames[] = { MAX_USER, REUSE_USER, FEW_USER, FEW_USER };

	if (level == c->level)
		return;
	c->level = level;
	machine_stacks_set_max_frames(c->stacks, frames[level]);
}

/*
 * Completes a stack of which only the first frames were unwound by the last one of its thread; if
 * they have no frame in common, it is unwound as a whole.
 */
static void reuse_frames(struct chainer *c, const struct chain_job *j)
{
	struct chain_ips *chain = &c->chain;
	const struct unwind_frames *f = chain->unwound;
	u64 task = chain_join_task(&j->sample);
	const struct last_chain *last = NULL;
	size_t callers = SIZE_MAX;

	if (chain->end == STACK_END(UNWIND_DEPTH))
		last = last_chains_find(&c->last, task, f->ips[f->nr - 1], f->sps[f->nr - 1],
					&callers);
	if (last) {
		const struct join_path path = { .ips = last->ips + callers,
						.nr = last->nr - callers,
						.at_root =
							(last->end & ~STACK_JOINED) == STACK_ROOT };

		chain_list_join(chain, &path, MAX_USER);
		chain->end = last->end | STACK_JOINED;
		counts_of(c, j->ev->idx)->reused++;
	} else if (chain->end == STACK_END(UNWIND_DEPTH)) {
		machine_stacks_set_max_frames(c->stacks, MAX_USER);
		chain_list(chain, j->ev, &j->sample, MAX_KERNEL);
		machine_stacks_set_max_frames(c->stacks, REUSE_USER);
		f = chain->unwound;
	}
	last_chains_put(&c->last, task, f, callers, chain->end);
}

/* A reader needs the mappings that frames lie in; to unwind the copy, it needs all. */
static void put_needed(struct chainer *c, const struct chain_job *j)
{
	const struct pd_sample *s = &j->sample;
	const struct chain_ips *chain = &c->chain;

	if (j->keep_copy)
		lean_tasks_need(c->lean, s->pid, s->tid, s->time, NULL, 0, j->out);
	else if (chain->unwound)
		lean_tasks_need(c->lean, s->pid, s->tid, s->time, chain->ips, chain->nr, j->out);
	else
		lean_tasks_need(c->lean, s->pid, s->tid, s->time, &s->ip, 1, j->out);
}

static void do_one(struct chainer *c, const struct chain_job *j)
{
	struct chain_ips *chain = &c->chain;
	size_t left;

	chain->user_maps = j->maps;
	chain_list(chain, j->ev, &j->sample, MAX_KERNEL);
	if (c->level == OVERLOAD_REUSE && chain->unwound)
		reuse_frames(c, j);
	if (c->level >= OVERLOAD_FEW && chain->end == STACK_END(UNWIND_DEPTH))
		counts_of(c, j->ev->idx)->few++;
	if (c->deep && c->level == OVERLOAD_NONE && chain->unwound &&
	    chain->end == STACK_END(UNWIND_TRUNCATED))
		go_deeper(c, j);
	if (c->joins && chain_is_joinable(chain, &j->sample)) {
		chain_find_callers(chain, &j->sample, c->joins, &c->path);
		chain_list_join(chain, &c->path, MAX_USER);
	}
	if (c->keep && chain->unwound && chain->end == STACK_END(UNWIND_NO_OBJECT) &&
	    c->keep(c->keep_ctx, j))
		return;
	if (c->lean)
		put_needed(c, j);
	left = chained_sample_put(j->out, j->ev, &j->rec, &j->sample, chain, j->keep_copy);
	if (chain->unwound)
		count(counts_of(c, j->ev->idx), chain, left != 0);
}

void chainer_do(struct chainer *c, const struct chain_job *jobs, size_t n)
{
	const struct pd_sample *samples[CHAINER_JOBS] = { 0 };
	const struct mapset *maps[CHAINER_JOBS] = { 0 };
	size_t nr = 0;

	for (size_t i = 0; i < n; i++) {
		if (!machine_stacks_wants(jobs[i].ev, &jobs[i].sample))
			continue;
		samples[nr] = &jobs[i].sample;
		maps[nr++] = jobs[i].maps;
	}
	if (nr)
		machine_stacks_unwind_ahead(c->stacks, samples, maps, nr);
	for (size_t i = 0; i < n; i++)
		do_one(c, &jobs[i]);
}

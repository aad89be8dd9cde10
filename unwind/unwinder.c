/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "unwind/unwind_code.h"
#include "unwind/unwind_lane.h"

/*
 * The most bytes of a stack to prefetch. If more cache lines are prefetched at once, the first are
 * evicted before they are used.
 */
#define MAX_PREFETCH 8192

struct unwinder *unwinder_new(const struct unwinder_config *cfg)
{
	struct unwinder *u = xcalloc(1, sizeof(*u));

	u->cfg = *cfg;
	u->prefetch = MAX_PREFETCH / 8;
	u->max_frames = cfg->max_frames ? cfg->max_frames : UNWIND_MAX_FRAMES;
	pc_cache_init(&u->cache);
	return u;
}

void unwinder_set_max_frames(struct unwinder *u, u32 max_frames)
{
	u->max_frames = max_frames ? max_frames : UNWIND_MAX_FRAMES;
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	pc_cache_fini(&u->cache);
	unwind_code_free(u->code);
	free(u);
}

void unwind_frames_fini(struct unwind_frames *f)
{
	free(f->ips);
	free(f->sps);
	free(f->numbers);
	*f = (struct unwind_frames){ 0 };
}

void unwind_stack(struct unwinder *u, const struct unwind_job *job, struct unwind_frames *ret)
{
	struct lane l;

	pc_cache_begin(&u->cache);
	if (lane_start(&l, u, job, ret))
		lane_run(&l);
	else
		walk_all(&l.w, ret);
}

void unwind_look_up(struct unwinder *u, const struct unwind_job *job, struct unwind_frames *f)
{
	struct walk w;

	pc_cache_begin(&u->cache);
	walk_start(&w, u, job);
	for (size_t i = 0; i < f->nr; i++)
		f->numbers[i] = pc_cache_number(&u->cache, walk_info(&w, f->ips[i]));
}

struct unwind_tag *unwind_tags(struct unwinder *u)
{
	return u->cache.tags;
}

/*
 * Prefetches the part of a stack copy, from the leaf's frame on, that its unwinding will most
 * likely read.
 */
static void prefetch_stack(const struct unwinder *u, const struct lane *l)
{
	u64 n = l->last < u->prefetch ? l->last : u->prefetch;

	for (u64 at = 0; at < n; at += 64)
		__builtin_prefetch(l->p + at);
}

/*
 * Updates u->prefetch, the running mean (over about 16 stacks) of the bytes that unwinding has
 * read.
 */
static void learn_stack_use(struct unwinder *u, const struct lane *l)
{
	u64 used = l->sp - l->base;

	if (used <= MAX_PREFETCH)
		u->prefetch += ((s64)used - (s64)u->prefetch) / 16;
}

void unwind_four(struct unwinder *u, const struct unwind_job *const *jobs,
		 struct unwind_frames *const *rets, size_t n)
{
	struct lane lanes[4];
	struct lane *going[4];
	size_t nr = 0;

	pc_cache_begin(&u->cache);
	for (size_t i = 0; i < n; i++) {
		struct lane *l = &lanes[nr];

		if (!lane_start(l, u, jobs[i], rets[i])) {
			walk_all(&l->w, rets[i]);
		} else if (jobs[i]->arch != UNWIND_X86_64) {
			lane_run(l);
		} else {
			prefetch_stack(u, l);
			going[nr++] = l;
		}
	}
	while (nr) {
		for (size_t i = 0; i < nr;) {
			if (lane_step_x86_64(going[i])) {
				i++;
			} else {
				learn_stack_use(u, going[i]);
				going[i] = going[--nr];
			}
		}
	}
}

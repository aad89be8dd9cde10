/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_lane.h"

#include "unwind/unwind_guess.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/*
 * The facts of an architecture that lane_step() needs. It is inlined once for each constant below,
 * so that they cost nothing.
 */
struct lane_abi {
	unsigned int word;
	bool has_lr;
	u64 mask, thumb;
};

static const struct lane_abi abi_x86_64 = { 8, false, ~0ull, 0 };
static const struct lane_abi abi_i386 = { 4, false, 0xffffffff, 0 };
/*
 * The mask keeps aarch64's pointer authentication codes, above bit 48: walk_clean_pc() removes
 * them.
 */
static const struct lane_abi abi_aarch64 = { 8, true, ~0ull, 0 };
static const struct lane_abi abi_arm = { 4, true, 0xffffffff, 1 };

bool lane_start(struct lane *l, struct unwinder *u, const struct unwind_job *job,
		struct unwind_frames *ret)
{
	const struct unwind_arch_info *a = &unwind_archs[job->arch];
	const u64 need = 1ull << a->sp | 1ull << a->fp;

	walk_start(&l->w, u, job);
	l->f = ret;
	if ((job->known & need) != need || !job->pc || job->swap || l->w.stack.n < a->word)
		return false;
	ret->nr = 0;
	ret->guessed = 0;
	ret->last_cfa = 0;
	l->p = l->w.stack.p;
	l->base = l->w.stack.base;
	l->last = l->w.stack.n - a->word;
	l->ip = job->pc & a->mask & ~a->thumb;
	l->sp = l->w.leaf_sp;
	l->fp = job->regs[a->fp] & a->mask;
	l->space_key = pc_key(l->w.space, 0);
	l->exact = true;
	l->chained = 0;
	return true;
}

static bool lane_end(struct lane *l, enum unwind_end end)
{
	l->f->end = walk_end(&l->w, l->f, end);
	return false;
}

/*
 * Unwinds the whole stack again with walk_all(), because this frame needs more than a lane can do.
 */
static __attribute__((noinline)) bool lane_start_over(struct lane *l)
{
	walk_all(&l->w, l->f);
	return false;
}

/* True if the last step was made by a frame pointer. */
static bool is_chained(const struct lane *l)
{
	size_t before = l->f->nr - 1;

	return (l->chained && l->chained == before) ||
	       (before && l->w.u->cache.infos[l->f->numbers[before - 1]].rule == RULE_CHAIN);
}

static __attribute__((noinline)) bool lane_guess(struct lane *l, const struct lane_abi *abi)
{
	const struct pc_info *info = walk_info(&l->w, l->ip);
	struct walk_core c = { .pc = l->ip + !l->exact,
			       .sp = l->sp,
			       .fp = l->fp,
			       .exact = l->exact,
			       .fp_known = true,
			       .chained = is_chained(l) };
	enum unwind_end end;

	/* A leaf may need its link register, which lanes do not track. */
	if (abi->has_lr && l->exact)
		return lane_start_over(l);
	if (!walk_guess(&l->w, info, &c, &end)) {
		l->f->last_cfa = c.cfa;
		return lane_end(l, end);
	}
	l->f->guessed++;
	if (c.sp <= l->sp)
		return lane_end(l, UNWIND_BAD_STACK);
	l->ip = c.pc - 1;
	l->sp = c.sp;
	l->fp = c.fp & abi->mask;
	l->exact = false;
	if (c.chained)
		l->chained = l->f->nr;
	return true;
}

static inline u64 load_word(const struct lane *l, u64 offset, unsigned int word)
{
	const u8 *p = l->p + offset;

	return word == 8 ? get_u64(p, false) : get_u32(p, false);
}

/* Returns a if `first`, else b, without a branch, which would often be mispredicted. */
static inline u64 choose(bool first, u64 a, u64 b)
{
	return b ^ ((a ^ b) & -(u64)first);
}

/*
 * Selects the CFA register and the saved frame pointer without branches: a mispredict would also
 * flush the loads in flight for the other three stacks.
 */
static inline __attribute__((always_inline)) bool lane_step(struct lane *l,
							    const struct lane_abi *abi)
{
	struct unwinder *u = l->w.u;
	struct unwind_frames *f = l->f;
	u64 key = l->ip | l->space_key, cfa, ra_at, fp_addr, fp_at, ra;
	const struct pc_front *e = &u->cache.front[pc_front_set(key)];
	s64 ra_slot = -1, fp_slot;
	enum rule_kind kind;
	bool by_sp, saves_fp;
	u32 rule, number;

	if (UNLIKELY(f->nr >= u->max_frames))
		return lane_end(l, UNWIND_DEPTH);
	if (UNLIKELY(!pc_has_key(l->ip)))
		return lane_start_over(l);
	e += e[1].key == key;
	rule = e->rule;
	number = e->info;
	if (UNLIKELY(e->key != key)) {
		const struct pc_info *info = walk_info(&l->w, l->ip);

		rule = info->rule;
		number = pc_cache_number(&u->cache, info);
	}
	frames_add(f, l->ip, l->sp, number);
	kind = rule_kind(rule);
	fp_slot = rule_slot(rule);
	if (UNLIKELY(kind > (abi->has_lr ? RULE_FP_RA : RULE_FP))) {
		if (kind == RULE_END)
			return lane_end(l, UNWIND_ROOT);
		if (kind == RULE_GUESS)
			return lane_guess(l, abi);
		return lane_start_over(l);
	}
	by_sp = kind == RULE_SP;
	if (abi->has_lr) {
		bool pair = kind <= RULE_FP_PAIR;

		ra_slot = fp_slot + pair;
		fp_slot = pair ? fp_slot : 0;
		by_sp |= kind == RULE_SP_PAIR || kind == RULE_SP_RA;
	}
	saves_fp = fp_slot != 0;
	cfa = choose(by_sp, l->sp, l->fp) + (u64)rule_words(rule) * abi->word;
	cfa &= abi->mask;
	if (UNLIKELY(cfa <= l->sp))
		return lane_start_over(l);
	ra_at = ((cfa + (u64)(ra_slot * abi->word)) & abi->mask) - l->base;
	if (UNLIKELY(ra_at > l->last)) {
		f->last_cfa = cfa;
		return lane_end(l, stack_miss(&l->w.stack, ra_at + l->base, false));
	}
	ra = load_word(l, ra_at, abi->word) & ~abi->thumb;
	fp_addr = (cfa + (u64)(fp_slot * abi->word)) & abi->mask;
	fp_at = choose(saves_fp, fp_addr - l->base, ra_at);
	if (LIKELY(fp_at <= l->last))
		l->fp = choose(saves_fp, load_word(l, fp_at, abi->word), l->fp);
	else if (!l->exact || fp_addr >= l->sp)
		return lane_start_over(l);
	if (abi->has_lr && abi->word == 8 && ra >> 48)
		ra = walk_clean_pc(&l->w, ra);
	if (UNLIKELY(!ra))
		return lane_end(l, UNWIND_ROOT);
	l->ip = ra - 1;
	l->sp = cfa;
	l->exact = false;
	return true;
}

bool lane_step_x86_64(struct lane *l)
{
	return lane_step(l, &abi_x86_64);
}

void lane_run(struct lane *l)
{
	switch (l->w.job->arch) {
	case UNWIND_X86_64:
		while (lane_step(l, &abi_x86_64))
			;
		break;
	case UNWIND_I386:
		while (lane_step(l, &abi_i386))
			;
		break;
	case UNWIND_AARCH64:
		while (lane_step(l, &abi_aarch64))
			;
		break;
	default:
		while (lane_step(l, &abi_arm))
			;
	}
}

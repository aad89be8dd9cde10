/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_walk.h"

#include "unwind/cfi/unwind_expr.h"
#include "unwind/unwind_guess.h"
#include "unwind/unwind_say.h"
#include "unwind/unwind_vdso.h"

/* All registers of a frame, by DWARF number. The pc is at unwind_arch_info.pc. */
struct walk_regs {
	u64 r[UNWIND_MAX_REGS];
	u64 known;
};

/* Nothing is mapped below vm.mmap_min_addr, which distributions set to this. */
#define LOWEST_MAP 0x10000

/* Returns a copy of the cache entry with this number, with its full row if it has one. */
static struct pc_info info_with_row(const struct walk *w, u32 number)
{
	struct pc_info *info = &w->u->cache.infos[number];

	if (info->has_row && !info->row)
		info->row = unwind_module_row(info->module, info->pc - info->bias);
	return *info;
}

/*
 * Reads memory for an expression: from the copy of the stack, or else from the read-only bytes of a
 * mapped file.
 */
static bool read_memory(void *ctx, u64 addr, unsigned int size, u64 *ret)
{
	const struct walk *w = ctx;
	struct unwind_place place = { 0 };
	struct stack_copy file;
	struct span bytes;

	addr &= w->a->mask;
	if (stack_read(&w->stack, addr, size, ret)) {
		SAY(w, "    read 0x%llx: 0x%llx", (unsigned long long)addr,
		    (unsigned long long)*ret);
		return true;
	}
	if (!w->u->cfg.find(&w->job->space, addr, &place) || !place.module)
		return false;
	bytes = unwind_module_bytes(place.module, addr - place.bias, size);
	file = (struct stack_copy){ bytes.p, addr, bytes.n, unwind_module_swap(place.module) };
	return stack_read(&file, addr, size, ret);
}

static bool eval_expr(const struct walk *w, const struct walk_regs *r, struct span expr,
		      const u64 *initial, bool swap, u64 *ret, enum unwind_end *ret_end)
{
	struct unwind_expr_env env = { .regs = r->r,
				       .known = r->known,
				       .nr_regs = UNWIND_MAX_REGS,
				       .word = w->a->word,
				       .swap = swap,
				       .read = read_memory,
				       .ctx = (void *)w };

	switch (unwind_expr(expr, &env, initial, ret)) {
	case UNWIND_EXPR_OK: return true;
	case UNWIND_EXPR_NO_MEM: *ret_end = stack_miss(&w->stack, env.failed_addr, false); break;
	case UNWIND_EXPR_NO_REG:
	case UNWIND_EXPR_BAD: *ret_end = UNWIND_BAD_INFO; break;
	}
	return false;
}

static bool is_known(const struct walk_regs *r, unsigned int reg)
{
	return reg < UNWIND_MAX_REGS && (r->known >> reg & 1);
}

enum value { VALUE_KEPT, VALUE_NEW, VALUE_LOST, VALUE_MISSED };

struct step {
	const struct pc_info *info;
	const struct walk_regs *old;
	u64 cfa;
	bool exact, other_stack, swap;
	bool chained;        /* see struct walk_core */
	enum unwind_end end; /* set with VALUE_MISSED */
};

/* Evaluates a register's rule. VALUE_MISSED: the value could not be read, and st->end says why. */
static enum value apply_rule(const struct walk *w, struct step *st, const struct cfi_rule *rule,
			     u64 *ret)
{
	u64 addr;

	switch (rule->how) {
	case CFI_UNSPECIFIED:
	case CFI_SAME: return VALUE_KEPT;
	case CFI_UNDEFINED: return VALUE_LOST;
	case CFI_VAL_OFFSET: *ret = st->cfa + (u64)rule->offset; return VALUE_NEW;
	case CFI_REGISTER:
		st->end = UNWIND_BAD_INFO;
		if (!is_known(st->old, rule->reg))
			return VALUE_MISSED;
		*ret = st->old->r[rule->reg];
		return VALUE_NEW;
	case CFI_VAL_EXPR:
		return eval_expr(w, st->old, rule->expr, &st->cfa, st->swap, ret, &st->end)
			       ? VALUE_NEW
			       : VALUE_MISSED;
	case CFI_OFFSET: addr = st->cfa + (u64)rule->offset; break;
	case CFI_EXPR:
		if (!eval_expr(w, st->old, rule->expr, &st->cfa, st->swap, &addr, &st->end))
			return VALUE_MISSED;
		break;
	default: st->end = UNWIND_BAD_INFO; return VALUE_MISSED;
	}
	addr &= w->a->mask;
	if (stack_read(&w->stack, addr, w->a->word, ret)) {
		SAY(w, "    read 0x%llx: 0x%llx", (unsigned long long)addr,
		    (unsigned long long)*ret);
		return VALUE_NEW;
	}
	SAY(w, "    0x%llx is not in the copy of the stack", (unsigned long long)addr);
	st->end = stack_miss(&w->stack, addr, st->other_stack);
	return VALUE_MISSED;
}

static bool find_cfa(const struct walk *w, struct step *st)
{
	const struct cfi_rule *cfa = &st->info->row->cfa;

	if (cfa->how == CFI_EXPR || cfa->how == CFI_VAL_EXPR) {
		if (!eval_expr(w, st->old, cfa->expr, NULL, st->swap, &st->cfa, &st->end))
			return false;
	} else if (cfa->how == CFI_REGISTER && is_known(st->old, cfa->reg)) {
		st->cfa = st->old->r[cfa->reg] + (u64)cfa->offset;
	} else {
		st->end = UNWIND_BAD_INFO;
		return false;
	}
	st->cfa &= w->a->mask;
	return true;
}

/* Reads the return address by the row's rule. Returns false if there is none; st->end says why. */
static bool find_ra(const struct walk *w, struct step *st, u64 *ret)
{
	const struct full_row *row = st->info->row;
	const struct cfi_rule *rule = full_row_rule(row, row->ra_reg);
	struct cfi_rule pushed = { .how = CFI_OFFSET, .offset = -(s64)w->a->word };

	if (rule->how == CFI_UNSPECIFIED && w->a->lr == UNWIND_NO_REG)
		rule = &pushed;
	switch (apply_rule(w, st, rule, ret)) {
	case VALUE_NEW: break;
	case VALUE_KEPT:
		/*
		 * The rule says that the return address is still in its register. That can only be
		 * so where the code was interrupted: a call overwrites the register. At a call,
		 * such a rule marks an outermost function.
		 */
		if (!st->exact && !row->signal_frame) {
			st->end = UNWIND_ROOT;
			return false;
		}
		if (!is_known(st->old, row->ra_reg)) {
			st->end = UNWIND_BAD_INFO;
			return false;
		}
		*ret = st->old->r[row->ra_reg];
		break;
	case VALUE_LOST: st->end = UNWIND_ROOT; return false;
	case VALUE_MISSED: return false;
	}
	*ret = walk_clean_pc(w, *ret);
	if (!*ret)
		st->end = UNWIND_ROOT;
	return *ret != 0;
}

/*
 * Computes the caller's registers by a row. Registers without a rule keep their value: callees
 * preserve those that the ABI calls saved, and rows of compilers do not use the others.
 */
static bool step_by_row(const struct walk *w, struct step *st, struct walk_regs *r)
{
	const struct full_row *row = st->info->row;
	struct walk_regs old = *r;
	u64 ra, sp;

	st->old = &old;
	if (!find_cfa(w, st)) {
		/* an outermost function has no caller, so its CFA is not needed */
		if (full_row_rule(row, row->ra_reg)->how == CFI_UNDEFINED)
			st->end = UNWIND_ROOT;
		return false;
	}
	SAY(w, "    CFA 0x%llx", (unsigned long long)st->cfa);
	if (!find_ra(w, st, &ra))
		return false;
	/*
	 * find_ra() may have moved the cache entries, so st->info is not used from here on; rows do
	 * not move.
	 */
	sp = st->cfa;
	for (size_t i = 0; i < row->nr_regs; i++) {
		unsigned int reg = row->regs[i].reg;
		const struct cfi_rule *rule = &row->regs[i].rule;
		u64 v;

		if (reg >= w->a->nr_regs || reg == row->ra_reg)
			continue;
		/*
		 * Rows of an epilogue still name the slot of a register that was popped already.
		 * The slot is below the stack pointer, outside the copy, and the register has its
		 * value.
		 */
		if (st->exact && rule->how == CFI_OFFSET && !row->signal_frame &&
		    ((st->cfa + (u64)rule->offset) & w->a->mask) < old.r[w->a->sp])
			continue;
		switch (apply_rule(w, st, rule, &v)) {
		case VALUE_KEPT: break;
		case VALUE_NEW:
			r->r[reg] = v & w->a->mask;
			r->known |= 1ull << reg;
			break;
		case VALUE_LOST:
		case VALUE_MISSED: r->known &= ~(1ull << reg); break;
		}
		if (reg == w->a->sp)
			sp = r->r[reg];
	}
	r->r[w->a->sp] = sp;
	r->known |= 1ull << w->a->sp;
	if (w->a->lr != UNWIND_NO_REG && row->ra_reg == w->a->lr) {
		r->r[w->a->lr] = ra;
		r->known |= 1ull << w->a->lr;
	}
	r->r[w->a->pc] = ra;
	return true;
}

static bool step_by_sigframe(const struct walk *w, struct step *st, struct walk_regs *r)
{
	const struct unwind_sigframe *s = st->info->sigframe;
	u64 at = (r->r[w->a->sp] + s->first) & w->a->mask, v;

	SAY(w, "    code of a signal trampoline: registers at 0x%llx", (unsigned long long)at);
	for (size_t i = 0; i < s->nr; i++, at += s->word) {
		if (s->order[i] == UNWIND_NO_REG)
			continue;
		if (!stack_read(&w->stack, at, s->word, &v)) {
			st->end = stack_miss(&w->stack, at, st->other_stack);
			return false;
		}
		r->r[s->order[i]] = v & w->a->mask;
		r->known |= 1ull << s->order[i];
	}
	r->r[w->a->pc] = walk_clean_pc(w, r->r[w->a->pc]);
	st->end = UNWIND_ROOT;
	return r->r[w->a->pc] != 0;
}

static struct walk_core core_of(const struct walk *w, const struct walk_regs *r, bool exact)
{
	return (struct walk_core){ .pc = r->r[w->a->pc],
				   .sp = r->r[w->a->sp],
				   .fp = r->r[w->a->fp],
				   .exact = exact,
				   .fp_known = is_known(r, w->a->fp) };
}

/* Stores the caller's registers of c in r and marks all others as unknown. */
static void take_core(const struct walk *w, const struct walk_core *c, struct walk_regs *r)
{
	r->r[w->a->pc] = c->pc;
	r->r[w->a->sp] = c->sp;
	r->r[w->a->fp] = c->fp;
	r->known = 1ull << w->a->pc | 1ull << w->a->sp | (c->fp_known ? 1ull << w->a->fp : 0);
}

static bool step_by_guess(const struct walk *w, struct step *st, struct walk_regs *r)
{
	struct walk_core c = core_of(w, r, st->exact);

	c.chained = st->chained;
	if (w->a->lr != UNWIND_NO_REG) {
		c.lr = r->r[w->a->lr];
		c.lr_known = is_known(r, w->a->lr);
	}
	if (!walk_guess(w, st->info, &c, &st->end)) {
		st->cfa = c.cfa;
		return false;
	}
	st->chained = c.chained;
	take_core(w, &c, r);
	return true;
}

/*
 * Steps to the caller of the last frame by the frame's instructions, because its row led to an
 * address outside code: rows of some assembly, and after pushes in mono's compiled code, are wrong.
 * *r: the registers of that frame, then those of its caller.
 */
static bool last_frame_by_code(const struct walk *w, const struct unwind_frames *f, bool exact,
			       struct walk_regs *r)
{
	const struct pc_info info = w->u->cache.infos[f->numbers[f->nr - 1]];
	struct walk_core c = core_of(w, r, exact);

	if (!walk_by_code(w, &info, &c))
		return false;
	take_core(w, &c, r);
	return true;
}

/* What the walk keeps from one frame to the next. */
struct walk_state {
	struct walk_regs r;
	struct step st;
	/* about the last step: the registers that it began with, and whether it used a row */
	struct walk_regs before;
	bool by_row, was_exact;
};

static bool walk_begin(const struct walk *w, struct walk_state *s)
{
	const struct unwind_arch_info *a = w->a;

	if (!(w->job->known >> a->sp & 1) || !w->job->pc)
		return false;
	for (size_t i = 0; i < a->nr_regs; i++)
		s->r.r[i] = w->job->regs[i] & a->mask;
	s->r.r[a->pc] = w->job->pc & a->mask & ~a->thumb;
	s->r.r[a->sp] = w->leaf_sp;
	s->r.known = (w->job->known & ((1ull << a->nr_regs) - 1)) | 1ull << a->pc;
	s->st.exact = true;
	return true;
}

/*
 * Steps from a frame, whose pc has the facts in info, to its caller. Returns false if it cannot;
 * s->st.end says why.
 */
static bool step_to_caller(const struct walk *w, struct unwind_frames *f, struct walk_state *s,
			   const struct pc_info *info)
{
	bool ok;

	s->st.info = info;
	s->st.cfa = 0;
	s->st.swap = info->module && unwind_module_swap(info->module);
	if (!info->row && !info->sigframe) {
		ok = step_by_guess(w, &s->st, &s->r);
		f->guessed += ok;
		return ok;
	}
	ok = info->row ? step_by_row(w, &s->st, &s->r) : step_by_sigframe(w, &s->st, &s->r);
	s->st.chained = info->rule == RULE_CHAIN;
	return ok;
}

/* Repeats the last step by the frame's instructions, because its row led to a pc outside code. */
static bool step_again_by_code(const struct walk *w, struct unwind_frames *f, struct walk_state *s)
{
	SAY(w, "    0x%llx is in no code", (unsigned long long)s->r.r[w->a->pc]);
	s->by_row = false;
	if (!last_frame_by_code(w, f, s->was_exact, &s->before))
		return false;
	s->r = s->before;
	s->st.chained = false;
	f->guessed++;
	return true;
}

/*
 * Adds the frame with registers s->r and steps to its caller. Returns false if it is the last
 * frame; *ret_end says why.
 */
static bool one_frame(const struct walk *w, struct unwind_frames *f, struct walk_state *s,
		      enum unwind_end *ret_end)
{
	const struct unwind_arch_info *a = w->a;
	u64 pc = s->r.r[a->pc], sp = s->r.r[a->sp], ip = s->st.exact ? pc : pc - 1;
	bool signal, was_exact = s->st.exact;
	struct pc_info info;
	u32 number;

	*ret_end = UNWIND_DEPTH;
	if (f->nr >= w->u->max_frames)
		return false;
	number = pc_cache_number(&w->u->cache, walk_info(w, ip));
	info = info_with_row(w, number);
	if (s->by_row && pc_is_in_no_code(&info) && step_again_by_code(w, f, s))
		return true;
	if (pc_is_in_no_code(&info) && f->nr && ip < LOWEST_MAP) {
		*ret_end = UNWIND_NO_MAP;
		return false;
	}
	if (info.vdso && !was_exact)
		info.sigframe = walk_vdso_sigframe(w, sp);
	signal = info.sigframe || (info.row && info.row->signal_frame);
	if (signal && !was_exact)
		number = pc_cache_number(&w->u->cache, walk_info(w, ip = pc));
	frames_add(f, ip, sp, number);
	SAY(w, "#%zu ip 0x%llx sp 0x%llx", f->nr - 1, (unsigned long long)ip,
	    (unsigned long long)sp);
	*ret_end = (enum unwind_end)info.end;
	if (rule_kind(info.rule) == RULE_OUT)
		return false;
	if (w->tell)
		walk_say_row(w, &info);
	s->by_row = info.row && !signal;
	s->was_exact = was_exact;
	s->before = s->r;
	if (!step_to_caller(w, f, s, &info)) {
		f->last_cfa = s->st.cfa;
		*ret_end = s->st.end;
		return false;
	}
	s->st.exact = signal;
	s->st.other_stack |= signal;
	/*
	 * Each caller's stack pointer must be higher. Only a leaf may have no frame at all, and
	 * only once.
	 */
	*ret_end = UNWIND_BAD_STACK;
	return signal || s->r.r[a->sp] > sp ||
	       (s->r.r[a->sp] == sp && was_exact && s->r.r[a->pc] != pc);
}

enum unwind_end walk_end(const struct walk *w, const struct unwind_frames *f, enum unwind_end end)
{
	const struct pc_info *last;

	if (!f->nr || end == UNWIND_ROOT || end == UNWIND_DEPTH)
		return end;
	last = &w->u->cache.infos[f->numbers[f->nr - 1]];
	return last->module && unwind_module_is_start(last->module, last->pc - last->bias)
		       ? UNWIND_ROOT
		       : end;
}

void walk_all(const struct walk *w, struct unwind_frames *ret)
{
	struct walk_state s = { 0 };

	ret->nr = 0;
	ret->guessed = 0;
	ret->last_cfa = 0;
	ret->end = UNWIND_NO_REGS;
	if (!walk_begin(w, &s))
		return;
	while (one_frame(w, ret, &s, &ret->end))
		;
	ret->end = walk_end(w, ret, ret->end);
}

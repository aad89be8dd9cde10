/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_look.h"

#include "symbols/elf/insn_len.h"

/*
 * True if the instruction at the leaf's pc is a call that has run: the return address that it
 * pushed is at the stack pointer, which a call that has not run yet finds aligned to 16 bytes.
 */
static bool call_has_run(const struct walk *w, u64 sp)
{
	const u64 longest = 7; /* bytes of a call with prefix and a 32-bit displacement */
	const struct pc_info *info;
	u64 ra, pc = w->job->pc & w->a->mask;
	struct span code;
	u64 vaddr;

	if (w->job->arch != UNWIND_X86_64 || sp % 16 != 8 || !stack_read(&w->stack, sp, 8, &ra) ||
	    ra - pc - 2 > longest - 2)
		return false;
	info = walk_info(w, pc);
	if (!info->module)
		return false;
	vaddr = pc - info->bias;
	code = unwind_module_bytes(info->module, vaddr, longest);
	return x86_insn_len(code.p, code.n, true) == ra - pc &&
	       unwind_is_after_call(
		       w->job->arch,
		       unwind_module_bytes_before(info->module, vaddr + (ra - pc), longest));
}

void walk_start(struct walk *w, struct unwinder *u, const struct unwind_job *job)
{
	const struct unwind_arch_info *a = &unwind_archs[job->arch];

	*w = (struct walk){ .u = u,
			    .job = job,
			    .a = a,
			    .stack = stack_copy_of(job, job->regs[a->sp] & a->mask),
			    .space = pc_cache_space(&u->cache, job->space.id, job->arch) };
	w->leaf_sp = job->regs[a->sp] & a->mask;
	if (call_has_run(w, w->leaf_sp))
		w->leaf_sp += a->word;
}

/*
 * Finds the signal trampoline that a pc without call frame information is in: its instructions
 * begin at vaddr, one byte after it (vaddr is then the byte before a return address), or end at
 * vaddr.
 */
static const struct unwind_sigframe *find_sigframe(const struct walk *w,
						   const struct unwind_module *m, u64 vaddr)
{
	static const u8 lengths[] = { 4, 7, 8, 9 };
	const struct unwind_sigframe *s;
	enum unwind_arch arch = w->job->arch;

	s = unwind_sigframe_at(arch, unwind_module_bytes(m, vaddr, 9));
	if (!s)
		s = unwind_sigframe_at(arch, unwind_module_bytes(m, vaddr + 1, 9));
	/*
	 * i386's trampoline of 8 bytes has popped a word by its end, so its frame would be read
	 * wrongly.
	 */
	for (size_t i = 0; !s && i < ARRAY_SIZE(lengths); i++)
		if (arch != UNWIND_I386 || lengths[i] != 8)
			s = unwind_sigframe_at(arch,
					       unwind_module_bytes_before(m, vaddr, lengths[i]));
	return s;
}

const struct pc_info *walk_info(const struct walk *w, u64 pc)
{
	const struct pc_info *known = pc_cache_find(&w->u->cache, w->space, pc);
	struct pc_info info = { .pc = pc, .space = w->space };
	struct unwind_place place = { 0 };
	u64 function = pc;

	if (known)
		return known;
	if (!w->u->cfg.find(&w->job->space, pc, &place)) {
		info.end = UNWIND_NO_MAP;
		info.rule = RULE_MAKE(RULE_OUT, 0, 0);
	} else if (!place.module && !place.may_have_frames) {
		info.end = UNWIND_NO_OBJECT;
		info.rule = RULE_MAKE(RULE_OUT, 0, 0);
	} else {
		info.vdso = place.vdso;
		info.rule = RULE_MAKE(info.vdso ? RULE_FULL : RULE_GUESS, 0, 0);
		if (place.module && unwind_module_arch(place.module) == w->job->arch) {
			info.module = place.module;
			info.bias = place.bias;
			info.has_row = unwind_module_rule(info.module, pc - info.bias, &info.rule,
							  &function);
			if (info.has_row)
				function += info.bias;
			/*
			 * The rows of Go's own signal trampoline describe a plain function, so the
			 * trampoline is looked for even though it has rows.
			 */
			if (!info.has_row || unwind_module_keeps_frames(info.module))
				info.sigframe = find_sigframe(w, info.module, pc - info.bias);
			if (info.sigframe) {
				info.has_row = false;
				info.rule = RULE_MAKE(RULE_FULL, 0, 0);
			}
		}
	}
	return pc_cache_add(&w->u->cache, &info, function);
}

bool walk_is_code(const struct walk *w, u64 pc)
{
	return !pc_is_in_no_code(walk_info(w, pc));
}

u64 walk_clean_pc(const struct walk *w, u64 ra)
{
	const u64 va48 = (1ull << 48) - 1, va52 = (1ull << 52) - 1;

	ra &= w->a->mask & ~w->a->thumb;
	if (w->job->arch != UNWIND_AARCH64 || !(ra >> 48))
		return ra;
	/* A program gets addresses above 48 bits only if it asks mmap for them. */
	if (rule_kind(walk_info(w, (ra & va48) - 1)->rule) != RULE_OUT ||
	    rule_kind(walk_info(w, (ra & va52) - 1)->rule) == RULE_OUT)
		return ra & va48;
	return ra & va52;
}

/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_guess.h"

#include <string.h>

#include "unwind/unwind_code.h"
#include "unwind/unwind_say.h"
#include "unwind/unwind_vdso.h"

static bool word_at(const struct walk *w, u64 addr, u64 *ret)
{
	return stack_read(&w->stack, addr & w->a->mask, w->a->word, ret);
}

/*
 * True if addr lies at most 8 MiB above the stack copy's start. A register that holds no frame
 * pointer is more likely to point further away.
 */
static bool is_near(const struct walk *w, u64 addr)
{
	return addr - w->stack.base < 1ull << 23;
}

static bool is_goexit(const struct walk *w, const struct pc_info *info, u64 ra)
{
	u64 vaddr = ra - info->bias;

	return unwind_is_goexit(w->job->arch, unwind_module_bytes_before(info->module, vaddr, 1),
				unwind_module_bytes(info->module, vaddr, 6));
}

/* Which words are believed to be return addresses. Each value accepts more than the one before. */
enum believed {
	BELIEVE_CALLS,
	BELIEVE_MADE, /* and any address in code that a JIT compiler reported: interpreters return
		       * to places that follow no call */
	BELIEVE_CODE, /* and any address in code whose file was not found */
};

static bool is_return(const struct walk *w, u64 ra, enum believed believed)
{
	const struct pc_info *info;
	struct span before;

	if (!ra || !walk_is_code(w, ra - 1))
		return false;
	info = walk_info(w, ra - 1);
	if (!info->module)
		return believed == BELIEVE_CODE;
	if (believed != BELIEVE_CALLS && unwind_module_is_made(info->module))
		return true;
	before = unwind_module_bytes_before(info->module, ra - info->bias, 7);
	return unwind_is_after_call(w->job->arch, before) || is_goexit(w, info, ra);
}

/*
 * Steps to the caller with the word at sp + words as the return address. Returns false if that word
 * cannot be one; with must_see_call also if it does not follow a call.
 */
static bool step_by_sp(const struct walk *w, struct walk_core *c, u64 words, bool must_see_call)
{
	u64 ra;

	if (!word_at(w, c->sp + words * w->a->word, &ra))
		return false;
	ra = walk_clean_pc(w, ra);
	if (must_see_call ? !is_return(w, ra, BELIEVE_CALLS) : !ra || !walk_is_code(w, ra - 1))
		return false;
	SAY(w, "    return address at the stack pointer+%u: 0x%llx",
	    (unsigned int)words * w->a->word, (unsigned long long)ra);
	c->pc = ra;
	c->sp += (words + 1) * w->a->word;
	return true;
}

/* Steps to the caller of code that was interrupted in a PLT entry or in the vsyscall page. */
static bool step_by_slot(const struct walk *w, const struct pc_info *info, struct walk_core *c)
{
	const u64 vsyscall = 0xffffffffff600000ull;
	u64 vaddr = c->pc - info->bias;
	int words;

	if (w->job->arch == UNWIND_X86_64 && (c->pc & ~0xfffull) == vsyscall)
		return step_by_sp(w, c, 0, false);
	if (!info->module)
		return false;
	words = unwind_plt_words(w->job->arch, unwind_module_bytes_before(info->module, vaddr, 16),
				 unwind_module_bytes(info->module, vaddr, 16));
	return words >= 0 && step_by_sp(w, c, (u64)words, false);
}

/*
 * Returns the unwind rule that the instructions around a pc show. It is kept in the pc's cache
 * entry.
 */
static u32 rule_by_code(const struct walk *w, u64 pc, const struct walk_core *c)
{
	u32 number = pc_cache_number(&w->u->cache, walk_info(w, pc));
	struct pc_info *info = &w->u->cache.infos[number];

	if (!w->u->code)
		w->u->code = unwind_code_new();
	if (!info->by_code)
		info->by_code =
			unwind_code_rule(w->u->code, info->module, c->pc - info->bias, !c->exact);
	return info->by_code;
}

/*
 * Steps to the caller by the rule that the frame's instructions show. If it returns false and has
 * set c->cfa, the copy of the stack ends before that CFA.
 */
bool walk_by_code(const struct walk *w, const struct pc_info *info, struct walk_core *c)
{
	u64 cfa, ra, fp = c->fp;
	u32 rule;

	if (w->job->arch != UNWIND_X86_64 || !info->module)
		return false;
	rule = rule_by_code(w, info->pc, c);
	if (rule_kind(rule) == RULE_GUESS || (rule_kind(rule) == RULE_FP && !c->fp_known))
		return false;
	cfa = (rule_kind(rule) == RULE_FP ? c->fp : c->sp) + (u64)rule_words(rule) * 8;
	if (cfa <= c->sp)
		return false;
	if (!word_at(w, cfa - 8, &ra)) {
		if (is_near(w, cfa))
			c->cfa = cfa;
		return false;
	}
	if (!is_return(w, ra, BELIEVE_MADE))
		return false;
	if (rule_slot(rule) && !word_at(w, cfa + (u64)(s64)rule_slot(rule) * 8, &fp))
		return false;
	SAY(w, "    by its code: CFA 0x%llx, return address 0x%llx", (unsigned long long)cfa,
	    (unsigned long long)ra);
	c->chained = rule_slot(rule) == -2 && c->fp_known && c->fp == cfa - 16;
	c->pc = ra;
	c->sp = cfa;
	c->fp = fp;
	c->fp_known |= rule_slot(rule) != 0;
	return true;
}

/*
 * True if the pc is that of a thread that has just begun: it follows a system call instruction that
 * has returned 0, as clone() does in the new thread.
 */
static bool is_new_thread(const struct walk *w, const struct pc_info *info,
			  const struct walk_core *c)
{
	static const u8 syscall_insn[] = { 0x0f, 0x05 };
	struct span before;

	if (!c->exact || !info->module || w->job->arch != UNWIND_X86_64 || !(w->job->known & 1) ||
	    w->job->regs[0])
		return false;
	before = unwind_module_bytes_before(info->module, c->pc - info->bias, 2);
	return before.n == 2 && !memcmp(before.p, syscall_insn, 2);
}

/*
 * True if a zero frame pointer, or a zero return address behind it, is the start of a thread, as
 * the ABI says. x86 code without call frame information is mostly assembly or made at run time, and
 * may have zero in that register by chance. There the zero counts only if another frame pointer led
 * to it, or if the code before the pc clears the register or passes its stack pointer on, as the
 * start code of programs and of the dynamic linker does.
 */
static bool is_start(const struct walk *w, const struct pc_info *info, const struct walk_core *c)
{
	static const u8 clear_ebp[] = { 0x31, 0xed };
	static const u8 rsp_to_rdi[] = { 0x48, 0x89, 0xe7 }, esp_to_eax[] = { 0x89, 0xe0 };
	struct span before;

	if ((w->job->arch != UNWIND_X86_64 && w->job->arch != UNWIND_I386) || c->chained)
		return true;
	if (!info->module)
		return false;
	before = unwind_module_bytes_before(info->module, c->pc - info->bias, 32);
	if (!before.n)
		return false;
	return memmem(before.p, before.n, clear_ebp, sizeof(clear_ebp)) ||
	       (w->job->arch == UNWIND_X86_64
			? memmem(before.p, before.n, rsp_to_rdi, sizeof(rsp_to_rdi))
			: memmem(before.p, before.n, esp_to_eax, sizeof(esp_to_eax)));
}

/* Positions of the saved frame pointer and the return address, in words from the frame pointer. */
struct fp_layout {
	int fp, ra;
};

/*
 * True if the call before return address ra calls a function that sets no frame pointer: then the
 * frame pointer register belongs to another function, and ra to another call. False if that cannot
 * be seen: the call's target is in a register or in memory, the target is a jump, or the code is
 * Go's or a JIT compiler's, which puts stubs between caller and function.
 */
static bool calls_without_frame(const struct walk *w, u64 ra)
{
	const struct pc_info *info = walk_info(w, ra - 1);
	struct span call, to;
	u64 vaddr = ra - info->bias;

	if (w->job->arch != UNWIND_X86_64 || !info->module ||
	    unwind_module_keeps_frames(info->module) || unwind_module_is_made(info->module))
		return false;
	call = unwind_module_bytes_before(info->module, vaddr, 5);
	if (call.n < 5 || call.p[0] != 0xe8)
		return false;
	to = unwind_module_bytes(info->module, vaddr + (u64)(s64)(s32)get_u32(call.p + 1, false),
				 16);
	/* a PLT entry or a jump: the function that it leads to is unknown */
	if (!to.n || to.p[0] == 0xe9 || !unwind_plt_words(UNWIND_X86_64, span_of(NULL, 0), to))
		return false;
	return !unwind_sets_frame(to);
}

/*
 * Returns the caller's stack pointer: sp, where the frame record (saved frame pointer and return
 * address) ends. HotSpot's interpreter has arguments in its own frame and saves the caller's stack
 * pointer in the word below the record.
 */
static u64 callers_sp(const struct walk *w, const struct pc_info *info, u64 fp, u64 sp)
{
	const u64 most = 256 * 8; /* the most bytes that arguments take */
	u64 kept;

	if (w->job->arch == UNWIND_X86_64 && info->module && unwind_module_is_made(info->module) &&
	    word_at(w, fp - 8, &kept) && kept - sp < most && !(kept & 7))
		return kept;
	return sp;
}

/*
 * Steps to the caller by the frame pointer: it points to the caller's frame pointer and, beside it,
 * the return address. If it returns false, *ret_end says why.
 */
static bool step_by_fp(const struct walk *w, const struct pc_info *info, struct walk_core *c,
		       struct fp_layout at, enum unwind_end *ret_end)
{
	const unsigned int word = w->a->word;
	u64 ra, fp, lowest = c->fp + (u64)(s64)(at.fp < at.ra ? at.fp : at.ra) * word;

	*ret_end = UNWIND_NO_INFO;
	if (!c->fp_known)
		return false;
	if (!c->fp) {
		if (is_start(w, info, c))
			*ret_end = UNWIND_ROOT;
		return false;
	}
	if (c->fp % word || lowest < c->sp)
		return false;
	if (!word_at(w, c->fp + (u64)(s64)at.fp * word, &fp) ||
	    !word_at(w, c->fp + (u64)(s64)at.ra * word, &ra)) {
		if (is_near(w, c->fp))
			*ret_end = UNWIND_TRUNCATED;
		return false;
	}
	ra = walk_clean_pc(w, ra);
	if (!ra) {
		if (is_start(w, info, c))
			*ret_end = UNWIND_ROOT;
		return false;
	}
	if (!is_return(w, ra, BELIEVE_CODE) || (!c->chained && calls_without_frame(w, ra)))
		return false;
	SAY(w, "    frame pointer 0x%llx: return address 0x%llx", (unsigned long long)c->fp,
	    (unsigned long long)ra);
	c->sp = c->fp + (u64)(s64)((at.fp > at.ra ? at.fp : at.ra) + 1) * word;
	c->sp = callers_sp(w, info, c->fp, c->sp);
	c->pc = ra;
	c->fp = fp;
	c->chained = true;
	return true;
}

/*
 * Steps to the caller by the link register, which holds the return address until the function calls
 * another one. So it is used for the leaf only.
 */
static bool step_by_lr(const struct walk *w, struct walk_core *c)
{
	u64 ra = walk_clean_pc(w, c->lr), saved;

	if (!c->exact || !c->lr_known || !is_return(w, ra, BELIEVE_CODE))
		return false;
	/*
	 * The return address is on the stack already, behind the frame pointer: the stack pointer
	 * is then not the caller's, and step_by_fp() finds both.
	 */
	if (c->fp_known && w->job->arch == UNWIND_AARCH64 && word_at(w, c->fp + 8, &saved) &&
	    walk_clean_pc(w, saved) == ra)
		return false;
	SAY(w, "    link register 0x%llx", (unsigned long long)ra);
	c->pc = ra;
	return true;
}

bool walk_guess(const struct walk *w, const struct pc_info *info, struct walk_core *c,
		enum unwind_end *ret_end)
{
	const struct fp_layout usual = { 0, 1 }, old_arm = { -1, 0 };
	struct pc_info here = *info; /* a copy: looking up other pcs invalidates info */
	bool leaf = c->exact && w->a->lr == UNWIND_NO_REG;

	if (leaf && (here.vdso ? walk_vsyscall(w, c) : step_by_slot(w, &here, c)))
		return true;
	if (walk_by_code(w, &here, c))
		return true;
	if (c->cfa) {
		*ret_end = UNWIND_TRUNCATED;
		return false;
	}
	/*
	 * Assembly and code made at run time may be interrupted before they have a frame: the stack
	 * pointer then still points to the return address.
	 */
	if (leaf && step_by_sp(w, c, 0, true))
		return true;
	if (is_new_thread(w, &here, c) ||
	    (!c->exact && here.module && is_goexit(w, &here, c->pc))) {
		*ret_end = UNWIND_ROOT;
		return false;
	}
	if (w->a->lr != UNWIND_NO_REG && step_by_lr(w, c))
		return true;
	/*
	 * On arm, gcc's frame pointer points to the saved return address, clang's to the saved
	 * frame pointer before it.
	 */
	if (w->job->arch == UNWIND_ARM && step_by_fp(w, &here, c, old_arm, ret_end))
		return true;
	return step_by_fp(w, &here, c, usual, ret_end);
}

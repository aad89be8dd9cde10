/* SPDX-License-Identifier: MIT */
/*
 * Unwinds through the vDSO without its file, which is missing for recordings of another machine and
 * of 32-bit programs: its entry of system calls and its signal trampoline.
 */
#include "unwind/unwind_vdso.h"

#include <string.h>

#include "unwind/unwind_say.h"

/* __kernel_vsyscall saves %ecx, %edx and %ebp (arch/x86/entry/vdso/vdso32/system_call.S). */
#define MAX_SAVED 3

/* call *%gs:0x10, by which every C library enters __kernel_vsyscall */
static const u8 call_gs_16[] = { 0x65, 0xff, 0x15, 0x10, 0, 0, 0 };

static bool is_behind_vsyscall(const struct walk *w, u64 ra)
{
	const struct pc_info *info = ra ? walk_info(w, ra - 1) : NULL;
	struct span before;

	if (!info || !info->module)
		return false;
	before = unwind_module_bytes_before(info->module, ra - info->bias, sizeof(call_gs_16));
	return before.n == sizeof(call_gs_16) && !memcmp(before.p, call_gs_16, before.n);
}

bool walk_vsyscall(const struct walk *w, struct walk_core *c)
{
	u64 ra, fp;

	if (w->job->arch != UNWIND_I386 || !stack_read(&w->stack, c->sp, 4, &fp))
		return false;
	for (u64 saved = 0; saved <= MAX_SAVED; saved++) {
		if (!stack_read(&w->stack, (c->sp + saved * 4) & w->a->mask, 4, &ra) ||
		    !is_behind_vsyscall(w, ra))
			continue;
		SAY(w, "    entry of system calls: return address at the stack pointer+%u: 0x%llx",
		    (unsigned int)saved * 4, (unsigned long long)ra);
		c->pc = ra;
		c->sp += (saved + 1) * 4;
		if (saved == MAX_SAVED) {
			c->fp = fp;
			c->fp_known = true;
		}
		c->chained = false;
		return true;
	}
	return false;
}

/*
 * True if v may be the word after the pc in a signal frame: i386's code segment or aarch64's
 * processor state, of user mode.
 */
static bool is_user_state(enum unwind_arch arch, u64 v)
{
	return arch == UNWIND_I386 ? v == 0x23 || v == 0x73 : !(v >> 32) && !(v & 0x1f);
}

const struct unwind_sigframe *walk_vdso_sigframe(const struct walk *w, u64 sp)
{
	const struct unwind_sigframe *s;
	u64 at, pc, state;

	if (w->job->arch != UNWIND_I386 && w->job->arch != UNWIND_AARCH64)
		return NULL;
	for (size_t i = 0; (s = unwind_sigframe_of(w->job->arch, i)); i++) {
		at = sp + s->first + (u64)s->pc_at * s->word;
		if (stack_read(&w->stack, at & w->a->mask, s->word, &pc) &&
		    stack_read(&w->stack, (at + s->word) & w->a->mask, s->word, &state) &&
		    is_user_state(w->job->arch, state) && walk_is_code(w, walk_clean_pc(w, pc)))
			return s;
	}
	return NULL;
}

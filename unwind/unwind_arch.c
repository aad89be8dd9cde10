/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_arch.h"

#include <elf.h>
#include <stdio.h>

const struct unwind_arch_info unwind_archs[UNWIND_NR_ARCHS] = {
	[UNWIND_X86_64] = { .name = "x86_64",
			    .machine = EM_X86_64,
			    .word = 8,
			    .sp = 7,
			    .fp = 6,
			    .lr = UNWIND_NO_REG,
			    .pc = 16,
			    .mask = ~0ull,
			    .nr_regs = 16 },
	[UNWIND_I386] = { .name = "i386",
			  .machine = EM_386,
			  .word = 4,
			  .sp = 4,
			  .fp = 5,
			  .lr = UNWIND_NO_REG,
			  .pc = 8,
			  .mask = 0xffffffff,
			  .nr_regs = 8 },
	[UNWIND_AARCH64] = { .name = "aarch64",
			     .machine = EM_AARCH64,
			     .word = 8,
			     .sp = 31,
			     .fp = 29,
			     .lr = 30,
			     .pc = 32,
			     .mask = ~0ull,
			     .nr_regs = 32 },
	[UNWIND_ARM] = { .name = "arm",
			 .machine = EM_ARM,
			 .word = 4,
			 .sp = 13,
			 .fp = 11,
			 .lr = 14,
			 .pc = 15,
			 .mask = 0xffffffff,
			 .thumb = 1,
			 .nr_regs = 16 },
};

unsigned int unwind_sp_reg(enum unwind_arch arch)
{
	return unwind_archs[arch].sp;
}

enum unwind_arch unwind_arch_of_machine(u16 machine, bool is_64)
{
	switch (machine) {
	case EM_X86_64: return is_64 ? UNWIND_X86_64 : UNWIND_NR_ARCHS; /* x32 */
	case EM_386: return UNWIND_I386;
	case EM_AARCH64: return is_64 ? UNWIND_AARCH64 : UNWIND_NR_ARCHS;
	case EM_ARM: return UNWIND_ARM;
	default: return UNWIND_NR_ARCHS;
	}
}

const char *unwind_reg_name(enum unwind_arch arch, unsigned int reg, char buf[8])
{
	static const char *const x86_64[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi",
					      "rbp", "rsp", "r8",  "r9",  "r10", "r11",
					      "r12", "r13", "r14", "r15", "rip" };
	static const char *const i386[] = { "eax", "ecx", "edx", "ebx", "esp",
					    "ebp", "esi", "edi", "eip" };

	if (arch == UNWIND_X86_64 && reg < ARRAY_SIZE(x86_64))
		return x86_64[reg];
	if (arch == UNWIND_I386 && reg < ARRAY_SIZE(i386))
		return i386[reg];
	if (reg == unwind_archs[arch].sp)
		return "sp";
	if (reg == unwind_archs[arch].pc)
		return "pc";
	snprintf(buf, 8, "%c%u", arch == UNWIND_AARCH64 ? 'x' : 'r', reg % 1000);
	return buf;
}

/*
 * Signal frames as the stack pointer finds them when the handler has returned. Their layouts are
 * ABI of the kernel: arch/x86/include/uapi/asm/sigcontext.h, arch/arm64/kernel/signal.c,
 * arch/arm/kernel/signal.c.
 */
static const u8 order_x86_64[] = { 8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16 };
static const u8 order_i386[] = { 7, 6, 5, 4, 3, 2, 1, 0, UNWIND_NO_REG, UNWIND_NO_REG, 8 };
static const u8 order_arm[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
				17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 };

static const struct unwind_sigframe sigframe_x86_64 = { 40, order_x86_64, 17, 16, 8 };
static const struct unwind_sigframe sigframe_i386 = { 20, order_i386, 11, 10, 4 };
static const struct unwind_sigframe sigframe_i386_rt = { 176, order_i386, 11, 10, 4 };
static const struct unwind_sigframe sigframe_aarch64 = { 312, order_arm, 33, 32, 8 };
static const struct unwind_sigframe sigframe_arm = { 32, order_arm, 16, 15, 4 };
static const struct unwind_sigframe sigframe_arm_rt = { 160, order_arm, 16, 15, 4 };

static const struct {
	u8 arch;
	u8 n;
	u8 code[9];
	const struct unwind_sigframe *frame;
} trampolines[] = {
	/* mov $15,%rax; syscall */
	{ UNWIND_X86_64, 9, { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05 }, &sigframe_x86_64 },
	/* mov $15,%eax; syscall */
	{ UNWIND_X86_64, 7, { 0xb8, 15, 0, 0, 0, 0x0f, 0x05 }, &sigframe_x86_64 },
	/* pop %eax; mov $119,%eax; int $0x80 */
	{ UNWIND_I386, 8, { 0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80 }, &sigframe_i386 },
	/* mov $173,%eax; int $0x80 */
	{ UNWIND_I386, 7, { 0xb8, 0xad, 0, 0, 0, 0xcd, 0x80 }, &sigframe_i386_rt },
	/* mov x8,#139; svc #0 */
	{ UNWIND_AARCH64, 8, { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 }, &sigframe_aarch64 },
	/* mov r7,#119; svc #0 */
	{ UNWIND_ARM, 8, { 0x77, 0x70, 0xa0, 0xe3, 0, 0, 0, 0xef }, &sigframe_arm },
	/* mov r7,#173; svc #0 */
	{ UNWIND_ARM, 8, { 0xad, 0x70, 0xa0, 0xe3, 0, 0, 0, 0xef }, &sigframe_arm_rt },
	/* movs r7,#119; svc #0, movs r7,#173; svc #0 */
	{ UNWIND_ARM, 4, { 0x77, 0x27, 0, 0xdf }, &sigframe_arm },
	{ UNWIND_ARM, 4, { 0xad, 0x27, 0, 0xdf }, &sigframe_arm_rt },
};

const struct unwind_sigframe *unwind_sigframe_of(enum unwind_arch arch, size_t i)
{
	for (size_t k = 0; k < ARRAY_SIZE(trampolines); k++)
		if (trampolines[k].arch == arch && !i--)
			return trampolines[k].frame;
	return NULL;
}

const struct unwind_sigframe *unwind_sigframe_at(enum unwind_arch arch, struct span code)
{
	for (size_t i = 0; i < ARRAY_SIZE(trampolines); i++)
		if (trampolines[i].arch == arch && code.n >= trampolines[i].n &&
		    !memcmp(code.p, trampolines[i].code, trampolines[i].n))
			return trampolines[i].frame;
	return NULL;
}

/*
 * Returns the length of the endbr64 or endbr32 that code begins with, 0 if it begins with neither.
 */
static size_t endbr_len(struct span code)
{
	return code.n >= 4 && !memcmp(code.p, "\xf3\x0f\x1e", 3) && (code.p[3] & 0xfe) == 0xfa ? 4
											       : 0;
}

/* True if code begins with a PLT entry's `jmp *slot`, after an optional endbr and bnd prefix. */
static bool is_plt_jump(struct span code)
{
	size_t at = endbr_len(code);

	if (code.n > at && code.p[at] == 0xf2)
		at++;
	/* the operand is *disp(%rip) or *disp, on i386 also *disp(%ebx) */
	return code.n >= at + 6 && code.p[at] == 0xff &&
	       (code.p[at + 1] == 0x25 || code.p[at + 1] == 0xa3);
}

int unwind_plt_words(enum unwind_arch arch, struct span before, struct span code)
{
	if (arch != UNWIND_X86_64 && arch != UNWIND_I386)
		return -1;
	if (is_plt_jump(code))
		return 0;
	/*
	 * A PLT entry is `jmp *slot; push $index; jmp slot 0`: first the case that code is its
	 * push, then that code is its second jump.
	 */
	if (before.n >= 6 && code.n >= 10 && code.p[0] == 0x68 && code.p[5] == 0xe9 &&
	    is_plt_jump(span_of(before.p + before.n - 6, 6)))
		return 0;
	if (before.n >= 11 && code.n >= 5 && code.p[0] == 0xe9 && before.p[before.n - 5] == 0x68 &&
	    is_plt_jump(span_of(before.p + before.n - 11, 6)))
		return 1;
	return -1;
}

bool unwind_is_after_call(enum unwind_arch arch, struct span before)
{
	const u8 *end;

	if (before.n < 2)
		return false;
	end = before.p + before.n;
	if (arch == UNWIND_AARCH64) {
		u32 insn = before.n >= 4 ? get_u32(end - 4, false) : 0;

		/* bl, blr, and blr with pointer authentication */
		return (insn >> 26) == 0x25 || (insn & 0xfffffc1f) == 0xd63f0000 ||
		       (insn & 0xfefff800) == 0xd63f0800;
	}
	if (arch == UNWIND_ARM)
		return before.n >= 4;
	if (before.n >= 5 && end[-5] == 0xe8)
		return true;
	/* call *reg or call *memory (ff /2) that is n bytes long, as its operand says */
	for (size_t n = 2; n <= 7 && n <= before.n; n++) {
		u8 modrm = end[-(long)n + 1], mod = modrm >> 6, rm = modrm & 7;
		size_t len = 2;

		if (end[-(long)n] != 0xff || ((modrm >> 3) & 7) != 2)
			continue;
		if (mod != 3 && rm == 4) {
			if (n < 3)
				continue;
			len++;
			if (mod == 0 && (end[-(long)n + 2] & 7) == 5)
				len += 4;
		}
		if (mod == 1)
			len++;
		else if (mod == 2 || (mod == 0 && rm == 5))
			len += 4;
		if (len == n)
			return true;
	}
	return false;
}

bool unwind_sets_frame(struct span code)
{
	static const u8 push_and_mov[] = { 0x55, 0x48, 0x89, 0xe5 };
	size_t at = endbr_len(code);

	return code.n >= at + 4 && !memcmp(code.p + at, push_and_mov, 4);
}

bool unwind_is_goexit(enum unwind_arch arch, struct span before, struct span code)
{
	/*
	 * Go's goexit is `nop; call goexit1; nop`, and a goroutine's first function returns to the
	 * call
	 */
	return arch == UNWIND_X86_64 && before.n && code.n >= 6 && before.p[before.n - 1] == 0x90 &&
	       code.p[0] == 0xe8 && code.p[5] == 0x90;
}

/* SPDX-License-Identifier: MIT */
#include "machine/machine_regs.h"

#include "fileformat/events.h"

/* abi of struct pd_regs, include/uapi/linux/perf_event.h: enum perf_sample_regs_abi */
#define ABI_32 1

#define NONE 0xff

/*
 * By perf's number of a register (arch/ARCH/include/uapi/asm/perf_regs.h) the number that DWARF has
 * for it, the pc as PC.
 */
#define PC 0xfe

/* AX BX CX DX SI DI BP SP IP, flags and segments; of 64-bit tasks R8 to R15 follow. */
static const u8 x86_64_order[] = { 0,    3,    2,    1,    4, 5, 6,  7,  PC, NONE, NONE, NONE,
				   NONE, NONE, NONE, NONE, 8, 9, 10, 11, 12, 13,   14,   15 };
static const u8 i386_order[] = { 0, 3, 1, 2, 6, 7, 5, 4, PC };
/* x0 to x30 and sp have DWARF's numbers. Those of a 32-bit task lie in the same places. */
#define AARCH64_PC 32
#define ARM_PC 15

static u8 dwarf_number(enum unwind_arch arch, bool on_aarch64, unsigned int perf_reg)
{
	switch (arch) {
	case UNWIND_X86_64:
		return perf_reg < ARRAY_SIZE(x86_64_order) ? x86_64_order[perf_reg] : NONE;
	case UNWIND_I386: return perf_reg < ARRAY_SIZE(i386_order) ? i386_order[perf_reg] : NONE;
	case UNWIND_AARCH64:
		if (perf_reg == AARCH64_PC)
			return PC;
		return perf_reg < AARCH64_PC ? (u8)perf_reg : NONE;
	case UNWIND_ARM:
		if (perf_reg == (on_aarch64 ? AARCH64_PC : ARM_PC))
			return PC;
		return perf_reg < ARM_PC ? (u8)perf_reg : NONE;
	default: return NONE;
	}
}

enum unwind_arch user_regs_arch(const char *machine, u64 abi)
{
	bool is_x86 = !strcmp(machine, "x86_64") || !strcmp(machine, "amd64") ||
		      (machine[0] == 'i' && !strcmp(machine + 1 + !!machine[1], "86"));

	if (is_x86)
		return abi == ABI_32 || machine[0] == 'i' ? UNWIND_I386 : UNWIND_X86_64;
	if (!strncmp(machine, "aarch64", 7) || !strncmp(machine, "arm64", 5))
		return abi == ABI_32 ? UNWIND_ARM : UNWIND_AARCH64;
	if (!strncmp(machine, "arm", 3))
		return UNWIND_ARM;
	return UNWIND_NR_ARCHS;
}

static void make_layout(struct machine_regs_layout *l, const char *machine, u64 abi, u64 mask)
{
	bool on_aarch64 = !strncmp(machine, "aarch64", 7) || !strncmp(machine, "arm64", 5);

	*l = (struct machine_regs_layout){ .abi = abi,
					   .mask = mask,
					   .arch = user_regs_arch(machine, abi) };
	if (l->arch == UNWIND_NR_ARCHS)
		return;
	for (u64 left = mask; left; left &= left - 1) {
		u8 n = dwarf_number(l->arch, on_aarch64, (unsigned int)__builtin_ctzll(left));

		l->numbers[l->nr++] = n;
		if (n == PC)
			l->has_pc = true;
		else if (n != NONE)
			l->known |= 1ull << n;
	}
}

bool machine_regs_to_job(const struct pd_sample *sample, const char *machine,
			 struct machine_regs_layout *l, struct unwind_job *ret)
{
	const struct pd_regs *regs = &sample->user_regs;
	bool off_cpu = sample->id - PD_OFFCPU_ID < PD_NR_OFFCPU;

	if (!regs->abi)
		return false;
	if (l->abi != regs->abi || l->mask != regs->mask)
		make_layout(l, machine, regs->abi, regs->mask);
	if (l->arch == UNWIND_NR_ARCHS || !l->has_pc || regs->values.n / sizeof(u64) < l->nr)
		return false;
	ret->arch = l->arch;
	ret->known = l->known;
	ret->bytes = sample->user_stack;
	ret->swap = sample->swap;
	for (u8 i = 0; i < l->nr; i++) {
		u64 v = span_u64(regs->values, i, sample->swap);

		if (l->numbers[i] < UNWIND_MAX_REGS)
			ret->regs[l->numbers[i]] = v;
		else if (l->numbers[i] == PC)
			ret->pc = v;
		/* prec writes 0 for those that it could not see (docs/FORMAT.md 2.13) */
		if (!v && off_cpu && l->numbers[i] < UNWIND_MAX_REGS)
			ret->known &= ~(1ull << l->numbers[i]);
	}
	return ret->known >> unwind_sp_reg(l->arch) & 1;
}

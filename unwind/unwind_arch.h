/* SPDX-License-Identifier: MIT */
/*
 * What an architecture's ABI says about frames: DWARF's register numbers, the size of a word, and
 * code that is known by its bytes (signal trampolines, PLT slots, calls).
 */
#ifndef UNWIND_UNWIND_ARCH_H
#define UNWIND_UNWIND_ARCH_H

#include "unwind/unwind.h"

#define UNWIND_NO_REG 0xff

struct unwind_arch_info {
	const char *name;
	u16 machine; /* EM_* */
	u8 word;     /* bytes that a pushed register takes */
	u8 sp, fp;
	u8 lr;      /* UNWIND_NO_REG: calls push the return address */
	u8 pc;      /* the number under which expressions read it, UNWIND_NO_REG for none */
	u64 mask;   /* bits of an address */
	u64 thumb;  /* bits of a return address that are no part of it */
	u8 nr_regs; /* numbers below it are general registers */
};

extern const struct unwind_arch_info unwind_archs[UNWIND_NR_ARCHS];

/* UNWIND_NR_ARCHS for a machine that is not known here. */
enum unwind_arch unwind_arch_of_machine(u16 machine, bool is_64);

const char *unwind_reg_name(enum unwind_arch arch, unsigned int reg, char buf[8]);

/*
 * Code bytes at a pc are those of a return to the kernel from a signal handler. *ret_regs is then
 * where the interrupted registers lie, as an offset from the stack pointer, and how.
 */
struct unwind_sigframe {
	u16 first;       /* of the first register, from the stack pointer */
	const u8 *order; /* DWARF numbers in the order of memory */
	u8 nr;
	u8 pc_at; /* place of the pc in that order */
	u8 word;
};
const struct unwind_sigframe *unwind_sigframe_at(enum unwind_arch arch, struct span code);
/* All of an architecture, some more than once, for i from 0; NULL behind the last. */
const struct unwind_sigframe *unwind_sigframe_of(enum unwind_arch arch, size_t i);

/*
 * pc lies in a PLT slot; code is what is there and what_before the up to 16 bytes before it. Gives
 * how many words lie on the stack above the return address' place, -1 when it is no slot.
 */
int unwind_plt_words(enum unwind_arch arch, struct span before, struct span code);

/* The bytes that end at a return address are those of a call. */
bool unwind_is_after_call(enum unwind_arch arch, struct span before);

/* x86-64: code is the start of a function that keeps a frame pointer. */
bool unwind_sets_frame(struct span code);

/*
 * Where goroutines return to, which no call precedes: runtime.goexit behind its first instruction,
 * as Go puts it below the first frame. Code before it, and there.
 */
bool unwind_is_goexit(enum unwind_arch arch, struct span before, struct span code);

#endif

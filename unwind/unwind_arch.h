/* SPDX-License-Identifier: MIT */
/*
 * Facts of each architecture's ABI that unwinding needs: DWARF register numbers, the size of a
 * word, and the bytes of known code (signal trampolines, PLT slots, calls).
 */
#ifndef UNWIND_UNWIND_ARCH_H
#define UNWIND_UNWIND_ARCH_H

#include "unwind/unwind.h"

#define UNWIND_NO_REG 0xff

struct unwind_arch_info {
	const char *name;
	u16 machine; /* EM_* */
	u8 word;     /* bytes that a pushed register takes */
	u8 sp, fp;   /* DWARF numbers */
	u8 lr;       /* DWARF number; UNWIND_NO_REG: calls push the return address */
	u8 pc;       /* DWARF number of the pc in expressions; UNWIND_NO_REG: it has none */
	u64 mask;    /* the bits of an address */
	u64 thumb;   /* bits of a return address that do not belong to the address */
	u8 nr_regs;  /* DWARF numbers below it are general registers */
};

extern const struct unwind_arch_info unwind_archs[UNWIND_NR_ARCHS];

/* Returns the architecture of an ELF machine (EM_*), UNWIND_NR_ARCHS if it is not supported. */
enum unwind_arch unwind_arch_of_machine(u16 machine, bool is_64);

/* Returns the name of the register with this DWARF number; it may be written to buf. */
const char *unwind_reg_name(enum unwind_arch arch, unsigned int reg, char buf[8]);

/* The layout in which the kernel saves the registers of an interrupted thread on the stack of a
 * signal handler. */
struct unwind_sigframe {
	u16 first;       /* bytes from the stack pointer to the first saved register */
	const u8 *order; /* DWARF numbers of the saved registers, in memory order */
	u8 nr;           /* registers */
	u8 pc_at;        /* index of the pc in `order` */
	u8 word;         /* bytes of a register */
};
/* Returns the layout if the code bytes at a pc are a signal trampoline, which returns to the kernel
 * from a signal handler; else NULL. */
const struct unwind_sigframe *unwind_sigframe_at(enum unwind_arch arch, struct span code);
/* Returns layout number i of an architecture, from 0 on; NULL after the last. A layout may be
 * listed more than once. */
const struct unwind_sigframe *unwind_sigframe_of(enum unwind_arch arch, size_t i);

/*
 * Returns how many words the PLT slot at a pc has pushed above the return address, -1 if the pc is
 * not in a PLT slot. code: the bytes at the pc; before: up to 16 bytes before it.
 */
int unwind_plt_words(enum unwind_arch arch, struct span before, struct span code);

/* True if a call instruction ends the bytes `before`, which end at a possible return address. */
bool unwind_is_after_call(enum unwind_arch arch, struct span before);

/* True if x86-64 `code` is the start of a function that sets up a frame pointer. */
bool unwind_sets_frame(struct span code);

/*
 * True at the return address that Go puts below the first frame of a goroutine: in runtime.goexit
 * after its first instruction. No call precedes it. before, code: the bytes before and at it.
 */
bool unwind_is_goexit(enum unwind_arch arch, struct span before, struct span code);

#endif

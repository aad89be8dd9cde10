/* SPDX-License-Identifier: MIT */
/*
 * A row of call frame information compiled into 32 bits, for the frames that nearly all are: the
 * CFA from the stack or frame pointer, the return address and the caller's frame pointer in fixed
 * words at it. Whatever a rule32 cannot say without loss is RULE_FULL, and is walked with all
 * registers.
 *
 *	31..28 kind | 27..13 CFA offset in words, unsigned | 12..0 slot in words from the CFA,
 *signed
 */
#ifndef UNWIND_UNWIND_RULE_H
#define UNWIND_UNWIND_RULE_H

#include "unwind/cfi/cfi.h"
#include "unwind/unwind_arch.h"

enum rule_kind {
	RULE_NONE,    /* no rule: what an empty cache entry holds */
	RULE_SP,      /* CFA = sp + off, return address below the CFA; slot: fp, 0 for unchanged */
	RULE_FP,      /* the same from fp */
	RULE_SP_PAIR, /* CFA = sp + off; slot: fp, and the return address in the word after it */
	RULE_FP_PAIR,
	RULE_SP_RA, /* CFA = sp + off; slot: the return address; fp unchanged */
	RULE_FP_RA,
	RULE_END,   /* there is no caller */
	RULE_GUESS, /* no call frame information here */
	RULE_FULL,  /* anything else: the full row */
	RULE_OUT,   /* no code, or none whose object is at hand */
};

#define RULE_MAKE(kind, words, slot) ((u32)(kind) << 28 | (u32)(words) << 13 | ((u32)(slot)&0x1fff))

/* A frame pointer that leads to the saved one and the return address behind it: of x86-64. */
#define RULE_CHAIN RULE_MAKE(RULE_FP, 2, -2)

static inline enum rule_kind rule_kind(u32 rule)
{
	return (enum rule_kind)(rule >> 28);
}

static inline u32 rule_words(u32 rule)
{
	return rule >> 13 & 0x7fff;
}

static inline s32 rule_slot(u32 rule)
{
	return (s32)(rule << 19) >> 19;
}

/* A row kept whole. */
struct full_row {
	u32 rule; /* the same in short */
	u16 nr_regs, ra_reg;
	bool signal_frame, ra_signed;
	struct cfi_rule cfa;
	struct cfi_reg_rule regs[];
};

/* The rule of a register; CFI_UNSPECIFIED's when the row has none for it. */
const struct cfi_rule *full_row_rule(const struct full_row *row, unsigned int reg);

/* What a row says of registers, for any CFA: most rows of a function differ in that alone. */
struct rule_regs {
	u32 whole; /* the rule; 0: by the CFA's register one of these, without its offset */
	u32 by_sp, by_fp;
};
struct rule_regs rule_compile_regs(enum unwind_arch arch, const struct cfi_row *row);

u32 rule_compile(enum unwind_arch arch, const struct rule_regs *regs, const struct cfi_rule *cfa);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Unwind rules: a row of call frame information compiled into 32 bits. Nearly all frames fit: their
 * CFA is the stack or frame pointer plus an offset, and the return address and the caller's frame
 * pointer are at fixed words from it. All other rows get RULE_FULL and are unwound with all
 * registers. The bits of a rule:
 *
 *	31..28	kind
 *	27..13	offset of the CFA in words, unsigned
 *	12..0	slot: in words from the CFA, signed
 */
#ifndef UNWIND_UNWIND_RULE_H
#define UNWIND_UNWIND_RULE_H

#include "unwind/cfi/cfi.h"
#include "unwind/unwind_arch.h"

enum rule_kind {
	RULE_NONE, /* no rule, in an empty cache entry */
	RULE_SP,   /* CFA = sp + off, return address just below the CFA; slot: fp, 0: unchanged */
	RULE_FP,   /* CFA = fp + off, otherwise like RULE_SP */
	RULE_SP_PAIR, /* CFA = sp + off; slot: fp, followed by the return address */
	RULE_FP_PAIR, /* CFA = fp + off, otherwise like RULE_SP_PAIR */
	RULE_SP_RA,   /* CFA = sp + off; slot: the return address; fp is unchanged */
	RULE_FP_RA,   /* CFA = fp + off, otherwise like RULE_SP_RA */
	RULE_END,     /* the function has no caller */
	RULE_GUESS,   /* code without call frame information */
	RULE_FULL,    /* the row does not fit into 32 bits: use the full row */
	RULE_OUT,     /* the pc is not in code, or the code's file was not found */
};

#define RULE_MAKE(kind, words, slot) ((u32)(kind) << 28 | (u32)(words) << 13 | ((u32)(slot)&0x1fff))

/* The rule of x86-64 code that keeps a frame pointer: fp points to the caller's fp, which the
 * return address follows. */
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

/* A full row of call frame information. */
struct full_row {
	u32 rule; /* the row as a 32-bit rule */
	u16 nr_regs, ra_reg;
	bool signal_frame, ra_signed;
	struct cfi_rule cfa;
	struct cfi_reg_rule regs[];
};

/* Returns the row's rule for a register; one with CFI_UNSPECIFIED if the row has none. */
const struct cfi_rule *full_row_rule(const struct full_row *row, unsigned int reg);

/* The part of a rule that does not depend on the CFA. It is kept from row to row, because most rows
 * of a function differ in the CFA only. */
struct rule_regs {
	u32 whole; /* the complete rule; 0: it depends on the CFA's register */
	u32 by_sp; /* the rule without the CFA's offset, for a CFA by the stack pointer */
	u32 by_fp; /* the same for a CFA by the frame pointer */
};
/* Compiles the registers' rules of a row. */
struct rule_regs rule_compile_regs(enum unwind_arch arch, const struct cfi_row *row);

/* Returns the 32-bit rule of a row with these registers' rules and this CFA. */
u32 rule_compile(enum unwind_arch arch, const struct rule_regs *regs, const struct cfi_rule *cfa);

#endif

/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_rule.h"

static const struct cfi_rule unspecified = { .how = CFI_UNSPECIFIED };

const struct cfi_rule *full_row_rule(const struct full_row *row, unsigned int reg)
{
	for (size_t i = 0; i < row->nr_regs; i++)
		if (row->regs[i].reg == reg)
			return &row->regs[i].rule;
	return &unspecified;
}

static bool is_same(const struct cfi_rule *r)
{
	return r->how == CFI_UNSPECIFIED || r->how == CFI_SAME;
}

/* Converts n bytes to words of 4 or 8 bytes. Returns false if n is not a multiple of a word. */
static bool words_of(s64 n, unsigned int word, s64 *ret)
{
	*ret = n / 4;
	if (word == 8)
		*ret = n / 8;
	return !(n & (s64)(word - 1));
}

/*
 * Sets *ret to the word, from the CFA, of the slot that rule r names. Returns false if r names no
 * slot or 13 signed bits cannot hold its number.
 */
static bool slot_of(const struct cfi_rule *r, unsigned int word, s64 *ret)
{
	return r->how == CFI_OFFSET && words_of(r->offset, word, ret) && *ret >= -4096 &&
	       *ret <= 4095;
}

struct rule_regs rule_compile_regs(enum unwind_arch arch, const struct cfi_row *row)
{
	const struct unwind_arch_info *a = &unwind_archs[arch];
	const struct cfi_rule *ra = &unspecified, *fp = &unspecified, *sp = &unspecified;
	const struct rule_regs full = { .whole = RULE_MAKE(RULE_FULL, 0, 0) };
	s64 fp_slot = 0, ra_slot;

	for (size_t i = 0; i < row->nr_regs; i++) {
		const struct cfi_reg_rule *r = &row->regs[i];

		ra = r->reg == row->ra_reg ? &r->rule : ra;
		fp = r->reg == a->fp ? &r->rule : fp;
		sp = r->reg == a->sp ? &r->rule : sp;
	}
	if (row->signal_frame)
		return full;
	if (ra->how == CFI_UNDEFINED)
		return (struct rule_regs){ .whole = RULE_MAKE(RULE_END, 0, 0) };
	if (!is_same(sp) || (!is_same(fp) && (!slot_of(fp, a->word, &fp_slot) || !fp_slot)))
		return full;
	if (a->lr == UNWIND_NO_REG && ra->how == CFI_UNSPECIFIED)
		ra_slot = -1;
	else if (!slot_of(ra, a->word, &ra_slot))
		return full;
	if (a->lr == UNWIND_NO_REG)
		return ra_slot == -1 ? (struct rule_regs){ .by_sp = RULE_MAKE(RULE_SP, 0, fp_slot),
							   .by_fp = RULE_MAKE(RULE_FP, 0, fp_slot) }
				     : full;
	if (!fp_slot)
		return (struct rule_regs){ .by_sp = RULE_MAKE(RULE_SP_RA, 0, ra_slot),
					   .by_fp = RULE_MAKE(RULE_FP_RA, 0, ra_slot) };
	return ra_slot == fp_slot + 1
		       ? (struct rule_regs){ .by_sp = RULE_MAKE(RULE_SP_PAIR, 0, fp_slot),
					     .by_fp = RULE_MAKE(RULE_FP_PAIR, 0, fp_slot) }
		       : full;
}

u32 rule_compile(enum unwind_arch arch, const struct rule_regs *regs, const struct cfi_rule *cfa)
{
	const struct unwind_arch_info *a = &unwind_archs[arch];
	s64 words;

	if (regs->whole)
		return regs->whole;
	if (cfa->how != CFI_REGISTER || (cfa->reg != a->sp && cfa->reg != a->fp) ||
	    cfa->offset < 0 || !words_of(cfa->offset, a->word, &words) || words > 0x7fff)
		return RULE_MAKE(RULE_FULL, 0, 0);
	return (cfa->reg == a->fp ? regs->by_fp : regs->by_sp) | RULE_MAKE(0, words, 0);
}

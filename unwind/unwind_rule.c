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

/* n bytes in words, of 4 or 8 bytes; false when they are no number of these. */
static bool words_of(s64 n, unsigned int word, s64 *ret)
{
	*ret = n / 4;
	if (word == 8)
		*ret = n / 8;
	return !(n & (s64)(word - 1));
}

/* In words, when r is a slot at the CFA that 13 signed bits hold; the word 0 stands for none. */
static bool slot_of(const struct cfi_rule *r, unsigned int word, s64 *ret)
{
	return r->how == CFI_OFFSET && words_of(r->offset, word, ret) && *ret >= -4096 &&
	       *ret <= 4095;
}

u32 rule_compile(enum unwind_arch arch, const struct cfi_row *row)
{
	const struct unwind_arch_info *a = &unwind_archs[arch];
	const struct cfi_rule *ra = &unspecified, *fp = &unspecified, *sp = &unspecified;
	const u32 full = RULE_MAKE(RULE_FULL, 0, 0);
	s64 fp_slot = 0, ra_slot, words;
	bool by_fp;

	for (size_t i = 0; i < row->nr_regs; i++) {
		const struct cfi_reg_rule *r = &row->regs[i];

		ra = r->reg == row->ra_reg ? &r->rule : ra;
		fp = r->reg == a->fp ? &r->rule : fp;
		sp = r->reg == a->sp ? &r->rule : sp;
	}
	if (row->signal_frame)
		return full;
	if (ra->how == CFI_UNDEFINED)
		return RULE_MAKE(RULE_END, 0, 0);
	if (row->cfa.how != CFI_REGISTER || (row->cfa.reg != a->sp && row->cfa.reg != a->fp) ||
	    row->cfa.offset < 0 || !words_of(row->cfa.offset, a->word, &words) || words > 0x7fff ||
	    !is_same(sp))
		return full;
	by_fp = row->cfa.reg == a->fp;
	if (!is_same(fp) && (!slot_of(fp, a->word, &fp_slot) || !fp_slot))
		return full;
	if (a->lr == UNWIND_NO_REG && ra->how == CFI_UNSPECIFIED)
		ra_slot = -1;
	else if (!slot_of(ra, a->word, &ra_slot))
		return full;
	if (a->lr == UNWIND_NO_REG)
		return ra_slot == -1 ? RULE_MAKE(by_fp ? RULE_FP : RULE_SP, words, fp_slot) : full;
	if (!fp_slot)
		return RULE_MAKE(by_fp ? RULE_FP_RA : RULE_SP_RA, words, ra_slot);
	return ra_slot == fp_slot + 1
		       ? RULE_MAKE(by_fp ? RULE_FP_PAIR : RULE_SP_PAIR, words, fp_slot)
		       : full;
}

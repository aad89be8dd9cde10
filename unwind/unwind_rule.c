/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_rule.h"

static const struct cfi_rule unspecified = { .how = CFI_UNSPECIFIED };

static const struct cfi_rule *find_rule(const struct cfi_reg_rule *regs, size_t nr,
					unsigned int reg)
{
	for (size_t i = 0; i < nr; i++)
		if (regs[i].reg == reg)
			return &regs[i].rule;
	return &unspecified;
}

const struct cfi_rule *full_row_rule(const struct full_row *row, unsigned int reg)
{
	return find_rule(row->regs, row->nr_regs, reg);
}

static bool is_same(const struct cfi_rule *r)
{
	return r->how == CFI_UNSPECIFIED || r->how == CFI_SAME;
}

/* In words, when r is a slot at the CFA that 13 signed bits hold; the word 0 stands for none. */
static bool slot_of(const struct cfi_rule *r, int word, s64 *ret)
{
	if (r->how != CFI_OFFSET || r->offset % word)
		return false;
	*ret = r->offset / word;
	return *ret >= -4096 && *ret <= 4095;
}

u32 rule_compile(enum unwind_arch arch, const struct cfi_row *row)
{
	const struct unwind_arch_info *a = &unwind_archs[arch];
	const struct cfi_rule *ra = find_rule(row->regs, row->nr_regs, row->ra_reg);
	const struct cfi_rule *fp = find_rule(row->regs, row->nr_regs, a->fp);
	const u32 full = RULE_MAKE(RULE_FULL, 0, 0);
	s64 fp_slot = 0, ra_slot;
	u32 words;
	bool by_fp;

	if (row->signal_frame)
		return full;
	if (ra->how == CFI_UNDEFINED)
		return RULE_MAKE(RULE_END, 0, 0);
	if (row->cfa.how != CFI_REGISTER || (row->cfa.reg != a->sp && row->cfa.reg != a->fp) ||
	    row->cfa.offset < 0 || row->cfa.offset % a->word ||
	    row->cfa.offset / a->word > 0x7fff ||
	    !is_same(find_rule(row->regs, row->nr_regs, a->sp)))
		return full;
	by_fp = row->cfa.reg == a->fp;
	words = (u32)(row->cfa.offset / a->word);
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

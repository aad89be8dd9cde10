/* SPDX-License-Identifier: MIT */
#include "machine/frame_pointers.h"

#include "unwind/unwind_module.h"

#define RBP 6 /* its DWARF number */

static enum frame_pointer of_full_row(struct unwind_module *m, u64 vaddr)
{
	const struct cfi_rule *cfa = &unwind_module_row(m, vaddr)->cfa;

	if (cfa->how != CFI_REGISTER)
		return FRAME_POINTER_UNKNOWN;
	return cfa->reg == RBP ? FRAME_POINTER_KEPT : FRAME_POINTER_NONE;
}

enum frame_pointer frame_pointer_at(const struct unwind_space *space, u64 ip)
{
	struct unwind_place place;
	u64 function;
	u32 rule;

	if (!machine_modules_find(space, ip, &place) || !place.module ||
	    unwind_module_arch(place.module) != UNWIND_X86_64)
		return FRAME_POINTER_UNKNOWN;
	if (unwind_module_is_start(place.module, ip - place.bias))
		return FRAME_POINTER_START;
	if (!unwind_module_rule(place.module, ip - place.bias, &rule, &function))
		return FRAME_POINTER_UNKNOWN;
	switch (rule_kind(rule)) {
	case RULE_FP:
	case RULE_FP_PAIR:
	case RULE_FP_RA: return FRAME_POINTER_KEPT;
	case RULE_SP:
	case RULE_SP_PAIR:
	case RULE_SP_RA: return FRAME_POINTER_NONE;
	case RULE_END: return FRAME_POINTER_START;
	case RULE_FULL: return of_full_row(place.module, ip - place.bias);
	default: return FRAME_POINTER_UNKNOWN;
	}
}

/* SPDX-License-Identifier: MIT */
/* Registers that a sample recorded, by their numbers in asm/perf_regs.h of the architecture. */
#ifndef EVENTS_SAMPLE_REG_H
#define EVENTS_SAMPLE_REG_H

#include "fileformat/sample.h"

/* Gets register nr. Returns false if it was not recorded. swap: as of the sample. */
static inline bool sample_reg(const struct pd_regs *regs, bool swap, unsigned int nr, u64 *ret)
{
	size_t at = nr < 64 ? (size_t)__builtin_popcountll(regs->mask & ((1ull << nr) - 1)) : 0;

	if (nr >= 64 || !(regs->mask >> nr & 1) || regs->values.n / 8 <= at)
		return false;
	*ret = span_u64(regs->values, at, swap);
	return true;
}

#endif

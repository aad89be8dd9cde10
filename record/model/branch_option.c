/* SPDX-License-Identifier: MIT */
#include "record/model/branch_option.h"

#include <string.h>
#include <strings.h>

#include "fileformat/attr.h"

#define LEVELS 7ull /* user, kernel, hypervisor */

/* The word for -j and the name for -vv of each bit of branch_sample_type (linux/perf_event.h). */
static const struct {
	const char *word, *shown;
} bits[] = {
	{ "u", "USER" },
	{ "k", "KERNEL" },
	{ "hv", "HV" },
	{ "any", "ANY" },
	{ "any_call", "ANY_CALL" },
	{ "any_ret", "ANY_RETURN" },
	{ "ind_call", "IND_CALL" },
	{ "abort_tx", "ABORT_TX" },
	{ "in_tx", "IN_TX" },
	{ "no_tx", "NO_TX" },
	{ "cond", "COND" },
	{ "stack", "CALL_STACK" },
	{ "ind_jmp", "IND_JUMP" },
	{ "call", "CALL" },
	{ "no_flags", "NO_FLAGS" },
	{ "no_cycles", "NO_CYCLES" },
	{ "save_type", "TYPE_SAVE" },
	{ "hw_index", "HW_INDEX" },
	{ "priv", "PRIV_SAVE" },
	{ "counter", "COUNTERS" },
};

const char *branch_bit_name(unsigned int bit)
{
	return bit < ARRAY_SIZE(bits) ? bits[bit].shown : NULL;
}

int branch_option_parse(const char *text, u64 *ret, struct perr *e)
{
	const char *s = text;
	u64 mask = 0;
	size_t i;

	for (;;) {
		size_t len = strcspn(s, ",");

		for (i = 0; i < ARRAY_SIZE(bits); i++)
			if (strlen(bits[i].word) == len && !strncasecmp(bits[i].word, s, len))
				break;
		if (i == ARRAY_SIZE(bits))
			return perr_set(e, PERR_USAGE,
					"unknown branch filter '%.*s' (any, any_call, "
					"any_ret, ind_call, ind_jmp, call, cond, stack, in_tx, "
					"no_tx, abort_tx, save_type, priv, no_flags, no_cycles, "
					"hw_index, counter, and the levels u, k, hv)",
					(int)(len < 40 ? len : 40), s);
		mask |= 1ull << i;
		if (!s[len])
			break;
		s += len + 1;
	}
	if (!(mask & ~LEVELS))
		mask |= PD_BRANCH_ANY;
	*ret = mask;
	return 0;
}

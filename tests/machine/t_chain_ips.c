/* SPDX-License-Identifier: MIT */
/* Ends of stacks as a sample's misc keeps them. */
#include "machine/chain_ips.h"

#include "tests/frame/unit.h"

static const struct pd_event unwound = { .is_unwound = true }, plain;

TEST(noted_ends_come_back)
{
	for (int end = 0; end < UNWIND_NR_ENDS; end++) {
		for (int joined = 0; joined < 2; joined++) {
			u8 e = (u8)(STACK_END(end) | (joined ? STACK_JOINED : 0));
			struct pd_sample s = { .misc = (u16)(chain_end_misc(e) | PD_CPUMODE_USER |
							     PD_MISC_EXACT_IP) };

			CHECK_EQ(chain_noted_end(&unwound, &s), e);
			/* of other events the bits mean nothing */
			CHECK_EQ(chain_noted_end(&plain, &s), STACK_RECORDED);
			/* and they touch no other bit */
			CHECK_EQ(chain_end_misc(e) & (PD_MISC_CPUMODE_MASK | 0xf000u), 0);
		}
	}
}

TEST(ends_that_do_not_exist_are_not_known)
{
	for (unsigned int v = STACK_END(UNWIND_NR_ENDS); v < 16; v++) {
		struct pd_sample s = { .misc = (u16)(v << PD_MISC_STACK_END_SHIFT) };

		CHECK_EQ(chain_noted_end(&unwound, &s), STACK_RECORDED);
	}
}

TEST(chains_that_prec_made_have_the_limit_of_stacks)
{
	CHECK_EQ(chain_limit(&plain, 127, 1024), 127);
	CHECK_EQ(chain_limit(&unwound, 127, 1024), 1024);
	CHECK_EQ(chain_limit(&unwound, 5, 5), 5);
	CHECK_EQ(chain_limit(&unwound, UINT32_MAX, 1024), UINT32_MAX);
}

/* SPDX-License-Identifier: MIT */
/* Built instead of oracle_libunwind.c where libunwind is not installed. */
#include "unwind/oracle_libunwind.h"

bool oracle_libunwind_is_available(void)
{
	return false;
}

struct oracle_libunwind *oracle_libunwind_new(const struct unwinder_config *cfg)
{
	(void)cfg;
	return NULL;
}

void oracle_libunwind_free(struct oracle_libunwind *o)
{
	(void)o;
}

int oracle_libunwind_stack(struct oracle_libunwind *o, const struct unwind_job *job,
			   struct unwind_frames *ret)
{
	(void)o;
	(void)job;
	ret->nr = 0;
	ret->guessed = 0;
	ret->last_cfa = 0;
	ret->end = UNWIND_NO_INFO;
	return PERR_UNSUPPORTED;
}

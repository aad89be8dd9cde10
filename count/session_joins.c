/* SPDX-License-Identifier: MIT */
#include "count/session_joins.h"

#include "count/counts.h"
#include "session/session.h"

void joins_of_session(struct session *s, unsigned int threads, u32 max_user_stack,
		      struct join_table **ret)
{
	const struct counts_config counting = { .pass = "completing truncated stacks",
						.pass_flags = SESSION_QUIET,
						.columns = 1u << COUNT_STACK,
						.threads = threads,
						.only_joins = true,
						.max_user_stack = max_user_stack };
	struct counts *c = NULL;
	struct perr e;

	*ret = NULL;
	if (!session_can_repeat(s) || s->pd->kind == PD_PIPE || !pd_has_stack_copies(s->pd))
		return;
	/* of a damaged recording, the samples before the damage count */
	if (!counts_run(s, &counting, &c, &e) || c)
		*ret = counts_take_joins(c);
	counts_free(c);
}

/* SPDX-License-Identifier: MIT */
/*
 * Call chains of samples as frame ids. machine/chain_ips.h has them as addresses.
 */
#ifndef SESSION_CHAIN_H
#define SESSION_CHAIN_H

#include "machine/chain_ips.h"
#include "session/frames.h"

/*
 * A sample's call chain as frame ids, leaf first: at most max_stack entries, of the recorded chain
 * (kernel part, user part, joined deferred part) or, for LBR call stacks, of the branch stack.
 * Result is valid until the next call; *ret_nr is 0 for a chain that is empty or damaged (one with
 * an unknown marker is discarded whole, as stock perf does).
 */
struct chain {
	u32 *ids;
	size_t nr, cap;
	struct chain_ips list;          /* list.user: the caller's, see there */
	const struct join_table *joins; /* the caller's; NULL: truncated stacks are not completed */
	/*
	 * Set when a truncated stack was not completed because there are no joins. Chains of
	 * several threads may share it. NULL: the caller does not need to know.
	 */
	bool *left_truncated;
	struct join_path path;
	bool leaf_of_branches; /* LBR call stacks begin with a branch's target, not the sample's ip
				*/
};
void chain_resolve(struct chain *c, struct frames *f, const struct pd_event *ev,
		   const struct pd_sample *sample, const struct task_view *task, u32 max_stack);
void chain_fini(struct chain *c);

#endif

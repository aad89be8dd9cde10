/* SPDX-License-Identifier: MIT */
/*
 * The last stack of each thread, for when there is no time to unwind whole ones: two samples of a
 * thread mostly have their outer frames in common, and the same frame at the same stack pointer is
 * taken for the same call.
 */
#ifndef RECORD_LIVE_LAST_CHAINS_H
#define RECORD_LIVE_LAST_CHAINS_H

#include "unwind/unwind.h"

/* Threads that are remembered; another one takes the place of one whose number is alike. */
#define LAST_CHAINS 256u

struct last_chain {
	u64 task;       /* pid and tid; 0: none */
	u64 *ips, *sps; /* as those of struct unwind_frames */
	size_t nr, cap;
	u8 end; /* as chain_ips.end */
};

struct last_chains {
	struct last_chain chains[LAST_CHAINS];
};

void last_chains_fini(struct last_chains *l);

/*
 * Finds the frame of ip at stack pointer sp in the last stack of a task. Returns the stack and sets
 * *ret_callers to the index of the frame's caller, which may be nr; NULL if it is not there.
 */
const struct last_chain *last_chains_find(const struct last_chains *l, u64 task, u64 ip, u64 sp,
					  size_t *ret_callers);

/*
 * Remembers the first nr_own frames of f for a task, followed by the frames of its stack before
 * from `callers` on, if that is not more than it has.
 */
void last_chains_put(struct last_chains *l, u64 task, const struct unwind_frames *f, size_t callers,
		     u8 end);

#endif

/* SPDX-License-Identifier: MIT */
/* Shared by the files of join/. */
#ifndef UNWIND_JOIN_JOIN_PRIV_H
#define UNWIND_JOIN_JOIN_PRIV_H

#include "base/hash.h"
#include "unwind/join/join.h"

/* A frame of a stack in a batch. */
struct batch_frame {
	u64 cfa, ip, function;
};

struct batch_stack {
	u64 task, rank, time;
	u32 nr;       /* frames, leaf first */
	u32 question; /* JOIN_NO_QUESTION: it has none */
	bool at_root;
	/*
	 * Its callers do not lie above their callees, as where a signal handler has a stack of its
	 * own: it says nothing of others. nr is 1, its last frame.
	 */
	bool apart;
};

#define JOIN_NO_QUESTION UINT32_MAX

struct join_batch {
	struct batch_stack *stacks;
	size_t nr, cap;
	struct batch_frame *frames; /* of all stacks */
	size_t nr_frames, cap_frames;
	u32 nr_questions;
};

/*
 * One call of a function, from the first to the last stack that shows it. It ends when a later
 * stack of the task reaches past its frame address without containing it: the call has returned.
 */
struct live_call {
	u64 last; /* rank */
	u64 caller_ip;
	u32 caller; /* its call; JOIN_NO_RUN: not known */
	bool at_root;
};

/* A question that will be looked up by its time alone. */
struct join_asked {
	u64 rank;
	u32 call;
};

/* Holds the calls that copies end in, and their callers: most calls are neither. */
struct join_table {
	struct live_call *calls;
	size_t nr_calls, cap_calls;
	u32 **answers; /* by batch, by question; NULL: a batch without questions */
	size_t nr_answers, cap_answers;
	bool finds_by_time;
	struct idmap by_time; /* (join_key, time) -> index in asked */
	struct join_asked *asked;
	size_t nr_asked, cap_asked;
	size_t bytes;
};

static inline bool live_call_holds(const struct live_call *r, u64 rank)
{
	/* a stack apart from the others asks for a frame that may not have been seen again */
	return rank <= r->last;
}

u64 join_key(u64 task, const struct join_frame *f);

#endif

/* SPDX-License-Identifier: MIT */
/* Internals of join/, shared by its files. */
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
	u32 question; /* its number in the batch; JOIN_NO_QUESTION: none */
	bool at_root; /* the last frame is the thread's first call */
	/*
	 * Its frame addresses do not ascend, because a signal handler has a stack of its own, for
	 * example. Such a stack does not show that calls have returned. nr is 1: its last frame.
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
	u64 last;      /* rank of the last stack that shows it */
	u64 caller_ip; /* return address in its caller */
	u32 caller;    /* number of the calling call; JOIN_NO_CALL: unknown */
	bool at_root;  /* it is the thread's first call */
};

/* A question that join_find() looks up by time. */
struct join_asked {
	u64 rank; /* of the stack that has it */
	u32 call; /* that it is about */
};

/* The answers to all questions. It has only the calls that questions are about and their callers,
 * which are few of all calls. */
struct join_table {
	struct live_call *calls;
	size_t nr_calls, cap_calls;
	u32 **answers; /* answers[batch][question]: a call; NULL: a batch without questions */
	size_t nr_answers, cap_answers;
	bool finds_by_time;
	struct idmap by_time; /* key: join_key(), time; value: index in asked */
	struct join_asked *asked;
	size_t nr_asked, cap_asked;
	size_t bytes;
};

/* True if the call had not returned at the stack of this rank. That can only be false for a stack
 * that is `apart`: its frame may not be in any other stack. */
static inline bool live_call_holds(const struct live_call *r, u64 rank)
{
	return rank <= r->last;
}

/* Returns a hash of a task and a call's identity. */
u64 join_key(u64 task, const struct join_frame *f);

#endif

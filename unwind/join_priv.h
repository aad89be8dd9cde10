/* SPDX-License-Identifier: MIT */
/* What the files of joins hand to each other. */
#ifndef UNWIND_JOIN_PRIV_H
#define UNWIND_JOIN_PRIV_H

#include "base/hash.h"
#include "unwind/join.h"

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
 * A frame from its first sight to its last, as long as no stack between contradicts: one that
 * reaches beyond its place without having it.
 */
struct join_run {
	u64 last; /* rank */
	u64 caller_ip;
	u32 caller; /* its run; JOIN_NO_RUN: not known */
	bool at_root;
};

/* A question, for who comes back with its time alone. */
struct join_asked {
	u64 rank;
	u32 run;
};

/* Only runs that are asked for, and their callers, are kept: most frames no copy ends in. */
struct join_table {
	struct join_run *runs;
	size_t nr_runs, cap_runs;
	u32 **answers; /* by batch, by question; NULL: a batch without questions */
	size_t nr_answers, cap_answers;
	bool finds_by_time;
	struct idmap by_time; /* (join_key, time) -> index in asked */
	struct join_asked *asked;
	size_t nr_asked, cap_asked;
	size_t bytes;
};

static inline bool join_run_holds(const struct join_run *r, u64 rank)
{
	/* a stack apart from the others asks for a frame that may not have been seen again */
	return rank <= r->last;
}

u64 join_key(u64 task, const struct join_frame *f);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The fast way: a lane walks one stack by pc, stack pointer and frame pointer only. What needs more
 * than that sends the stack to walk_all, from its leaf on, so both give the same frames.
 */
#ifndef UNWIND_UNWIND_LANE_H
#define UNWIND_UNWIND_LANE_H

#include "unwind/unwind_walk.h"

struct lane {
	struct walk w;
	struct unwind_frames *f;
	const u8 *p; /* the copy of the stack: p[0] lies at base, the last whole word at base + last
		      */
	u64 base, last;
	u64 ip, sp, fp; /* ip: what the frame is looked up by */
	u64 space_key;
	size_t chained; /* the frame whose fp was saved where the last one's led to; 0: none */
	bool exact;
};

/* False: this stack is none for a lane. */
bool lane_start(struct lane *l, struct unwinder *u, const struct unwind_job *job,
		struct unwind_frames *ret);

/* One frame. False: the stack is done, l->f is its result. */
bool lane_step_x86_64(struct lane *l);

/* All frames, of any architecture. */
void lane_run(struct lane *l);

#endif

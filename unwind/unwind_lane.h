/* SPDX-License-Identifier: MIT */
/*
 * The fast unwinder: a lane unwinds one stack and tracks only pc, stack pointer and frame pointer.
 * If a frame needs more, walk_all() unwinds the whole stack again from its leaf, so the frames do
 * not depend on which of the two is used.
 */
#ifndef UNWIND_UNWIND_LANE_H
#define UNWIND_UNWIND_LANE_H

#include "unwind/unwind_walk.h"

struct lane {
	struct walk w;
	struct unwind_frames *f;
	const u8 *p;    /* the copy of the stack */
	u64 base, last; /* run-time address of p[0]; offset of the last whole word */
	u64 ip, sp, fp; /* of the current frame; ip as in unwind_frames.ips */
	u64 space_key;
	size_t chained; /* index of the frame whose fp was found by the previous frame pointer; 0:
			 * none */
	bool exact;     /* ip is where the code was interrupted, not from a return address */
};

/* Starts a lane at the leaf of a stack. Returns false if this stack needs walk_all(). */
bool lane_start(struct lane *l, struct unwinder *u, const struct unwind_job *job,
		struct unwind_frames *ret);

/* Unwinds one frame of an x86-64 stack. Returns false when the stack is done and l->f is complete.
 */
bool lane_step_x86_64(struct lane *l);

/* Unwinds all frames of a stack of any architecture. */
void lane_run(struct lane *l);

#endif

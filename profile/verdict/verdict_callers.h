/* SPDX-License-Identifier: MIT */
/*
 * Which object's code is it whose callers are missing? Frame-pointer chains end or go wrong in code
 * that uses the register for something else; how that is changed depends on the code's language.
 */
#ifndef PROFILE_VERDICT_VERDICT_CALLERS_H
#define PROFILE_VERDICT_VERDICT_CALLERS_H

#include "base/hash.h"
#include "count/stack_iter.h"
#include "profile/verdict/verdict.h"
#include "profile/verdict/verdict_marks.h"

/* Zero to begin with. */
struct verdict_callers {
	struct caller_weight *items;
	size_t nr, cap;
	struct idmap by_dso; /* object -> number in items */
	size_t last;         /* item of the row that was added last */
};

/*
 * Adds the row to the object whose code has no right caller in this stack: that of the frame before
 * the first one in no map, or of the last frame. The kernel is no such object. frames: the stack
 * from its leaf on, without the frames of its tail; tail: number of that tail, 0: none.
 */
void verdict_callers_add(struct verdict_callers *c, const struct verdict_marks *m,
			 struct stack_iter frames, u32 tail, const struct count_row *r);

/* Adds samples of a period of 1 to an object. */
void verdict_callers_count(struct verdict_callers *c, const struct dso *d, u64 samples);

/* Adds the sums of `from`, of rows behind those of c, and frees it. */
void verdict_callers_move(struct verdict_callers *c, struct verdict_callers *from);

/* Sets v->callerless from the object with the most weight, if there is one. Frees *c. */
void verdict_callers_finish(struct verdict_callers *c, const struct machine *mc, struct verdict *v);

#endif

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

/* Zero to begin with. */
struct verdict_callers {
	struct caller_weight *items;
	size_t nr, cap;
	struct idmap by_dso; /* object -> number in items */
};

/*
 * Adds the row to the object whose code has no right caller in this stack: that of the frame before
 * the first one that no map holds, or of the last frame. frames is before the leaf.
 */
void verdict_callers_add(struct verdict_callers *c, const struct counts *counts,
			 struct stack_iter frames, const struct count_row *r);

/* Sets v->callerless from the object with the most weight. Frees *c. */
void verdict_callers_finish(struct verdict_callers *c, const struct machine *mc, struct verdict *v);

#endif

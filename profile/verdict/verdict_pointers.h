/* SPDX-License-Identifier: MIT */
/*
 * Which share of frame-pointer chains lacks callers? The kernel follows frame pointers; where the
 * code on the stack keeps none, by its call frame information, callers are missing.
 */
#ifndef PROFILE_VERDICT_VERDICT_POINTERS_H
#define PROFILE_VERDICT_VERDICT_POINTERS_H

#include "profile/verdict/verdict.h"

/*
 * Sets v->pointers from some 500 to 1,000 of the counted samples, and v->callerless if callers are
 * missing. Only files that are the recorded ones count. marks: of frames, see verdict_marks.h;
 * of_idx: of verdict_list_events(). The sums of v's events are done.
 */
void verdict_look_at_pointers(const struct verdict_input *in, struct verdict *v, const u8 *marks,
			      const u32 *of_idx);

#endif

/* SPDX-License-Identifier: MIT */
/* Steps to the caller where there is no call frame information: by known code, by frame pointers.
 */
#ifndef UNWIND_UNWIND_GUESS_H
#define UNWIND_UNWIND_GUESS_H

#include "unwind/unwind_look.h"

/* The registers that a step without call frame information reads and sets. */
struct walk_core {
	u64 pc, sp, fp;
	u64 lr;     /* of architectures with one, as sampled: for the leaf only */
	bool exact; /* pc is where the code was interrupted, not a return address */
	bool fp_known, lr_known;
	bool chained; /* the last step went by a frame pointer, and fp is what was saved there */
	u64 cfa;      /* of the frame, where its code tells it and no step can be made; else 0 */
};

/*
 * One step without call frame information. True: *c is the caller, whose other registers are not
 * known. False: no caller was found, *ret_end says why.
 */
bool walk_guess(const struct walk *w, const struct pc_info *info, struct walk_core *c,
		enum unwind_end *ret_end);

/*
 * A step that only goes by the instructions of the code at info's pc. False with c->cfa set: the
 * end of the frame lies beyond the copy of the stack.
 */
bool walk_by_code(const struct walk *w, const struct pc_info *info, struct walk_core *c);

#endif

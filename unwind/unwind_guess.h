/* SPDX-License-Identifier: MIT */
/* Finds a frame's caller without call frame information: by code with known bytes, by following
 * instructions, and by frame pointers. */
#ifndef UNWIND_UNWIND_GUESS_H
#define UNWIND_UNWIND_GUESS_H

#include "unwind/unwind_look.h"

/* The registers of a frame that a step without call frame information reads and sets. */
struct walk_core {
	u64 pc, sp, fp;
	u64 lr;     /* link register of the leaf, on architectures that have one */
	bool exact; /* pc is where the code was interrupted, not a return address */
	bool fp_known, lr_known;
	bool chained; /* the last step used the frame pointer, and fp is the one saved there */
	u64 cfa;      /* CFA of the frame if walk_by_code() found it but no caller; else 0 */
};

/*
 * Finds the caller of frame *c. Returns true with *c set to the caller, of which other registers
 * than those in *c are unknown; false, with the reason in *ret_end, if no caller is found.
 */
bool walk_guess(const struct walk *w, const struct pc_info *info, struct walk_core *c,
		enum unwind_end *ret_end);

/*
 * Finds the caller of frame *c only by the instructions at info's pc (unwind_code.h). Returns true
 * with *c set to the caller. False with c->cfa not 0: the frame's CFA is known, but the return
 * address is past the end of the stack copy.
 */
bool walk_by_code(const struct walk *w, const struct pc_info *info, struct walk_core *c);

#endif

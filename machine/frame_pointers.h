/* SPDX-License-Identifier: MIT */
/*
 * Whether code keeps a frame pointer, by its call frame information: what a walk by frame pointers,
 * as the kernel does it for call chains, would have needed. x86-64 only: elsewhere the call frame
 * information does not tell.
 */
#ifndef MACHINE_FRAME_POINTERS_H
#define MACHINE_FRAME_POINTERS_H

#include "machine/machine_modules.h"

enum frame_pointer {
	FRAME_POINTER_UNKNOWN, /* no call frame information, or another architecture */
	FRAME_POINTER_KEPT,
	FRAME_POINTER_NONE, /* at this place the frame pointer is that of a caller, or no pointer */
	FRAME_POINTER_START, /* the function has no caller */
};

/*
 * Looks up the code at a run-time ip; for the frame of a caller, its return address minus one. May
 * read the object's file. space->maps is a struct user_space. Any thread may call it.
 */
enum frame_pointer frame_pointer_at(const struct unwind_space *space, u64 ip);

/* The same for an ip in a map. known: MACHINE_MODULES_KNOWN of them, the thread's own. */
enum frame_pointer frame_pointer_in(struct machine_modules *modules,
				    struct machine_modules_known *known, const struct map *map,
				    u64 ip);

/* A user frame of a chain that was walked by frame pointers. */
struct frame_kept {
	enum frame_pointer kept;
	const struct dso *dso; /* of FRAME_POINTER_NONE */
};

/*
 * Returns the object of the first frame whose caller a chain lacks, of nr frames, leaf first; NULL:
 * none does, as far as is known. *ret_others: the chain lacks callers of other frames than the leaf
 * as well, or has no other frame.
 */
const struct dso *frame_pointers_lacking(const struct frame_kept *frames, size_t nr,
					 bool *ret_others);

#endif

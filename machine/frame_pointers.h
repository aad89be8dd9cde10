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

#endif

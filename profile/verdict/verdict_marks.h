/* SPDX-License-Identifier: MIT */
/*
 * A frame's mark says in one byte what each row with that frame needs to know: whether it is in the
 * kernel, and the number + 1 of its module if it has no name (0 if it has). One byte, because rows
 * look up half a million frames in no order.
 */
#ifndef PROFILE_VERDICT_VERDICT_MARKS_H
#define PROFILE_VERDICT_VERDICT_MARKS_H

#include "base/types.h"

struct counts;

#define MARK_KERNEL 0x80
#define MARK_MODULE 0x7f
#define MARK_WIDE 0x7f /* the module's number is this or a higher one */

/* All members are borrowed. */
struct verdict_marks {
	const struct counts *counts;
	const u8 *marks;     /* by frame id */
	const u32 *unmapped; /* see struct verdict_modules */
};

#endif

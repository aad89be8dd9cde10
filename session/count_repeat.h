/* SPDX-License-Identifier: MIT */
/*
 * Stacks whose frames are there again and again, as they are kept: an entry of COUNT_REPEAT among
 * the ids says that the frames before it follow once more, several in turn. By symbol that is one
 * frame, anywhere in a stack. By address it is the circle in which the chains of code without frame
 * pointers end: the last entry, which stands for whole turns of the last frames before it.
 */
#ifndef SESSION_COUNT_REPEAT_H
#define SESSION_COUNT_REPEAT_H

#include <stddef.h>

#include "base/bytes.h"

#define COUNT_REPEAT (1u << 31)
#define COUNT_TURN_SHIFT 25
#define COUNT_TURN_MAX 64u /* frames that go round */
#define COUNT_REPEAT_MAX ((1u << COUNT_TURN_SHIFT) - 1)

/* The entry that says: the last `turn` frames go on in turn, for so many frames. */
static inline u32 count_repeat(u32 turn, u32 frames)
{
	return COUNT_REPEAT | (turn - 1) << COUNT_TURN_SHIFT | frames;
}

static inline u32 count_repeat_turn(u32 entry)
{
	return (entry >> COUNT_TURN_SHIFT & (COUNT_TURN_MAX - 1)) + 1;
}

static inline u32 count_repeat_frames(u32 entry)
{
	return entry & COUNT_REPEAT_MAX;
}

/*
 * The circle that a chain of n addresses of one mode ends in, as the entry for it: that many
 * addresses at its end repeat those before them. 0: there is none that is worth it. The same for
 * equal chains.
 */
u32 count_find_circle(const u64 *ips, size_t n);

/* The same of a chain as it was recorded, with markers, none of which is in the circle. */
u32 count_find_recorded_circle(struct span ips, bool swap);

/* Frames of a stack of n entries. */
size_t count_stack_depth(const u32 *ids, size_t n);

/* All of them, to ret[count_stack_depth()]. */
void count_stack_expand(const u32 *ids, size_t n, u32 *ret);

#endif

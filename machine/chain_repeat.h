/* SPDX-License-Identifier: MIT */
/*
 * Stacks whose frames are there again and again, as they are kept: an entry of CHAIN_REPEAT among
 * the ids says that the frames before it follow once more, several in turn. By symbol that is one
 * frame, anywhere in a stack. By address it is the circle in which the chains of code without frame
 * pointers end: the last entry, which stands for whole turns of the last frames before it.
 */
#ifndef MACHINE_CHAIN_REPEAT_H
#define MACHINE_CHAIN_REPEAT_H

#include <stddef.h>

#include "base/bytes.h"

#define CHAIN_REPEAT (1u << 31)
#define CHAIN_TURN_SHIFT 25
#define CHAIN_TURN_MAX 64u /* frames that go round */
#define CHAIN_REPEAT_MAX ((1u << CHAIN_TURN_SHIFT) - 1)

/* The entry that says: the last `turn` frames go on in turn, for so many frames. */
static inline u32 chain_repeat_entry(u32 turn, u32 frames)
{
	return CHAIN_REPEAT | (turn - 1) << CHAIN_TURN_SHIFT | frames;
}

static inline u32 chain_repeat_turn(u32 entry)
{
	return (entry >> CHAIN_TURN_SHIFT & (CHAIN_TURN_MAX - 1)) + 1;
}

static inline u32 chain_repeat_frames(u32 entry)
{
	return entry & CHAIN_REPEAT_MAX;
}

/*
 * The circle that a chain of n addresses of one mode ends in, as the entry for it: that many
 * addresses at its end repeat those before them. 0: there is none that is worth it. The same for
 * equal chains.
 */
u32 chain_repeat_of(const u64 *ips, size_t n);

/* The same of a chain as it was recorded, with markers, none of which is in the circle. */
u32 chain_repeat_of_recorded(struct span ips, bool swap);

#endif

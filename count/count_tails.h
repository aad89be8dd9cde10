/* SPDX-License-Identifier: MIT */
/*
 * The outer frames that stacks have in common, by symbol: what joins add to stacks is a few paths,
 * and thousands of stacks end in each. An entry of COUNT_TAIL, the last of a stack, stands for all
 * frames of a tail.
 */
#ifndef COUNT_COUNT_TAILS_H
#define COUNT_COUNT_TAILS_H

#include "base/hash.h"
#include "session/chain_repeat.h"

#define COUNT_TAIL (1u << 30) /* the number is in the bits below; frames have such numbers, too */

static inline bool count_is_tail(u32 entry)
{
	return (entry & (CHAIN_REPEAT | COUNT_TAIL)) == COUNT_TAIL;
}

static inline u32 count_tail_number(u32 entry)
{
	return entry & ~COUNT_TAIL;
}

/* A frame, and the tail of those that called it. Number 0 has none: it is where all end. */
struct count_tail {
	u32 frame;
	u32 outer; /* below its own number */
	u32 depth; /* frames, this one included */
	u32 hash;  /* of what is the same for its frames in every table */
};

/* Zero-initialised is empty. */
struct count_tails {
	struct count_tail *items;
	size_t nr, cap;
	struct idmap numbers; /* (frame, outer) -> number */
};

void count_tails_fini(struct count_tails *t);

/* The tail of a frame before another; mark: of the frame, see count_frame_mark. */
u32 count_tails_put(struct count_tails *t, u32 frame, u32 outer, u32 mark);

/*
 * Adds all tails of `from`, whose frames have the numbers `frames` in t. Returns their numbers,
 * malloc'd.
 */
u32 *count_tails_merge(struct count_tails *t, const struct count_tails *from, const u32 *frames);

static inline u32 count_tails_depth(const struct count_tails *t, u32 tail)
{
	return tail ? t->items[tail].depth : 0;
}

size_t count_tails_bytes(const struct count_tails *t);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Outer frames that many stacks have in common, kept once (counts_config.by_symbol only). Joining
 * truncated stacks extends them with a few paths of callers, and thousands of stacks end in each of
 * these. Such a stack holds the number of its tail instead of the tail's frames.
 */
#ifndef COUNT_COUNT_TAILS_H
#define COUNT_COUNT_TAILS_H

#include "base/hash.h"
#include "base/types.h"

/* A frame, and the tail of its callers. Tail 0 has no frame: it is the end of every tail. */
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

/* SPDX-License-Identifier: MIT */
/*
 * The frames of a counted stack, leaf first:
 *
 *	struct stack_iter it;
 *	u32 frame;
 *
 *	stack_iter_init(&it, c, count_value(row, COUNT_STACK));
 *	while (stack_iter_next(&it, &frame))
 *		use(counts_frame(c, frame));
 *
 * An iterator owns nothing; a copy of it goes on from the same frame. It is valid until
 * counts_free().
 */
#ifndef COUNT_STACK_ITER_H
#define COUNT_STACK_ITER_H

#include "count/count_tails.h"
#include "machine/chain_repeat.h"

struct counts;

/*
 * nr frames that follow each other; the whole sequence appears `times` times in a row. ids is
 * borrowed until counts_free().
 */
struct stack_run {
	const u32 *ids;
	u32 nr, times; /* 1 or more */
};

struct stack_iter {
	const u32 *p, *end; /* what has not been returned yet */
	const struct count_tail *tails;
	u32 tail;              /* the frames of this tail come after `end`; 0: none */
	u32 at;                /* next frame of `run` */
	bool repeats_anywhere; /* not only at the end */
	struct stack_run run;  /* stack_iter_next() takes frames from it; run.times: turns left */
};

/* Starts at the leaf. `stack` is a COUNT_STACK value; the empty stack and unknown ids have no
 * frame. */
void stack_iter_init(struct stack_iter *it, const struct counts *c, u64 stack);

/* The same for n frame ids of the caller's, which must live as long as the iterator. */
void stack_iter_init_ids(struct stack_iter *it, const u32 *ids, size_t n);

/* The next frame's id. False after the outermost frame. */
bool stack_iter_next(struct stack_iter *it, u32 *ret_frame);

/*
 * The next frames at once: faster than stack_iter_next, and recursion a million frames deep is one
 * run. False after the outermost frame. Use one of the two functions on an iterator, not both.
 *
 * With counts_config.by_symbol any run may repeat, and one that does has a single frame. Without
 * it a stack has at most two runs, of which only the last may repeat, and the ids of the second lie
 * directly behind those of the first.
 */
static inline bool stack_iter_next_run(struct stack_iter *it, struct stack_run *ret);

/*
 * Takes off the outer frames that the stack shares with others, and returns the number of their
 * tail in counts_tails(); 0: the stack has none. The iterator then ends before them. For callers
 * that do their work once for each tail. Call it before the first frame.
 */
u32 stack_iter_take_tail(struct stack_iter *it);

/*
 * A whole stack: nr ids, leaf first, and how many frames follow them as further repetitions of the
 * last `turn` ids (a multiple of turn; 0: none). Faster than an iterator; not for counts made with
 * counts_config.by_symbol. ids is borrowed until counts_free(), and undefined if nr is 0.
 */
struct stack_ids {
	const u32 *ids;
	u32 nr, turn, more;
};

struct stack_ids stack_ids_of(const struct counts *c, u64 stack);

/* The memory that a stack is read from, to prefetch it. */
struct span stack_iter_memory(const struct counts *c, u64 stack);

/* The two less frequent cases of stack_iter_next_run(): the tail, and frames that may repeat. */
bool stack_iter_next_of_tail(struct stack_iter *it, struct stack_run *ret);
void stack_iter_next_repeated(struct stack_iter *it, struct stack_run *ret);

static inline bool stack_iter_next_run(struct stack_iter *it, struct stack_run *ret)
{
	if (it->p == it->end)
		return it->tail && stack_iter_next_of_tail(it, ret);
	if (it->repeats_anywhere || it->end[-1] & CHAIN_REPEAT) {
		stack_iter_next_repeated(it, ret);
		return true;
	}
	*ret = (struct stack_run){ it->p, (u32)(it->end - it->p), 1 };
	it->p = it->end;
	return true;
}

#endif

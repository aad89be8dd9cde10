/* SPDX-License-Identifier: MIT */
/*
 * How count/ keeps the frames of a stack: an array of u32 entries, the leaf's first. An entry is
 *
 *	a frame id		both bits below are clear
 *	CHAIN_REPEAT | ...	the frames before it are repeated, see machine/chain_repeat.h
 *	COUNT_TAIL | number	the last entry: all frames of a tail, see count/count_tails.h
 *
 * Only count/ reads entries. Every other folder walks a stack with count/stack_iter.h.
 */
#ifndef COUNT_STACK_ENTRY_H
#define COUNT_STACK_ENTRY_H

#include "machine/chain_repeat.h"

#define COUNT_TAIL (1u << 30) /* the number is in the bits below it */

static inline bool count_is_tail(u32 entry)
{
	return (entry & (CHAIN_REPEAT | COUNT_TAIL)) == COUNT_TAIL;
}

static inline u32 count_tail_number(u32 entry)
{
	return entry & ~COUNT_TAIL;
}

#endif

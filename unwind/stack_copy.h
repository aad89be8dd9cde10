/* SPDX-License-Identifier: MIT */
/* The copy of a stack's bytes that came with a sample, read by run-time address. */
#ifndef UNWIND_STACK_COPY_H
#define UNWIND_STACK_COPY_H

#include "unwind/unwind_arch.h"

struct stack_copy {
	const u8 *p;
	u64 base; /* address of p[0] */
	u64 n;    /* base + n does not wrap */
	bool swap;
};

static inline struct stack_copy stack_copy_of(const struct unwind_job *job, u64 sp)
{
	u64 n = job->bytes.n;

	/* Up to the end of the address space, where some hostile stack pointers lie. */
	if (n > 0 - sp && sp)
		n = 0 - sp;
	return (struct stack_copy){ .p = job->bytes.p, .base = sp, .n = n, .swap = job->swap };
}

static inline bool stack_has(const struct stack_copy *s, u64 addr, u64 size)
{
	return s->n >= size && addr - s->base <= s->n - size;
}

/* size: 1 to 8. */
static inline bool stack_read(const struct stack_copy *s, u64 addr, unsigned int size, u64 *ret)
{
	const u8 *p;
	u64 v = 0;

	if (!stack_has(s, addr, size))
		return false;
	p = s->p + (addr - s->base);
	if (size == 8) {
		*ret = get_u64(p, s->swap);
	} else if (size == 4) {
		*ret = get_u32(p, s->swap);
	} else {
		for (unsigned int i = 0; i < size; i++)
			v |= (u64)p[s->swap ? size - 1 - i : i] << (8 * i);
		*ret = v;
	}
	return true;
}

/*
 * Why addr could not be read: it lies behind the copy as far as a stack may go on, or is nowhere on
 * this stack. A stack that a signal handler was put on is another one than that below.
 */
static inline enum unwind_end stack_miss(const struct stack_copy *s, u64 addr, bool other_stack)
{
	const u64 farthest = 1ull << 30;

	if (other_stack || (addr >= s->base && addr - s->base < farthest))
		return UNWIND_TRUNCATED;
	return UNWIND_BAD_STACK;
}

#endif

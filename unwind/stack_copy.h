/* SPDX-License-Identifier: MIT */
/* Reads the copy of a stack's bytes in a sample, by run-time address. */
#ifndef UNWIND_STACK_COPY_H
#define UNWIND_STACK_COPY_H

#include "unwind/unwind_arch.h"

struct stack_copy {
	const u8 *p;
	u64 base;  /* run-time address of p[0] */
	u64 n;     /* bytes; base + n does not wrap */
	bool swap; /* the bytes have the other byte order than this machine */
};

static inline struct stack_copy stack_copy_of(const struct unwind_job *job, u64 sp)
{
	u64 n = job->bytes.n;

	/* A damaged recording may have a stack pointer near the end of the address space: cut the
	 * copy there. */
	if (n > 0 - sp && sp)
		n = 0 - sp;
	return (struct stack_copy){ .p = job->bytes.p, .base = sp, .n = n, .swap = job->swap };
}

static inline bool stack_has(const struct stack_copy *s, u64 addr, u64 size)
{
	return s->n >= size && addr - s->base <= s->n - size;
}

/* Reads `size` bytes (1 to 8) at run-time address addr as an unsigned number. Returns false if the
 * copy does not have all of them. */
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
 * Returns why addr cannot be read: UNWIND_TRUNCATED if it is above the start of the copy by less
 * than 1 GiB, so that it may be on the same stack, else UNWIND_BAD_STACK. other_stack: addr is on
 * the stack that a signal handler interrupted, which may be anywhere and was not copied.
 */
static inline enum unwind_end stack_miss(const struct stack_copy *s, u64 addr, bool other_stack)
{
	const u64 farthest = 1ull << 30;

	if (other_stack || (addr >= s->base && addr - s->base < farthest))
		return UNWIND_TRUNCATED;
	return UNWIND_BAD_STACK;
}

#endif

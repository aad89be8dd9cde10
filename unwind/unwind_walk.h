/* SPDX-License-Identifier: MIT */
/*
 * The complete unwinder, which tracks all registers and knows every rule. The fast lanes
 * (unwind_lane.h) pass it any stack with a frame that they cannot unwind, and it starts again from
 * the leaf.
 */
#ifndef UNWIND_UNWIND_WALK_H
#define UNWIND_UNWIND_WALK_H

#include "base/mem.h"
#include "unwind/unwind_look.h"

/* Makes room for n frames. */
static inline void frames_reserve(struct unwind_frames *f, size_t n)
{
	if (n <= f->cap)
		return;
	f->cap = n + n / 2 + 64;
	f->ips = xrealloc(f->ips, f->cap * sizeof(*f->ips));
	f->sps = xrealloc(f->sps, f->cap * sizeof(*f->sps));
	f->numbers = xrealloc(f->numbers, f->cap * sizeof(*f->numbers));
}

/* Appends a frame. number: of its ip in the cache, see pc_cache_number(). */
static inline void frames_add(struct unwind_frames *f, u64 ip, u64 sp, u32 number)
{
	if (__builtin_expect(f->nr == f->cap, 0))
		frames_reserve(f, f->nr + 1);
	f->ips[f->nr] = ip;
	f->sps[f->nr] = sp;
	f->numbers[f->nr++] = number;
}

/*
 * Returns why unwinding into f stopped, where the last step said `end`: the code that a program
 * begins with has no caller, whatever lies above it on the stack.
 */
enum unwind_end walk_end(const struct walk *w, const struct unwind_frames *f, enum unwind_end end);

/*
 * Unwinds the whole stack of w->job into *ret, which is emptied first. ret->end says why unwinding
 * stopped.
 */
void walk_all(const struct walk *w, struct unwind_frames *ret);

#endif

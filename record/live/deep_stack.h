/* SPDX-License-Identifier: MIT */
/*
 * Stacks that are deeper than their copies. The kernel copies at most 65,528 bytes; a moment later
 * the outer part of the stack is mostly still in the memory of the process, because the functions
 * there have not returned yet. It is used only if the last KiB of the copy is what memory holds.
 */
#ifndef RECORD_LIVE_DEEP_STACK_H
#define RECORD_LIVE_DEEP_STACK_H

#include "base/bytes.h"

/* Reads up to n bytes at an address of a process. Returns how many, 0 if none can be read. */
typedef size_t deep_stack_read(void *ctx, u32 pid, u64 addr, u8 *to, size_t n);

struct deep_stack {
	deep_stack_read *read;
	void *ctx;
	u8 *buf;
	u64 nr_read, nr_changed; /* stacks whose memory was read; of them, it was another by then */
};

/* Bytes that are asked for behind the copy, by the number of the try. */
#define DEEP_STACK_TRIES 2

/* read: NULL: the memory of processes on this machine. */
void deep_stack_init(struct deep_stack *d, deep_stack_read *read, void *ctx);
void deep_stack_fini(struct deep_stack *d);

/*
 * Returns the stack's bytes from sp on: the copy and what memory has behind it, with try 0 a little
 * and with try 1 more. Empty: nothing, or the memory is not that of the copy any more. They are
 * valid until the next call.
 */
struct span deep_stack_extend(struct deep_stack *d, u32 pid, u64 sp, struct span copy,
			      unsigned int try);

#endif

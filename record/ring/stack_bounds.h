/* SPDX-License-Identifier: MIT */
/*
 * Where the mapping ends that a thread's stack pointer lies in. The kernel copies a stack until it
 * meets memory that is not there; what lies behind the top of a thread's stack is often another
 * mapping, and of no use to anyone.
 */
#ifndef RECORD_RING_STACK_BOUNDS_H
#define RECORD_RING_STACK_BOUNDS_H

#include "base/types.h"

struct stack_bounds;

/* procfs: "/proc", borrowed. */
struct stack_bounds *stack_bounds_new(const char *procfs);
void stack_bounds_free(struct stack_bounds *b);

/*
 * End (exclusive) of the mapping that holds sp, UINT64_MAX when it is not known: the process is
 * gone, may not be read, or too many were asked for since stack_bounds_new_round.
 */
u64 stack_bounds_end(struct stack_bounds *b, u32 pid, u32 tid, u64 sp);

/* Once per sweep: a kernel that must be asked by way of the whole maps file is asked a few times.
 */
void stack_bounds_new_round(struct stack_bounds *b);

/* The thread ended; or what is mapped in the process changed. */
void stack_bounds_forget_thread(struct stack_bounds *b, u32 tid);
void stack_bounds_forget_process(struct stack_bounds *b, u32 pid);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Finds the end of the mapping that holds a thread's stack pointer. The kernel copies stack bytes
 * up to the first unmapped page, and behind the top of a thread's stack there is often another
 * mapping, whose bytes are useless in a recording.
 */
#ifndef RECORD_RING_STACK_BOUNDS_H
#define RECORD_RING_STACK_BOUNDS_H

#include "base/types.h"

struct stack_bounds;

/*
 * Counts the changes of processes and threads by a hash of their ids, so that all caches of a
 * recording forget what they hold of a process, whichever of them sees its records. All zero is
 * valid. Its members are atomic.
 */
#define STACK_CHANGES 4096u
struct stack_changes {
	u32 of[STACK_CHANGES];
};

/*
 * Returns an empty cache of threads' stack mappings; free it with stack_bounds_free. procfs:
 * "/proc", must outlive it. Use a cache from one thread.
 */
struct stack_bounds *stack_bounds_new(const char *procfs);
void stack_bounds_free(struct stack_bounds *b);
/* Makes b one of several caches, in threads of their own, which share changes. */
void stack_bounds_share(struct stack_bounds *b, struct stack_changes *changes);

/*
 * Returns the end (exclusive) of the mapping of process pid that holds sp, or UINT64_MAX if it is
 * unknown: the process has ended or may not be read, or too many mappings were looked up since
 * stack_bounds_new_round. Uses PROCMAP_QUERY (Linux 6.11), else reads the maps file.
 */
u64 stack_bounds_end(struct stack_bounds *b, u32 pid, u32 tid, u64 sp);

/* Call it once per sweep: it permits 256 more lookups, of which 4 may read a maps file. */
void stack_bounds_new_round(struct stack_bounds *b);

/*
 * Forget cached mappings: call these when the thread has ended, and when the process has changed
 * its mappings.
 */
void stack_bounds_forget_thread(struct stack_bounds *b, u32 tid);
void stack_bounds_forget_process(struct stack_bounds *b, u32 pid);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Finds the JIT-compiled function that was at an address at a given moment, from the jitdumps of a
 * process. A JIT reuses memory, so several functions may have been at an address; the newest one
 * before the moment is found.
 *
 * A moment is a count of reuses, not a time: moment n follows the n-th time that a function was
 * written over an earlier one. If memory is never reused, moment 0 is the only one, and all
 * functions are visible in it.
 */
#ifndef SYMBOLS_JIT_JIT_CODE_H
#define SYMBOLS_JIT_JIT_CODE_H

#include "symbols/jit/jitdump.h"

struct jit_code;

/* A reuse of memory. From `time` (on the clock of the dumps) on, the moment is its index + 1. */
struct jit_reuse {
	u64 start, end; /* ips */
	u64 time;
};

/*
 * Makes an index of the functions in nr dumps, which must outlive it. timed: the times in the dumps
 * are on the clock of the recording. If not, the end of the dumps is the only moment.
 */
struct jit_code *jit_code_new(struct jitdump *const *dumps, size_t nr, bool timed);
void jit_code_free(struct jit_code *c);

/* Returns the number of reuses in *ret, which are sorted by time and valid as long as c; 0 if c was
 * made with timed false. */
size_t jit_code_reuses(const struct jit_code *c, const struct jit_reuse **ret);

/* True if memory was reused but the times are not comparable: samples in that memory may then get
 * the name of a later function. */
bool jit_code_is_ambiguous(const struct jit_code *c);

/* Returns the function at ip at this moment, and its dump in *ret_dump; NULL if there was none. Any
 * thread may call it. */
const struct jitdump_func *jit_code_find(const struct jit_code *c, u64 ip, u64 moment,
					 const struct jitdump **ret_dump);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Which function of a process's jitdumps lay at an address at some moment. A JIT uses memory again,
 * and the newest function that was put over an address is the one that is there.
 *
 * Moments are counted, not timed: moment n is when the n-th reuse has happened, a reuse being a
 * function put where there was one before. Where memory is never used again there is only moment 0,
 * in which everything is visible.
 */
#ifndef SYMBOLS_JIT_JIT_CODE_H
#define SYMBOLS_JIT_JIT_CODE_H

#include "symbols/jit/jitdump.h"

struct jit_code;

/* From `time` on (of the dumps' clock) the moment is this reuse's number + 1. */
struct jit_reuse {
	u64 start, end; /* ips */
	u64 time;
};

/*
 * The dumps are borrowed and must outlive it. timed false: the dumps' times cannot be compared with
 * those of who asks: there is but one moment, at the end of the dumps.
 */
struct jit_code *jit_code_new(struct jitdump *const *dumps, size_t nr, bool timed);
void jit_code_free(struct jit_code *c);

/* The reuses in the order of time. With timed false there are none. */
size_t jit_code_reuses(const struct jit_code *c, const struct jit_reuse **ret);

/* Whether memory was used again, which without times gives some of its samples a wrong name. */
bool jit_code_is_ambiguous(const struct jit_code *c);

/* The function at ip and its dump; NULL when there is none. Any thread may ask. */
const struct jitdump_func *jit_code_find(const struct jit_code *c, u64 ip, u64 moment,
					 const struct jitdump **ret_dump);

#endif

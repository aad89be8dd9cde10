/* SPDX-License-Identifier: MIT */
/*
 * The instructions at which calls of a function end: its ret instructions, and its jumps to other
 * functions. A probe there sees a return as a return probe does, but leaves the return address on
 * the stack as it is, which exceptions and Go's runtime have to find.
 */
#ifndef RECORD_PROBE_RET_POINTS_H
#define RECORD_PROBE_RET_POINTS_H

#include "record/probe/elf_functions.h"

struct ret_points {
	u64 *off; /* file offsets, each once */
	size_t nr, cap;
};

/*
 * Adds to *ret, which is all zero or has points of other functions, where calls of the function at
 * file offsets [off, end) end, its cold parts included. again: a jump to its start is a new call;
 * false: Go's jump back after the stack has grown.
 *
 * Returns NULL, or why not, as the end of "FUNCTION ": the code is not x86-64, cannot be decoded
 * whole, has no such instruction, or leaves under a condition, where a probe would see the calls
 * that go on, too. *ret is unchanged then.
 *
 * A jump through a register or memory counts as a switch, which stays in the function, if the place
 * is computed or comes from an array, else as a jump to another function.
 */
const char *ret_points_find(const struct elf_functions *l, u64 off, u64 end, bool again,
			    struct ret_points *ret);
void ret_points_fini(struct ret_points *r);

#endif

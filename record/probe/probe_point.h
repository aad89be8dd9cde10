/* SPDX-License-Identifier: MIT */
/*
 * Where in a function a probe costs least. The kernel emulates some instructions (push, nop,
 * jumps); any other one is executed out of line in single steps, which takes several times as long.
 * Where a function begins with another one, such as endbr64, the probe can lie on a later
 * instruction of those that are executed once in each call.
 */
#ifndef RECORD_PROBE_PROBE_POINT_H
#define RECORD_PROBE_PROBE_POINT_H

#include "record/probe/elf_functions.h"

struct probe_point {
	u64 off, end; /* file offsets of a function's code, [off, end) */
	u32 skip;     /* bytes from off to the instruction to probe */
	bool is_go;   /* what is skipped is Go's stack check */
};

/*
 * Sets `skip` of nr points, sorted by `off`. It is 0 unless the code is x86-64 and the first
 * instruction is not emulated. Instructions that are skipped do not change memory, the stack
 * pointer or registers that hold arguments, and no jump of the file leads behind them: the probe
 * fires once in each call and sees the arguments and the return address. Where a function has a
 * jump through a register or memory, whose target is not known, skip is 0.
 *
 * In a Go program the probe lies behind the check for room on the stack, to which a function jumps
 * back when its stack has grown: at the start it would fire twice then.
 */
void probe_points_find(const struct elf_functions *l, struct probe_point *points, size_t nr);

/* Returns the bytes in front of an emulated instruction among the first ones of the n at p; 0 if
 * there is none, or if it is the first one. Public for tests. */
u32 probe_point_skip(const u8 *p, size_t n);
/* Returns the bytes of Go's stack check (since 1.17) that the n bytes at p begin with; 0: none. */
u32 probe_point_go_check(const u8 *p, size_t n);

#endif

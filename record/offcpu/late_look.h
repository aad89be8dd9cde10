/* SPDX-License-Identifier: MIT */
/*
 * Where a thread sleeps, without an event that has its stack: while it is off the CPU, its stack
 * pointer and program counter are in /proc/PID/task/TID/syscall, and its stack does not change. One
 * look is true for all of a sleep that it lies in.
 */
#ifndef RECORD_OFFCPU_LATE_LOOK_H
#define RECORD_OFFCPU_LATE_LOOK_H

#include "base/types.h"

/* What was found. */
struct late_stack {
	u64 from, to; /* the thread was off the CPU between these times, ns of the looker's clock */
	u64 sp, pc;
	u32 abi;   /* as in PERF_SAMPLE_REGS_USER: 1 of 32-bit threads, else 2 */
	u32 n;     /* bytes from sp on, a multiple of 8 */
	u8 *bytes; /* the caller's to free; NULL: the memory cannot be read */
};

/* How to look; a test has functions of its own. */
struct late_look {
	const char *procfs; /* borrowed */
	/* ns of the recording's clock */
	u64 (*now)(void *ctx);
	/* process_memory_read() */
	size_t (*read)(void *ctx, u32 pid, u64 addr, u8 *to, size_t n);
	void *ctx;
};

/*
 * Looks at a thread. Returns false if it runs, may not be looked at or went on meanwhile: its
 * registers and its number of switches are read before and after its stack.
 */
bool late_look_take(const struct late_look *k, u32 pid, u32 tid, struct late_stack *ret);

#endif

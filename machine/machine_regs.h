/* SPDX-License-Identifier: MIT */
/* A sample's copies of user registers and stack, as what unwind/ starts from. */
#ifndef MACHINE_MACHINE_REGS_H
#define MACHINE_MACHINE_REGS_H

#include "fileformat/sample.h"
#include "unwind/unwind.h"

/*
 * The architecture of a task's code: `machine` is the recording's, as uname gives it (x86_64, i686,
 * aarch64, armv7l ...), abi the sample's: 32-bit tasks run on 64-bit kernels. UNWIND_NR_ARCHS when
 * it is none that can be unwound.
 */
enum unwind_arch user_regs_arch(const char *machine, u64 abi);

/* What the values of a sample's registers are: nearly always those of the sample before. */
struct machine_regs_layout {
	u64 abi, mask; /* that it was made for; abi 0: none yet */
	enum unwind_arch arch;
	bool has_pc;
	u8 nr;
	u8 numbers[64]; /* DWARF's of each value; see user_regs.c for others */
	u64 known;
};

/*
 * Fills all of *ret but its space: bytes are borrowed from the sample's record. Registers that were
 * not sampled are left out of ret->known. False, and *ret unspecified, when the sample has no user
 * registers (kernel threads), or neither pc nor stack pointer among them, or no known architecture.
 * layout: the caller's, zero at first.
 */
bool machine_regs_to_job(const struct pd_sample *sample, const char *machine,
			 struct machine_regs_layout *layout, struct unwind_job *ret);

#endif

/* SPDX-License-Identifier: MIT */
/* A sample's copies of user registers and stack, as what unwind/ starts from. */
#ifndef SESSION_USER_REGS_H
#define SESSION_USER_REGS_H

#include "fileformat/sample.h"
#include "unwind/unwind.h"

/*
 * The architecture of a task's code: `machine` is the recording's, as uname gives it (x86_64, i686,
 * aarch64, armv7l ...), abi the sample's: 32-bit tasks run on 64-bit kernels. UNWIND_NR_ARCHS when
 * it is none that can be unwound.
 */
enum unwind_arch user_regs_arch(const char *machine, u64 abi);

/*
 * Fills all of *ret but its space: bytes are borrowed from the sample's record. Registers that were
 * not sampled are left out of ret->known. False, and *ret unspecified, when the sample has no user
 * registers (kernel threads), or neither pc nor stack pointer among them, or no known architecture.
 */
bool user_regs_to_job(const struct pd_sample *sample, const char *machine, struct unwind_job *ret);

#endif

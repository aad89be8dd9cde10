/* SPDX-License-Identifier: MIT */
/* Unwinds frames in the vDSO when its image was not found, by two functions in it whose code is
 * part of the kernel's ABI. */
#ifndef UNWIND_UNWIND_VDSO_H
#define UNWIND_UNWIND_VDSO_H

#include "unwind/unwind_guess.h"

/* If the leaf *c is in i386's system call entry (__kernel_vsyscall), sets *c to its caller and
 * returns true; else returns false. */
bool walk_vsyscall(const struct walk *w, struct walk_core *c);

/* Returns the layout of the signal frame at sp, the stack pointer of a frame in the vDSO that is
 * not the leaf; NULL if the stack has no signal frame there. */
const struct unwind_sigframe *walk_vdso_sigframe(const struct walk *w, u64 sp);

#endif

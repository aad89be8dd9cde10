/* SPDX-License-Identifier: MIT */
/* The vDSO where its file is missing: two of its functions have a form that is ABI. */
#ifndef UNWIND_UNWIND_VDSO_H
#define UNWIND_UNWIND_VDSO_H

#include "unwind/unwind_guess.h"

/* The leaf is in i386's entry of system calls: makes *c its caller. False: it is not that code. */
bool walk_vsyscall(const struct walk *w, struct walk_core *c);

/* A frame in the vDSO that is not the leaf: the signal frame at its stack pointer, NULL: none. */
const struct unwind_sigframe *walk_vdso_sigframe(const struct walk *w, u64 sp);

#endif

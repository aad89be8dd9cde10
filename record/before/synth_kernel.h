/* SPDX-License-Identifier: MIT */
/* The kernel's own text and its modules as MMAP or MMAP2 records. */
#ifndef RECORD_BEFORE_SYNTH_KERNEL_H
#define RECORD_BEFORE_SYNTH_KERNEL_H

#include "record/before/synth_priv.h"

/*
 * Appends the map of the kernel, then those of its modules in order of address, with build-ids
 * from sysfs under buildid_mmap. modules_root: "/lib/modules", below which RELEASE/modules.dep
 * tells the modules' files. Where the kernel hides its addresses there are none, and o->diag is
 * told why.
 */
void synth_kernel(struct synth *s, const char *modules_root);

#endif

/* SPDX-License-Identifier: MIT */
/* Appends MMAP or MMAP2 records of the kernel's code and its modules. */
#ifndef RECORD_BEFORE_SYNTH_KERNEL_H
#define RECORD_BEFORE_SYNTH_KERNEL_H

#include "record/before/synth_priv.h"

/*
 * Appends to s->out the map of the kernel, then the maps of its modules by ascending address. With
 * --buildid-mmap they carry the build-ids in sysfs. modules_root: "/lib/modules"; the file
 * RELEASE/modules.dep below it has the modules' paths. If the kernel hides its addresses from this
 * process, appends nothing and warns in s->o->diag with the setting that causes it.
 */
void synth_kernel(struct synth *s, const char *modules_root);

#endif

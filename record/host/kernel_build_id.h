/* SPDX-License-Identifier: MIT */
/* Build-ids of the running kernel and its modules, from the ELF notes in sysfs. */
#ifndef RECORD_HOST_KERNEL_BUILD_ID_H
#define RECORD_HOST_KERNEL_BUILD_ID_H

#include "base/bytes.h"
#include "record/model/rec_opts.h"

/*
 * Reads the build-id in the file `rest` below host->sysfs, such as "kernel/notes". Returns its size
 * in bytes; 0: the file cannot be read or has no build-id.
 */
size_t sysfs_build_id(const struct rec_host *host, const char *rest, u8 ret[20]);

/* The build-id of a loaded module, by its name in /proc/modules; result as sysfs_build_id. */
size_t module_build_id(const struct rec_host *host, struct span name, u8 ret[20]);

#endif

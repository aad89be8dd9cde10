/* SPDX-License-Identifier: MIT */
/* Reads build-ids of the running kernel and its modules from the ELF notes in sysfs. */
#ifndef RECORD_HOST_KERNEL_BUILD_ID_H
#define RECORD_HOST_KERNEL_BUILD_ID_H

#include "base/bytes.h"
#include "record/model/rec_opts.h"

/*
 * Reads the build-id from file `rest` below host->sysfs, such as "kernel/notes", into ret. Returns
 * its size in bytes; 0: the file cannot be read or has no build-id.
 */
size_t sysfs_build_id(const struct rec_host *host, const char *rest, u8 ret[20]);

/*
 * Reads the build-id of a loaded module, named as in /proc/modules. Returns as sysfs_build_id does.
 */
size_t module_build_id(const struct rec_host *host, struct span name, u8 ret[20]);

#endif

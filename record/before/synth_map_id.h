/* SPDX-License-Identifier: MIT */
/* Finds build-ids of files that a running process has mapped. */
#ifndef RECORD_BEFORE_SYNTH_MAP_ID_H
#define RECORD_BEFORE_SYNTH_MAP_ID_H

#include "record/before/synth_maps.h"

/*
 * Returns the build-id of the file behind mapping m of process pid; its size is 0 if the file has
 * none or cannot be read. Asks the kernel first (PROCMAP_QUERY on the open maps file, Linux 6.11),
 * which also knows deleted files and files of other mount namespaces. Else reads the file through
 * /proc/PID/map_files or by `name` below /proc/PID/root. maps_fd: /proc/PID/maps, open. Results are
 * cached by device and inode. The pointer is valid until the next call.
 */
const struct pd_build_id *synth_map_id(struct synth *s, s32 pid, int maps_fd,
				       const struct maps_line *m, struct span name);

#endif

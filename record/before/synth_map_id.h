/* SPDX-License-Identifier: MIT */
/* Build-ids of files that a running process has mapped. */
#ifndef RECORD_BEFORE_SYNTH_MAP_ID_H
#define RECORD_BEFORE_SYNTH_MAP_ID_H

#include "record/before/synth_maps.h"

/*
 * The build-id of the file behind a mapping of pid; size 0 when it has none. The kernel is asked
 * first (PROCMAP_QUERY of Linux 6.11 on the open maps file), which also knows files that were
 * deleted or lie in another mount namespace; else the file is read, by its link in map_files or by
 * its name as the process sees it. Valid until the next call.
 */
const struct pd_build_id *synth_map_id(struct synth *s, s32 pid, int maps_fd,
				       const struct maps_line *m, struct span name);

#endif

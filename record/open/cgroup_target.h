/* SPDX-License-Identifier: MIT */
/* Opens the cgroups of -G for perf_event_open. (record/cgroup_option assigns them to events.) */
#ifndef RECORD_OPEN_CGROUP_TARGET_H
#define RECORD_OPEN_CGROUP_TARGET_H

#include "record/model/rec_opts.h"

/*
 * Opens the folder of each event's cgroup as ev->cgroup_fd, below the perf_event hierarchy of
 * cgroup v1 if that is mounted, else below cgroup v2. Fails with PERR_NOTFOUND, naming the folder;
 * the descriptors opened so far stay open until event_close_all.
 */
int cgroup_open_all(struct rec_evlist *l, const struct rec_opts *o, struct perr *e) MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/* -G: the folders of cgroups that events count in (which has which: record/cgroup_option). */
#ifndef RECORD_OPEN_CGROUP_TARGET_H
#define RECORD_OPEN_CGROUP_TARGET_H

#include "record/model/rec_opts.h"

/*
 * Opens the folder of every event's cgroup, below the perf_event hierarchy (cgroup v1) or the
 * unified one (v2): ev->cgroup_fd. PERR_NOTFOUND with the folder; descriptors that are open by then
 * are left to event_close_all.
 */
int cgroup_open_all(struct rec_evlist *l, const struct rec_opts *o, struct perr *e) MUST_CHECK;

#endif

/* SPDX-License-Identifier: MIT */
/* The cgroups that exist, as CGROUP records. */
#ifndef RECORD_BEFORE_SYNTH_CGROUPS_H
#define RECORD_BEFORE_SYNTH_CGROUPS_H

#include "record/before/synth_priv.h"

/*
 * Every cgroup of the hierarchy whose ids samples carry: that of the perf_event controller, else
 * cgroup v2. Parents come before their children.
 */
void synth_cgroups(struct synth *s);

#endif

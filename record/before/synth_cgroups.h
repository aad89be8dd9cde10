/* SPDX-License-Identifier: MIT */
/* Appends CGROUP records of the cgroups that exist already. */
#ifndef RECORD_BEFORE_SYNTH_CGROUPS_H
#define RECORD_BEFORE_SYNTH_CGROUPS_H

#include "record/before/synth_priv.h"

/*
 * Appends to s->out a CGROUP record of every cgroup in the hierarchy whose ids samples carry: that
 * of the perf_event controller of cgroup v1 if it is mounted, else cgroup v2. Parents come before
 * their children. Warns in s->o->diag if neither is mounted.
 */
void synth_cgroups(struct synth *s);

#endif

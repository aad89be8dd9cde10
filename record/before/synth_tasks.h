/* SPDX-License-Identifier: MIT */
/* Threads that exist: FORK, NAMESPACES and COMM records, and the maps of their processes. */
#ifndef RECORD_BEFORE_SYNTH_TASKS_H
#define RECORD_BEFORE_SYNTH_TASKS_H

#include "record/before/synth_priv.h"
#include "record/open/target.h"

/* Every process of the system, each with all its threads. */
void synth_all_tasks(struct synth *s);

/* The threads of t, and the maps of their processes. */
void synth_target_tasks(struct synth *s, const struct rec_target *t);

/* COMM (and NAMESPACES) of a workload that is not executed yet. */
void synth_workload(struct synth *s, s32 pid);

#endif

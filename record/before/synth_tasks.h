/* SPDX-License-Identifier: MIT */
/*
 * Appends records of threads that exist already: FORK, NAMESPACES and COMM, and the maps of their
 * processes.
 */
#ifndef RECORD_BEFORE_SYNTH_TASKS_H
#define RECORD_BEFORE_SYNTH_TASKS_H

#include "record/before/synth_priv.h"
#include "record/open/target.h"

/* Appends records of every process of the system with all its threads. */
void synth_all_tasks(struct synth *s);

/*
 * Appends COMM (and, with --namespaces, NAMESPACES) records of the threads of t and the maps of
 * their processes.
 */
void synth_target_tasks(struct synth *s, const struct rec_target *t);

/*
 * Appends COMM (and, with --namespaces, NAMESPACES) of the command's process pid before it
 * executes.
 */
void synth_workload(struct synth *s, s32 pid);

#endif

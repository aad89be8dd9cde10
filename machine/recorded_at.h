/* SPDX-License-Identifier: MIT */
/* Where and when a recording was made: for finding files that it refers to. */
#ifndef MACHINE_RECORDED_AT_H
#define MACHINE_RECORDED_AT_H

#include "machine/machine.h"
#include "symbols/find/live_process.h"

/* What the recording says about a process; tells whether a process running here is the same one. */
struct recorded_process recorded_process(const struct machine *mc, const struct process *p);

/* Path of a file beside the recording, malloc'd; NULL for standard input and a live machine. */
char *recorded_beside(const struct machine *mc, const char *name);

#endif

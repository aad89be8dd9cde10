/* SPDX-License-Identifier: MIT */
/* Where and when a recording was made, for files that are no part of it. */
#ifndef MACHINE_RECORDED_AT_H
#define MACHINE_RECORDED_AT_H

#include "machine/machine.h"
#include "symbols/find/live_process.h"

/* What the recording knows of p, to tell whether it still runs. */
struct recorded_process recorded_process(const struct machine *mc, const struct process *p);

/* Path of a file beside the recording, malloc'd; NULL when that is no file. */
char *recorded_beside(const struct machine *mc, const char *name);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Checks whether a recorded process still runs. If it does, its files can be read below
 * /proc/PID/root, even if it has another mount namespace.
 */
#ifndef SYMBOLS_FIND_LIVE_PROCESS_H
#define SYMBOLS_FIND_LIVE_PROCESS_H

#include "symbols/table/dso_desc.h"

/*
 * True if a process with the recorded pid runs now and seems to be the recorded one: it started
 * before the recorded time and is in the recorded namespaces, as far as these are known.
 */
bool live_process_is(const struct recorded_process *p);

/* Finds the pid of process `pid` in its own pid namespace. Returns false if /proc cannot be read.
 */
bool live_process_ns_pid(u32 pid, u32 *ret);

/* True if process `pid` has another root directory or mount namespace than this one. */
bool live_process_has_other_files(u32 pid);

#endif

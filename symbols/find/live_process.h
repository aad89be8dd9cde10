/* SPDX-License-Identifier: MIT */
/*
 * Processes that still run while their recording is read: their files can be reached as they see
 * them, below /proc/PID/root.
 */
#ifndef SYMBOLS_FIND_LIVE_PROCESS_H
#define SYMBOLS_FIND_LIVE_PROCESS_H

#include "symbols/table/dso_desc.h"

/*
 * Whether the process of that number that runs here now is the recorded one, for all that is
 * known: not younger, and in the same namespaces.
 */
bool live_process_is(const struct recorded_process *p);

/* Its number in the innermost pid namespace it is in. False when that cannot be read. */
bool live_process_ns_pid(u32 pid, u32 *ret);

/* Whether it sees other files than we do. */
bool live_process_has_other_files(u32 pid);

#endif

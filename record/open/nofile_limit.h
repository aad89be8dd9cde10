/* SPDX-License-Identifier: MIT */
/*
 * Raises the limit of open files (RLIMIT_NOFILE), which many events on many CPUs or threads exceed.
 */
#ifndef RECORD_OPEN_NOFILE_LIMIT_H
#define RECORD_OPEN_NOFILE_LIMIT_H

#include "base/types.h"

/*
 * Returns how many descriptors prec needs if `events` of them are events: 64 more for files, pipes
 * and the terminal.
 */
u64 nofile_wanted(u64 events);

/* Raises the limit if it is below nofile_wanted(events). Does nothing if that is not permitted. */
void nofile_provide(u64 events);

/*
 * Raises the limit after EMFILE: to nofile_wanted(events) if that is above the hard limit and this
 * process may raise it, else to the hard limit, as perf does. Returns false if the limit stays.
 */
bool nofile_raise(u64 events);

/*
 * Returns how many descriptors, at most `wanted`, may be used for other files while there are
 * `events` events. Raises the limit for them if it has to be and can be raised.
 */
u64 nofile_spare(u64 events, u64 wanted);

#endif

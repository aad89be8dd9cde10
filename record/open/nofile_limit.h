/* SPDX-License-Identifier: MIT */
/* The limit of open files (RLIMIT_NOFILE), which many events on many CPUs or threads exceed. */
#ifndef RECORD_OPEN_NOFILE_LIMIT_H
#define RECORD_OPEN_NOFILE_LIMIT_H

#include "base/types.h"

/* Descriptors in all where `events` of them are events': files, pipes and terminal on top. */
u64 nofile_wanted(u64 events);

/* Raises the limit if it is below nofile_wanted(events). */
void nofile_provide(u64 events);

/*
 * Raises it although it looked enough: to the hard limit as perf does, beyond it to
 * nofile_wanted(events) where that is permitted. False when nothing could be raised.
 */
bool nofile_raise(u64 events);

#endif

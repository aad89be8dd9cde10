/* SPDX-License-Identifier: MIT */
/*
 * What a refused system call means here and now, and what mends it. Every text says what failed, on
 * what, the value that stands in the way, and the command to run.
 */
#ifndef RECORD_ADVICE_H
#define RECORD_ADVICE_H

#include "record/rights.h"
#include "record/target.h"

/* errno of perf_event_open for `ev` on a thread or CPU; fds_wanted of all events together. */
void advice_open(const struct rec_event *ev, const struct rec_target *t, s32 pid, s32 cpu,
		 int sys_errno, u64 fds_wanted, const struct rec_rights *r, struct perr *ret);

/* errno of mapping a ring of `bytes` (data) for one of nr_rings. */
void advice_mmap(int sys_errno, u64 bytes, size_t nr_rings, const struct rec_rights *r,
		 struct perr *ret);

#endif

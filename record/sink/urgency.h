/* SPDX-License-Identifier: MIT */
/*
 * Raises the priority of threads that lose samples if they do not run in time: on a CPU with 30
 * runnable threads an ordinary thread waits longer for its turn than any ring lasts.
 */
#ifndef RECORD_SINK_URGENCY_H
#define RECORD_SINK_URGENCY_H

#include "base/types.h"

enum urgency {
	/* sleeps most of the time: should run as soon as it wakes (SCHED_FIFO 1) */
	URGENCY_READER,
	/* may have much to do: should get the largest share of the CPU (nice -20) */
	URGENCY_WORKER,
};

/*
 * Raises the priority of the calling thread as far as this user may: for a reader SCHED_FIFO 1,
 * else nice -20 or -10. Child processes and new threads do not inherit it. Returns false if nothing
 * changed.
 */
bool urgency_raise(enum urgency how);

#endif

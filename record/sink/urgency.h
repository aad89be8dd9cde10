/* SPDX-License-Identifier: MIT */
/*
 * Threads that lose samples when they do not run in time. On CPUs that have 30 runnable threads
 * each an ordinary thread waits for its turn longer than any ring lasts.
 */
#ifndef RECORD_SINK_URGENCY_H
#define RECORD_SINK_URGENCY_H

#include "base/types.h"

enum urgency {
	URGENCY_READER, /* sleeps most of the time: runs at once when it wakes (SCHED_FIFO 1) */
	URGENCY_WORKER, /* may have much to do: the largest share of the CPU (nice -20) */
};

/*
 * Raises the calling thread as far as this user may, to the next lower step where not; children do
 * not inherit it, nor do threads. False when nothing was changed.
 */
bool urgency_raise(enum urgency how);

#endif

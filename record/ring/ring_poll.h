/* SPDX-License-Identifier: MIT */
/* Waits for records in rings, and notices when the events of the recorded threads have ended. */
#ifndef RECORD_RING_RING_POLL_H
#define RECORD_RING_RING_POLL_H

#include <poll.h>

#include "record/ring/ring.h"

/*
 * Sets polls[i] to wait for ring i, on one of its events that has not ended. Poll a ring in one
 * thread only: the kernel reports new records to one caller of poll. Returns false if every event
 * that ends with the target has ended.
 */
bool ring_polls_set(const struct rec_ring *rings, size_t nr, struct pollfd *polls);

/* After poll: forgets events that have ended. Returns true if a ring has new records. */
bool ring_polls_take(struct rec_ring *rings, size_t nr, const struct pollfd *polls);

#endif

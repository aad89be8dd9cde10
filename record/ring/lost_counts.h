/* SPDX-License-Identifier: MIT */
/* How many samples of each event the kernel could not store, read from the events' descriptors. */
#ifndef RECORD_RING_LOST_COUNTS_H
#define RECORD_RING_LOST_COUNTS_H

#include "base/wbuf.h"
#include "record/ring/copier.h"

/*
 * Reads the lost count of every descriptor (kernels from 6.0 on keep it), sets nr_lost of each
 * event to it or to what its LOST records said, and appends a LOST_SAMPLES record for each
 * descriptor that lost some.
 */
void lost_counts_read(struct rec_evlist *l, const struct rec_copier *c, struct wbuf *out);

#endif

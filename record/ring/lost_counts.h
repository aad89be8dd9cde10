/* SPDX-License-Identifier: MIT */
/* Reads from the events' descriptors how many samples of each event the kernel could not store. */
#ifndef RECORD_RING_LOST_COUNTS_H
#define RECORD_RING_LOST_COUNTS_H

#include "base/wbuf.h"
#include "record/ring/copier.h"

/*
 * Sets nr_samples of each event, and nr_lost to the lost counts of its descriptors (Linux 6.0) and
 * its LOST_SAMPLES records, and appends a LOST_SAMPLES record to *out for each descriptor that lost
 * samples. On older kernels only LOST records of rings tell of losses, without the event.
 */
void lost_counts_read(struct rec_evlist *l, struct rec_copier *c, struct wbuf *out);

#endif

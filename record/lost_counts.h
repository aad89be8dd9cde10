/* SPDX-License-Identifier: MIT */
/* How many samples of each event the kernel could not store, told by the events themselves. */
#ifndef RECORD_LOST_COUNTS_H
#define RECORD_LOST_COUNTS_H

#include "base/wbuf.h"
#include "record/copier.h"

/*
 * Reads the lost count of every descriptor (kernels from 6.0 on keep it), sets nr_lost of each
 * event to it or to what its LOST records said, and appends a LOST_SAMPLES record for each
 * descriptor that lost some.
 */
void lost_counts_read(struct rec_evlist *l, const struct rec_copier *c, struct wbuf *out);

/* The lost count in what reading an event of this read_format gave, 0 where it has none. */
u64 lost_count_of(u64 read_format, const u64 *words, size_t nr);

#endif

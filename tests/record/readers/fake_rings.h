/* SPDX-License-Identifier: MIT */
/* Rings like the kernel's, in memory, that a test or a bench fills with samples. */
#ifndef TESTS_RECORD_READERS_FAKE_RINGS_H
#define TESTS_RECORD_READERS_FAKE_RINGS_H

#include "record/ring/ring.h"

#define FAKE_SAMPLE_BYTES 40u

struct fake_rings {
	struct rec_rings rings; /* ring i belongs to CPU i and has no descriptors */
	u64 *sent, *lost;       /* by ring; lost: the ring was full */
};

/* data_bytes: of each ring, a power of two of at least a page. End with fake_rings_fini. */
void fake_rings_init(struct fake_rings *f, size_t nr, u64 data_bytes);
void fake_rings_fini(struct fake_rings *f);

/* Adds the event to l whose samples fake_ring_put writes: {ip, pid, tid, time, period}. */
void fake_rings_add_event(struct rec_evlist *l);

/*
 * Writes a sample into ring i, with ip i << 32 | the number of samples sent to it before, or counts
 * it as lost, as the kernel does. One thread for each ring at a time.
 */
void fake_ring_put(struct fake_rings *f, size_t i);

/* Returns true if the reader of ring i has given back all of its bytes. */
bool fake_ring_is_empty(const struct fake_rings *f, size_t i);

#endif

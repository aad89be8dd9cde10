/* SPDX-License-Identifier: MIT */
/*
 * The records of all rings in the order of time, for readers that need the state of the processes
 * as of each sample. A sweep returns a beginning of that order: a record stays in its ring for the
 * next sweep if an older one may have been written since the sweep began.
 */
#ifndef RECORD_RING_RING_MERGE_H
#define RECORD_RING_RING_MERGE_H

#include "record/ring/ring.h"
#include "record/ring/sample_layout.h"

/* Where times lie, the same in all rings; 0: records have none. See struct sample_layout. */
struct ring_times {
	u32 sample_at, other_from_end;
};

struct ring_cursor {
	u64 at, end;  /* positions of the next record and of the sweep's end */
	u64 noted;    /* up to here, side-band records were passed to `note` */
	u64 time;     /* of the next record; of those without one, that of the record before */
	u64 consumed; /* what the kernel has been given back */
};

struct ring_merge {
	struct rec_rings *rings;
	struct ring_times times;
	struct ring_cursor *cursors; /* by ring */
	size_t *heap, nr_heap;       /* rings with a next record, that of the oldest first */
	u64 cut;                     /* records that are newer wait for the next sweep */
	u64 last;                    /* time of the last record returned */
	size_t last_ring;            /* the ring that it lies in */
};

/* rings are borrowed. */
void ring_merge_init(struct ring_merge *m, struct rec_rings *rings, struct ring_times times);
void ring_merge_fini(struct ring_merge *m);

/*
 * Begins a sweep: all records that the rings have now belong to it. Passes to note() each side-band
 * record (MMAP, COMM, FORK, EXIT) that was written so far, also after the sweep's records, on which
 * samples of this sweep may depend; each of them once, rings one after the other. Fails with
 * PERR_FORMAT if a record is malformed, which would be a bug of the kernel.
 */
int ring_merge_begin(struct ring_merge *m,
		     void (*note)(void *ctx, const struct ring_view *v, u64 time), void *ctx,
		     struct perr *e) MUST_CHECK;

/*
 * Returns 1 and the next record of the sweep, in the order of time; 0 at its end. *ret is valid
 * until ring_merge_consume(). Fails as ring_merge_begin() does.
 */
int ring_merge_next(struct ring_merge *m, struct ring_view *ret, u64 *ret_time,
		    struct perr *e) MUST_CHECK;

/* True if so much was returned that it is time to give it back to the kernel. */
bool ring_merge_is_full(const struct ring_merge *m);
/* Gives the space of all records that were returned back to the kernel. */
void ring_merge_consume(struct ring_merge *m);

/* The largest share of a ring, in per cent, that is written and not given back. */
unsigned int ring_merge_load(const struct ring_merge *m);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The kernel's ring buffers: one per CPU (per thread with --per-thread), shared by every event on
 * it. Records are handed out as they lie, in the ring: no copy is made here.
 */
#ifndef RECORD_RING_RING_H
#define RECORD_RING_RING_H

#include "record/open/advice.h"
#include "record/open/event_open.h"

struct rec_ring {
	void *map;      /* control page, then the data */
	u64 data_bytes; /* a power of two */
	int fd;         /* the event that owns it; the others are redirected to it */
	s32 cpu, tid;   /* -1: any */
	u64 head, tail; /* positions as of the last ring_peek or ring_pause_and_peek */
	bool overwrite; /* written backward, read when paused */
	int *fds;       /* all events in it: polled, since the owner may end before the others */
	size_t nr_fds, cap_fds;
	size_t nr_endless; /* first of fds: of no thread, so that they do not end with the target */
};

struct rec_rings {
	struct rec_ring *rings;
	size_t nr;
	u64 data_bytes; /* of each */
};

/*
 * Bytes of one ring for the options: -m when given; else enough for 100 ms of samples at the
 * events' rates and sizes, at least perf's default (mlock_kb less a page, a power of two), at most
 * what may be locked (rights) and a share of the memory. Power of two of pages.
 */
u64 ring_size_wanted(const struct rec_evlist *l, const struct rec_opts *o, size_t nr_rings,
		     const struct rec_rights *r);

/*
 * Maps the rings of what event_open_all opened and redirects the events into them. When the size
 * was not given with -m and the kernel refuses it, halves are tried, with a note. PERR_KERNEL with
 * advice_mmap's text.
 */
int rings_map(struct rec_rings *rs, struct rec_evlist *l, const struct rec_target *t,
	      struct rec_opts *o, u64 data_bytes, const struct rec_sys *sys,
	      struct perr *e) MUST_CHECK;
void rings_unmap(struct rec_rings *rs);

/*
 * The new bytes of a ring, oldest first, as one part, or as two where they wrap; a record may lie
 * across both. They stay valid until ring_consume, which gives their space back to the kernel.
 * Returns the number of parts, 0 when nothing is new.
 */
int ring_peek(struct rec_ring *r, struct span ret_parts[2]);
void ring_consume(struct rec_ring *r);

/*
 * For rings with `overwrite`: stops the kernel's writing and returns, as ring_peek, the records
 * that no earlier call returned. ring_resume lets the kernel write again.
 */
int ring_pause_and_peek(struct rec_ring *r, const struct rec_sys *sys, struct span ret_parts[2]);
void ring_resume(struct rec_ring *r, const struct rec_sys *sys);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Maps and reads the kernel's ring buffers: one per CPU (per thread with --per-thread), into which
 * all events of that CPU write. Records are returned as spans of the ring and are not copied.
 */
#ifndef RECORD_RING_RING_H
#define RECORD_RING_RING_H

#include "record/open/open_advice.h"
#include "record/open/event_open.h"
#include "record/ring/sample_layout.h"

struct rec_ring {
	void *map;      /* control page, followed by the data */
	u64 data_bytes; /* bytes of the data, a power of two */
	int fd;         /* event that owns the ring; the other events are redirected into it */
	s32 cpu, tid;   /* -1: any CPU or thread */
	u64 head, tail; /* positions of the last ring_peek or ring_pause_and_peek */
	bool overwrite; /* written backward, and read while it is paused */
	bool side_band; /* has the records about processes alone: no sample takes their room */
	/* all events of the ring; poll these, since the owner may end before others */
	int *fds;
	size_t nr_fds, cap_fds;
	/* how many of fds, the first ones, belong to no thread and so do not end with the target */
	size_t nr_endless;
};

struct rec_rings {
	struct rec_ring *rings;
	size_t nr;
	u64 data_bytes; /* data bytes of each ring with samples */
};

/*
 * The least size of a ring with stacks that are unwound: the kernel takes the room of a whole copy
 * for each, and the first samples wait until the files of their programs are opened.
 */
#define RING_LIVE_BYTES (4ull << 20)

/*
 * Returns the data bytes for one ring, a power-of-two number of pages: those of -m if given; else
 * enough for 100 ms of samples at the events' rates and sizes, at least perf's default (mlock_kb
 * less a page), with stacks that are unwound at least RING_LIVE_BYTES, at most what this user may
 * lock and a share of the machine's memory.
 */
u64 ring_size_wanted(const struct rec_evlist *l, const struct rec_opts *o, size_t nr_rings,
		     const struct rec_rights *r);

/*
 * Maps the rings of all events that event_open_all opened, and redirects the events into them. If
 * -m was not given and the kernel refuses the size, tries half of it repeatedly and warns in
 * o->diag. Where stacks are unwound, an event that has nothing but records about processes gets
 * rings of its own, if the kernel permits them. Fails with PERR_KERNEL and the text of advice_mmap.
 * The caller ends with rings_unmap.
 */
int rings_map(struct rec_rings *rs, struct rec_evlist *l, const struct rec_target *t,
	      struct rec_opts *o, u64 data_bytes, const struct rec_sys *sys,
	      struct perr *e) MUST_CHECK;
void rings_unmap(struct rec_rings *rs);

/*
 * Returns the new bytes of a ring, oldest first, as one part, or two where they wrap; a record may
 * span both. They are valid until ring_consume, which returns their space to the kernel. Returns
 * the number of parts; 0: nothing is new.
 */
int ring_peek(struct rec_ring *r, struct span ret_parts[2]);
void ring_consume(struct rec_ring *r);

/*
 * For readers that take records one by one: the position behind the newest record, and the return
 * of the space before a position to the kernel. Positions count bytes since the ring was mapped.
 */
u64 ring_head(const struct rec_ring *r);
void ring_consume_to(struct rec_ring *r, u64 at);
/* Sets *ret to the record at a position before `end`. False: it is malformed or incomplete. */
bool ring_view_at(const struct rec_ring *r, u64 at, u64 end, struct ring_view *ret) MUST_CHECK;

/*
 * For rings with `overwrite`: pauses the kernel's writing and returns, as ring_peek does, the
 * records that no earlier call has returned. ring_resume lets the kernel write again.
 */
int ring_pause_and_peek(struct rec_ring *r, const struct rec_sys *sys, struct span ret_parts[2]);
void ring_resume(struct rec_ring *r, const struct rec_sys *sys);

#endif
